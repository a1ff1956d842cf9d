import type { Abi } from "viem";
import { isAddress, parseAbi } from "viem/utils";

import { HdpError } from "../../errors/hdp-error.js";
import { optionalText, timeout, timeoutMilliseconds, word, words, yes } from "../shared-options.js";
import { command } from "../command.js";
import { mayCost } from "../ui/may-cost.js";
import { defaultDestination } from "../../plugin/destination.js";
import { Session } from "../../plugin/session.js";
import { grouped } from "../../base/text.js";
import { style } from "../ui/screen.js";

export default command({
  name: "eth-call",
  description: "Call a view function of a contract over proven state, and finalize what it returns",
  positional: {
    contract: word("Address of the contract"),
    function: word("The function, like balanceOf(address)(uint256); or the call's data as hex"),
    arguments: { ...words("Its arguments"), defaultValue: [] },
  },
  options: {
    from: optionalText("The caller; the first account of the node when left out"),
    block: optionalText("Number of the block; the latest when left out"),
    chain: optionalText("Chain identifier of the contract's chain; the connected one when left out"),
    timeout,
    yes,
  },
  run: async (args, { hre, screen, asker }) => {
    const connection = await hre.network.getOrCreate();
    const { hdp } = connection;
    const call = await parseCall(args.function, args.arguments);
    const session = Session.of(connection);
    const work = {
      destinationChainId: await defaultDestination(session),
      what: "1 task",
      processor: await hdp.processor(),
    };
    if (!(await mayCost(work, session, args.yes, asker))) {
      screen.line("  Nothing was sent.");
      screen.document(null);
      process.exitCode = 1;
      return;
    }
    const result = await hdp.ethCall(
      {
        to: address(args.contract, "contract"),
        from: args.from === undefined ? undefined : address(args.from, "--from"),
        block: args.block === undefined ? undefined : BigInt(args.block.replaceAll(/[_,]/g, "")),
        chain: args.chain,
        ...call,
      },
      { timeout: timeoutMilliseconds(args.timeout) },
    );
    const line = (label: string, text: string): void => {
      screen.line(`  ${style.strong(label.padEnd(12))}  ${text}`);
    };
    screen.line();
    line(
      "Call",
      `${result.success ? `${style.good("✔")} returned` : `${style.bad("✘")} reverted`}, block ${grouped(result.block)}, ${grouped(result.gasUsed)} gas`,
    );
    if (result.value !== undefined)
      line(
        "Value",
        JSON.stringify(result.value, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value)),
      );
    line("Data", result.data);
    line("Task hash", result.result.taskHash);
    line("Stored word", result.result.word);
    screen.document(result);
  },
});

async function parseCall(
  text: string,
  values: readonly string[],
): Promise<{ data: `0x${string}` } | { abi: Abi; functionName: string; args: readonly unknown[] }> {
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) return { data: `0x${text.slice(2)}` };
  const [, signature, returns] = /^(\w+\(.*?\))(?:\((.*)\))?$/.exec(text) ?? [];
  if (signature === undefined) throw notAFunction(text);
  const human = `function ${signature} view${returns === undefined ? "" : ` returns (${returns})`}`;
  let abi: Abi;
  try {
    abi = parseAbi([human]);
  } catch {
    throw notAFunction(text);
  }
  const [entry] = abi;
  const inputs = entry?.type === "function" ? entry.inputs : [];
  if (inputs.length !== values.length) throw notAFunction(`${text} with ${String(values.length)} arguments`);
  const args = values.map((value, index) => argument(value, inputs[index]?.type ?? ""));
  return { abi, functionName: signature.slice(0, signature.indexOf("(")), args };
}

/** Numbers and booleans as such, lists and tuples as JSON, all else as text. */
function argument(text: string, type: string): unknown {
  if (type.endsWith("]") || type.startsWith("tuple")) return JSON.parse(text);
  if (/^u?int/.test(type)) return BigInt(text);
  return type === "bool" ? text === "true" : text;
}

function address(text: string, path: string): `0x${string}` {
  if (isAddress(text, { strict: false })) return text;
  throw new HdpError({
    code: "HDP-6075",
    path,
    message: `"${text}" is not an address.`,
    hints: ["An address is 20 bytes of hex, like 0x5FbDB2315678afecb367f032d93F642f64180aa3"],
  });
}

function notAFunction(text: string): HdpError {
  return new HdpError({
    code: "HDP-6076",
    path: "function",
    message: `"${text}" is no call of a function.`,
    hints: ['Write its types, quoted for the shell: "balanceOf(address)(uint256)" 0xf39F…2266'],
  });
}

import type { Abi } from "viem";
import { parseAbi } from "viem/utils";

import { type HdpError, isHdpError, notAllowed } from "../../errors/hdp-error.js";
import { requireAddress } from "../../base/hex.js";
import { jsonText } from "../../base/json.js";
import { grouped } from "../../base/text.js";
import { defaultDestination, resolveDestination } from "../../plugin/destination.js";
import { Session } from "../../plugin/session.js";
import {
  type Flags,
  integerIn,
  type Limits,
  parseLimits,
  milliseconds,
  type Optional,
} from "../options.js";
import { command } from "../run-command.js";
import { mayCost } from "../ui/confirm.js";
import { type Field, mark, printFields } from "../ui/screen.js";

type Arguments = { contract: string; function: string; arguments: string[] } & Flags<
  "yes" | "evenIfDifferent"
> &
  Optional<"from" | "block" | "chain" | "timeout"> &
  Limits;

/** Runs `hdp eth-call`: calls a contract in a module over proven state. */
export const ethCall = command(async (args: Arguments, context) => {
  const { hre, screen } = context;
  const connection = await hre.network.getOrCreate();
  const { hdp } = connection;
  const call = {
    ...parseCall(args.function, args.arguments),
    to: requireAddress(args.contract, "contract"),
    from: args.from === undefined ? undefined : requireAddress(args.from, "--from"),
    block:
      args.block === undefined ? undefined : BigInt(integerIn(args.block, "--block", { min: 0 })),
    chain: args.chain,
  };
  const session = Session.of(connection);
  const destination = await resolveDestination(await defaultDestination(session), session);
  const work = { destination, what: "1 task", processor: (await session.processor()).info };
  if (!(await mayCost(work, session, args.yes, context))) return undefined;
  const timeout = milliseconds(args.timeout, "--timeout");
  const { evenIfDifferent } = args;
  const result = await hdp.ethCall(call, { timeout, evenIfDifferent, ...parseLimits(args) });
  const same = result.matchesNode ? "" : " otherwise than the node";
  const outcome = `${mark(result.success)} ${result.success ? "returned" : "reverted"}${same}`;
  printFields(screen, [
    ["Call", `${outcome}, block ${grouped(result.block)}, ${grouped(result.gasUsed)} gas`],
    ...(result.value === undefined ? [] : [["Value", jsonText(result.value)] satisfies Field]),
    ["Data", result.data],
    ["Task hash", result.result.taskHash],
    ["Stored word", result.result.word],
  ]);
  return result;
});

function parseCall(text: string, values: readonly string[]) {
  if (/^0x(?:[0-9a-f]{2})*$/i.test(text)) return { data: `0x${text.slice(2)}` as const };
  const [, signature, returns] = /^(\w+\(.*?\))(?:\((.*)\))?$/.exec(text) ?? [];
  if (signature === undefined) throw notAFunction(text);
  const human = `function ${signature} view${returns === undefined ? "" : ` returns (${returns})`}`;
  try {
    const abi: Abi = parseAbi([human]);
    const [entry] = abi;
    const inputs = entry?.type === "function" ? entry.inputs : [];
    if (inputs.length !== values.length)
      throw notAFunction(`${text} with ${String(values.length)} arguments`);
    const args = values.map((value, index) => abiArgument(value, inputs[index]?.type ?? ""));
    return { abi, functionName: signature.slice(0, signature.indexOf("(")), args };
  } catch (cause) {
    throw isHdpError(cause) ? cause : notAFunction([text, ...values].join(" "), cause);
  }
}

/** Returns integers and booleans by their type, lists and tuples parsed from JSON, other arguments as text. */
export function abiArgument(text: string, type: string): unknown {
  if (type.endsWith("]") || type.startsWith("tuple")) return JSON.parse(text);
  if (/^u?int/.test(type)) return BigInt(text);
  return type === "bool" ? text === "true" : text;
}

function notAFunction(text: string, cause?: unknown): HdpError {
  const example = '"balanceOf(address)(uint256)" 0xf39F…2266';
  const allowed = `a function with its types, quoted for the shell, such as ${example}; or data as hex`;
  return notAllowed(text, "a call of a function", { path: "function", allowed, cause });
}

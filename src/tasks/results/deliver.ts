import type { AbiFunction, AbiParameter } from "viem";
import { encodeAbiParameters } from "viem/utils";

import { requireAddress } from "../../base/hex.js";
import { grouped } from "../../base/text.js";
import { awaitedResult, oneTask } from "../../plugin/actions/deliver-action.js";
import { prepareDelivery } from "../../plugin/delivery.js";
import { Session } from "../../plugin/session.js";
import { EvmStores } from "../../plugin/stores/evm-stores.js";
import { requireCount, wantedCall } from "../../plugin/wanted-call.js";
import { notAllowed } from "../../errors/hdp-error.js";
import { type Flags, milliseconds, type Optional } from "../options.js";
import { command } from "../run-command.js";
import { abiArgument } from "../modules/eth-call.js";
import { connectForTask, tasksNamed } from "../named-tasks.js";
import { confirmed } from "../ui/confirm.js";
import { printResults } from "../ui/format.js";
import { showProgress } from "../ui/progress.js";
import { mark, printFields, style } from "../ui/screen.js";

type DeliverArguments = {
  task: string;
  contract: string;
  function: string;
  arguments: string[];
} & Flags<"force" | "yes"> &
  Optional<"from" | "timeout">;

/** The argument that stands for the value of the result. */
const VALUE = "value";

/** Runs `hdp deliver`: calls a contract with the value of a result, once. */
export const deliver = command(async (args: DeliverArguments, context) => {
  const { hre, screen } = context;
  const { contract, function: functionName, force } = args;
  const timeout = milliseconds(args.timeout, "--timeout");
  const from = args.from === undefined ? undefined : requireAddress(args.from, "--from");
  const connection = await connectForTask(args.task, hre);
  const session = Session.of(connection);
  const { networkName } = connection;
  const texts = args.arguments.length === 0 ? [VALUE] : args.arguments;
  const wanted = await wantedCall(session, session.project.artifacts, {
    contract,
    function: functionName,
    args: () => texts,
    from,
  });
  const valuesFor = parseArguments(texts, wanted.called);
  const [recorded] = tasksNamed(args.task, hre);
  const named = recorded ?? (await oneTask(args.task, session));
  const progress = showProgress(screen, { timeout: timeout ?? session.config.timeouts.await });
  const waiting = { ...progress.listeners, timeout };
  const result = await awaitedResult(named, session, waiting).finally(() => progress.end());
  printResults(screen, [result], { tasks: [named] });
  const sending = { wanted, args: valuesFor, force, timeout };
  const prepared = await prepareDelivery(result, session, sending);
  const call = `${prepared.call} of ${prepared.contract}`;
  printFields(screen, [
    ["Call", call],
    ["", `on network "${networkName}", from ${requireAddress(prepared.from)}`],
  ]);
  const mayAsk = prepared.earlier === undefined;
  const startsAnew = await session.isDevelopment();
  const store = startsAnew ? undefined : await session.part(EvmStores).existing();
  if (store?.mock === true && store.address.toLowerCase() === result.store.toLowerCase())
    screen.line(
      `  ${style.bad("!")} The result is of a mock on a live chain: its operators can store any value without a proof.`,
    );
  const question = `Send one transaction, ${call}? It costs gas.`;
  if (mayAsk && !startsAnew && !(await confirmed(question, args.yes, context))) return undefined;
  const delivery = await prepared.send();
  const { transactionHash, blockNumber, gasUsed, isEarlier } = delivery;
  const when = isEarlier ? "before, nothing was sent" : `${grouped(gasUsed)} gas`;
  printFields(screen, [
    ["Delivered", `${mark(true)} ${when}`],
    ["", `transaction ${transactionHash}, block ${grouped(blockNumber)}`],
  ]);
  return { networkName, result, call: prepared.call, contract: prepared.contract, delivery };
});

/** Returns how the arguments follow from the value. @throws HdpError HDP-6003 for one that its type doesn't have */
function parseArguments(
  texts: readonly string[],
  called: AbiFunction,
): (value: bigint) => readonly unknown[] {
  requireCount(texts, called);
  const given = called.inputs.map((input, at) => parseArgument(texts[at] ?? "", input));
  return (value) => given.map((one) => (one === VALUE ? value : one));
}

/** Returns an argument as its type has it; `value` as it is. */
function parseArgument(text: string, input: AbiParameter): unknown {
  if (text === VALUE) return text;
  try {
    const value = abiArgument(text, input.type);
    encodeAbiParameters([input], [value]);
    return value;
  } catch (cause) {
    const path = `arguments (${input.name ?? input.type})`;
    const allowed = `${input.type}, or ${VALUE}: the value of the result`;
    throw notAllowed(text, "an argument of the function", { path, allowed, cause });
  }
}

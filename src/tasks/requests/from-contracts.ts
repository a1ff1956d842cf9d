import type { NetworkConnection } from "hardhat/types/network";
import type { Address, Hex } from "viem";

import { systemClock } from "../../base/clock.js";
import { isSameHex, isTaskHash, requireAddress } from "../../base/hex.js";
import { elapsed, plural } from "../../base/text.js";
import { hdpError, notAllowed, suggested } from "../../errors/hdp-error.js";
import {
  type OpenRequest,
  openRequests,
  readAskedRequest,
  toTaskRequest,
} from "../../plugin/contract-requests.js";
import { resolveDestination } from "../../plugin/destination.js";
import { Session } from "../../plugin/session.js";
import { EvmStores } from "../../plugin/stores/evm-stores.js";
import type { TaskRequest } from "../../request/task.js";
import { watchRequests } from "../../submission/request-watch.js";
import { STATES } from "../../submission/model.js";
import { integerIn } from "../options.js";
import type { CommandContext } from "../run-command.js";
import { mayCost } from "../ui/confirm.js";
import { shortHex } from "../ui/format.js";
import { printBlock, printTable, style } from "../ui/screen.js";

/** Runs `hdp list --requests`: lists what contracts asked a store for and nobody has fulfilled. */
export async function listRequests(
  args: { readonly requests: string; readonly since: string | undefined },
  { hre, screen }: CommandContext,
): Promise<unknown> {
  const store = requireEvmAddress(args.requests, "--requests");
  const connection = await hre.network.getOrCreate();
  const { networkName } = connection;
  const session = Session.of(connection);
  const since = sinceBlock(args.since);
  const found = await openRequests(session, session.part(EvmStores), { store, since });
  if (found.length === 0) {
    const where = since === undefined ? "in the latest 10,000 blocks" : `since block ${since}`;
    screen.line(`  Nothing is asked for that has no result (${where}; --since names another).`);
    return found;
  }
  const rows = found.map(({ store: asked, from, to, ...request }) => {
    const { transactionHash, blockNumber, programHash, submission } = request;
    return [
      transactionHash,
      blockNumber.toString(),
      shortHex(`0x${BigInt(programHash).toString(16)}`),
      to === undefined ? "a deployment" : shortHex(isSameHex(to, asked) ? from : to),
      submission === undefined ? "not sent" : STATES[submission.state].shown,
    ];
  });
  printTable(screen, ["TRANSACTION", "BLOCK", "PROGRAM", "BY", "HERE"], rows);
  const submit = suggested("hdp:submit", [], {
    network: networkName,
    after: "--request <transaction>",
  });
  printBlock(screen, `  Submit one: ${style.command(submit)}`);
  return found.map(({ submission, ...request }) => ({
    ...request,
    submission: submission && { id: submission.id, state: submission.state },
  }));
}

function sinceBlock(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : BigInt(integerIn(text, "--since", { min: 0 }));
}

/** Returns an address of an EVM chain. @throws HdpError HDP-3020 for one of Starknet, HDP-1110 for another text */
function requireEvmAddress(text: string, option: string): Address {
  refuseStarknet(text, option, { min: 41, max: 64 });
  return requireAddress(text, option);
}

/**
 * Throws for a felt of Starknet, which is usually written without leading zeros: by the number of its digits. A transaction's
 * hash of 64 may be of either kind of chain.
 * @throws HdpError HDP-3020
 */
function refuseStarknet(
  value: string,
  option: string,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  const digits = /^0x([0-9a-f]+)$/i.exec(value)?.[1]?.length ?? 0;
  if (digits >= min && digits <= max) throw hdpError("HDP-3020", { value }, { path: option });
}

/**
 * Returns what a transaction asked for.
 * @throws HdpError HDP-3020 for one of Starknet, HDP-6003 for another text; the errors of `requestOf`
 */
export async function requestedBy(
  transaction: string,
  connection: NetworkConnection<string>,
): Promise<{ readonly request: TaskRequest; readonly transaction: Hex }> {
  refuseStarknet(transaction, "--request", { min: 60, max: 63 });
  if (!isTaskHash(transaction)) {
    const allowed = "0x and 64 hexadecimal digits";
    throw notAllowed(transaction, "a transaction's hash", { path: "--request", allowed });
  }
  const session = Session.of(connection);
  const request = await readAskedRequest(transaction, session, session.part(EvmStores));
  return { request, transaction };
}

/** What a watch needs of the command that submits. */
export interface WatchOptions {
  readonly contract: string;
  readonly since: string | undefined;
  /** Milliseconds until the watch ends; until the process does when left out. */
  readonly timeout: number | undefined;
  readonly yes: boolean;
  /** Submits one request, asked for in a transaction. */
  readonly submit: (request: TaskRequest, transaction: Hex) => Promise<unknown>;
}

/** Milliseconds from one look at the store to the next: a third of an Ethereum slot. */
const INTERVAL = 4_000;

/** Submits what a contract asks for, as soon as it does, until the watch ends. */
export async function watchContract(
  { contract, since, timeout, yes, submit }: WatchOptions,
  connection: NetworkConnection<string>,
  context: CommandContext,
): Promise<unknown> {
  const { screen } = context;
  const by: Address = requireEvmAddress(contract, "--watch");
  const session = Session.of(connection);
  await refuseStore(by, session);
  const { info } = await session.processor();
  const destination = await resolveDestination(
    (await toTaskRequest([], session)).destinationChainId,
    session,
  );
  const work = { destination, what: `what ${by} asks for, as it does,`, processor: info };
  if (!(await mayCost(work, session, yes, context))) return undefined;
  const ends = timeout === undefined ? "until this is stopped" : `for ${elapsed(timeout)}`;
  printBlock(screen, `  ${style.strong("Watching")}  what ${by} asks for, ${ends}.`);
  const submitted: unknown[] = [];
  const refused: object[] = [];
  const search = { by, since: sinceBlock(since) };
  let lastTrouble = "";
  await watchRequests<OpenRequest>({
    clock: systemClock,
    interval: INTERVAL,
    signal: timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout),
    look: async () => await openRequests(session, session.part(EvmStores), search),
    answer: async (request) => {
      const { transactionHash } = request;
      submitted.push(await submit(await toTaskRequest([request], session), transactionHash));
    },
    onRefused: ({ transactionHash, taskHash }, { code, message }) => {
      printBlock(screen, `  ${style.bad("✘")} ${transactionHash} is left: ${message}`);
      refused.push({ transactionHash, taskHash, error: { code, message } });
    },
    onTrouble: ({ message }) => {
      if (message !== lastTrouble) printBlock(screen, `  ${style.bad("!")} ${message}`);
      lastTrouble = message;
    },
  });
  printBlock(screen, `  ${plural(submitted.length, "request")} submitted.`);
  if (refused.length > 0) process.exitCode = 1;
  return { networkName: connection.networkName, submitted, refused };
}

/**
 * Throws where the store itself should be watched: it is called by whoever asks it directly.
 * @throws HdpError HDP-6003
 */
async function refuseStore(by: Address, session: Session): Promise<void> {
  const { address } = await session.part(EvmStores).openForReading();
  if (!isSameHex(by, address)) return;
  throw notAllowed(by, "an account or contract that asks", {
    path: "--watch",
    allowed: "the contract whose requests you pay for, or the account that sends them",
    hints: [
      "This is the execution store: anybody may ask the execution store for anything, at your cost. Nothing was sent.",
    ],
  });
}

/** Throws for task files beside a request: one command sends either. @throws HdpError HDP-6003 */
export function refuseFiles(files: readonly string[], option: string): void {
  const [file, ...others] = files;
  if (file === "-" && others.length === 0) return;
  throw notAllowed(file, `a file beside ${option}`, { path: "file", hints: ["Nothing was sent."] });
}

import type { Hex } from "viem";

import { HdpError, isHdpError } from "../../base/errors.js";
import { shownJson } from "../../base/json-text.js";

/** What a failed call says about the contract that was called. */
export type StarknetFailure =
  | { readonly kind: "no-contract" }
  | { readonly kind: "no-entry-point" }
  | { readonly kind: "not-finalized" }
  /** The contract panicked: `reason` is the short string, or the node's text. */
  | { readonly kind: "panic"; readonly reason: string }
  /** The node refused, or did not answer. */
  | { readonly kind: "node"; readonly reason: string };

const CONTRACT_NOT_FOUND = 20;
const ENTRY_POINT_NOT_FOUND = 21;
const CONTRACT_ERROR = 40;

/**
 * Sorts an error of starknet.js by the JSON-RPC code it carries. Nodes differ in how they report a panic: as text, as
 * felts, or as an object for each contract on the way; all of it is searched.
 */
export function classifyStarknetFailure(error: unknown): StarknetFailure {
  const rpc = property(error, "baseError");
  const code = property(rpc, "code");
  if (code === CONTRACT_NOT_FOUND) return { kind: "no-contract" };
  if (code === ENTRY_POINT_NOT_FOUND) return { kind: "no-entry-point" };
  if (code !== CONTRACT_ERROR) return { kind: "node", reason: firstSentence(rpc ?? error) };
  const data = shownJson(property(rpc, "data") ?? "");
  if (mentions(data, "TASK_NOT_FINALIZED")) return { kind: "not-finalized" };
  if (mentions(data, "ENTRYPOINT_NOT_FOUND") || /entry ?point\b.*\bnot found/i.test(data))
    return { kind: "no-entry-point" };
  if (/not deployed/i.test(data)) return { kind: "no-contract" };
  return { kind: "panic", reason: panicText(data) };
}

/**
 * The error for a failure that says nothing of the task: nothing at the address, a contract that is no store, a panic
 * nobody expects, a node that does not answer.
 */
export function starknetStoreError(failure: StarknetFailure, store: Hex, tried: readonly string[]): HdpError {
  switch (failure.kind) {
    case "no-contract":
      return new HdpError({
        code: "HDP-8002",
        message: `there is no contract at ${store} on this Starknet network.`,
        hints: ["Check the execution store's address, and that rpcUrl is a node of the task's destination chain."],
      });
    case "no-entry-point":
    case "not-finalized":
      return new HdpError({
        code: "HDP-8003",
        message: `the contract at ${store} is no execution store: it has no entry point ${tried.join(" or ")}.`,
        hints: [
          "Check the execution store's address. A store with other names is read with the option entrypoint,",
          "a store without a readable entry point with the option readStorage: see node_modules/hardhat-hdp/docs/starknet.md.",
        ],
      });
    case "panic":
      return new HdpError({
        code: "HDP-8004",
        message: `the contract at ${store} panicked: ${failure.reason}`,
        hints: ["The reason is the contract's own. Check that the address is the execution store's."],
      });
    case "node":
      return new HdpError({
        code: "HDP-8005",
        message: `the Starknet node refused or did not answer: ${failure.reason}`,
        hints: ["Check that rpcUrl is reachable and speaks Starknet's JSON-RPC."],
      });
  }
}

/** Fails at once when the signal does: starknet.js itself knows no signals. Own errors pass through. */
export async function untilAborted<T>(pending: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await pending;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([pending, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}

/** True for errors that are complete already. */
export function isFinal(error: unknown, signal: AbortSignal | undefined): boolean {
  return isHdpError(error) || signal?.aborted === true;
}

/** A short string, as text or as the felt it is. */
function mentions(data: string, shortString: string): boolean {
  return data.includes(shortString) || data.toLowerCase().includes(Buffer.from(shortString).toString("hex"));
}

/** The short string a node quotes in its text: `0x… ('REASON')`; else the text itself, shortened. */
function panicText(data: string): string {
  return /\('([^']+)'\)/.exec(data)?.[1] ?? withoutUrls(data).slice(0, 300);
}

function firstSentence(error: unknown): string {
  const message = property(error, "message");
  const text = typeof message === "string" ? message : shownJson(error);
  return withoutUrls(text.split("\n", 1)[0] ?? "").slice(0, 300) || "no reason given";
}

/** Addresses of nodes may hold a key. */
function withoutUrls(text: string): string {
  return text.replace(/\b\w+:\/\/\S+/g, "<url>");
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

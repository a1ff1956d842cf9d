import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Address, Hex } from "viem";
import { hexToBytes, isAddress, isHash } from "viem/utils";

import { keccak256 } from "../../base/keccak.js";
import { askNode, type Eip1193Provider } from "../../base/rpc.js";
import { printable } from "../../base/text.js";
import { asData } from "../../chain/node-rpc.js";
import type { Session } from "../session.js";

/** A mock that was deployed here, with the hash of its code. */
export interface DeployedStore {
  readonly address: Address;
  readonly codeHash: Hex;
}

/** What stands at an address of a chain, to be compared with what was deployed there. @throws HdpError HDP-4103, HDP-4102 */
export async function codeAt(provider: Eip1193Provider, address: Address): Promise<Hex> {
  return asData(await askNode(provider, "eth_getCode", [address, "latest"]), "eth_getCode", "result");
}

export function hashOfCode(code: Hex): Hex {
  return keccak256(hexToBytes(code));
}

/**
 * The mock of a development node, for the other processes of a project: `stores/<genesis hash>.json` in the journal's
 * folder. A node that starts anew is another chain, and one with the same genesis has another code at the address.
 */
export async function rememberedStore(session: Session): Promise<DeployedStore | undefined> {
  const text = await readFile(await fileOf(session), "utf8").catch(() => undefined);
  const stored = text === undefined ? undefined : readStore(text);
  if (stored === undefined) return undefined;
  return hashOfCode(await codeAt(session.provider, stored.address)) === stored.codeHash ? stored : undefined;
}

/**
 * Makes a store the one that other processes find. Where that cannot be written the store is used in this process all
 * the same, and a warning says so: it is deployed, and another one would be at each attempt.
 */
export async function rememberStore(session: Session, store: DeployedStore): Promise<void> {
  const file = await fileOf(session);
  try {
    await mkdir(join(session.config.journal, "stores"), { recursive: true });
    // Others may read at any moment: they find the old file or the new one.
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify(store)}\n`);
    await rename(draft, file);
  } catch (error) {
    const reason = printable(error instanceof Error ? error.message : String(error));
    process.emitWarning(
      `hardhat-hdp: other processes will not find the mock execution store ${store.address}, as it could not be written down: ${reason}. Give them its address: hdp: { executionStore: { address } }.`,
    );
  }
}

/** How long another process is waited for that is deploying the chain's first store, in milliseconds. */
const DEPLOYING = 30_000;

/**
 * Runs `action` while no other process of the project does so for the same chain. Where no lock can be had, it is run
 * all the same: the worst that comes of it is a second mock.
 */
export async function oneAfterTheOther<T>(session: Session, action: () => Promise<T>): Promise<T> {
  const { FileLock } = await import("../../base/file-lock.js");
  const { nodeFs } = await import("../../base/durable-fs.js");
  const { nodeProcessTable } = await import("../../base/process-table.js");
  const notNow = (path: string): Error => new Error(`${path} cannot be had`);
  const lock = new FileLock(`${await fileOf(session)}.lock`, {
    ...{ fs: nodeFs, processes: nodeProcessTable(), now: Date.now, newToken: randomUUID, patience: DEPLOYING },
    errors: { held: notNow, unreadable: notNow },
    sleep: async (milliseconds) => {
      await sleep(milliseconds);
    },
  });
  await mkdir(join(session.config.journal, "stores"), { recursive: true }).catch(() => undefined);
  const release = await lock.acquire().catch(() => undefined);
  try {
    return await action();
  } finally {
    await release?.().catch(() => undefined);
  }
}

async function fileOf(session: Session): Promise<string> {
  return join(session.config.journal, "stores", `${await session.requireGenesisHash()}.json`);
}

/** A file that somebody spoilt is worth no more than none. */
function readStore(text: string): DeployedStore | undefined {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== "object" || json === null || !("address" in json) || !("codeHash" in json)) return undefined;
    const { address, codeHash } = json;
    if (typeof address !== "string" || !isAddress(address)) return undefined;
    return typeof codeHash === "string" && isHash(codeHash) ? { address, codeHash } : undefined;
  } catch {
    return undefined;
  }
}

import { join } from "node:path";
import type { Address, Hex } from "viem";
import { hexToBytes } from "viem/utils";

import { systemClock } from "../base/clock.js";
import { keccak256 } from "../base/keccak.js";
import { errorMessage } from "../base/text.js";
import { printable } from "../errors/printable.js";
import { codeAt } from "../chain/node-rpc.js";
import type { MockStores } from "../submission/mock-stores.js";
import { SubmissionStore } from "../submission/submission-store.js";
import { nodeSystem } from "../submission/system.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { Session } from "./session.js";
import { warn } from "./warn.js";

/** Submission stores of projects, by path: a process opens each file once. */
const projects = new Map<string, SubmissionStore>();

/** Returns the submissions of a project: `submissions.db` in its data folder. Sending something creates the file. */
export function projectSubmissions(dataDir: string): SubmissionStore {
  const path = join(dataDir, "submissions.db");
  const store = projects.get(path) ?? new SubmissionStore({ path, now: Date.now });
  projects.set(path, store);
  return store;
}

class SimulatedSubmissions {
  public readonly store = new SubmissionStore({ now: Date.now });
}

/** Returns the submissions to the local data processor: for an in-process chain in memory. */
export function localSubmissions(session: Session): SubmissionStore {
  return session.isSimulated
    ? session.part(SimulatedSubmissions).store
    : projectSubmissions(session.config.dataDir);
}

/** Returns the submission stores of a session's network, for any data processor, the latest place first. */
export function submissionStores(session: Session): readonly SubmissionStore[] {
  return [...new Set([localSubmissions(session), projectSubmissions(session.config.dataDir)])];
}

/** Returns the keccak256 of a contract's code. */
export function hashOfCode(code: Hex): Hex {
  return keccak256(hexToBytes(code));
}

/**
 * Returns the store that the project keeps for a chain: the mock that was deployed on a node, or the chosen store. A
 * restarted node is another chain; one with the same genesis block has other code at the address.
 */
export async function rememberedStore(network: ConnectedNetwork): Promise<Address | undefined> {
  const isDevelopment = await network.isDevelopment();
  const genesis = isDevelopment ? await network.firstBlock() : await network.genesisHash();
  const stored =
    genesis === undefined
      ? undefined
      : projectSubmissions(network.config.dataDir).mocks.of(genesis);
  if (stored === undefined) return undefined;
  return hashOfCode(await codeAt(network.provider, stored.address)) === stored.codeHash
    ? stored.address
    : undefined;
}

/** Makes a store the one other processes find, or warns: it is deployed already, and a retry would deploy another. */
export async function rememberStore(
  network: ConnectedNetwork,
  address: Address,
  code: Hex,
): Promise<void> {
  try {
    const store = { address, codeHash: hashOfCode(code) };
    projectSubmissions(network.config.dataDir).mocks.remember(await network.blockHash(0n), store);
  } catch (error) {
    const reason = printable(errorMessage(error));
    warn(
      `other processes will not find the mock execution store ${address}, as it could not be recorded: ${reason} Give them its address: hdp: { executionStore: { address } }.`,
    );
  }
}

/** Milliseconds to wait for another process that is deploying the chain's first store. */
const DEPLOYING = 30_000;
/** The last deployment of each chain in this process. */
const deployments = new Map<Hex, Promise<unknown>>();

/**
 * Deploys a chain's first mock while no other connection or process of the project does. If the claim cannot be
 * recorded, deploys without waiting for other processes: the worst case is a second mock.
 */
export async function deployAlone<T>(
  network: ConnectedNetwork,
  deploy: () => Promise<T>,
): Promise<T> {
  const genesis = await network.blockHash(0n);
  const before = deployments.get(genesis)?.catch(() => undefined);
  const deployment = Promise.resolve(before).then(
    async () => await deployInTurn(network, genesis, deploy),
  );
  deployments.set(genesis, deployment);
  return await deployment;
}

/** Deploys after the claim of another process has ended, and ends the own one. */
async function deployInTurn<T>(
  network: ConnectedNetwork,
  genesis: Hex,
  deploy: () => Promise<T>,
): Promise<T> {
  const { mocks } = projectSubmissions(network.config.dataDir);
  try {
    await claimDeployment(mocks, genesis);
  } catch {
    return await deploy();
  }
  try {
    return await deploy();
  } finally {
    try {
      mocks.setDeployer(genesis, undefined);
    } catch {
      // A claim of a process that has ended is ignored.
    }
  }
}

/** Records this process as the one that deploys, once another one has deployed, has ended or takes too long. */
async function claimDeployment(mocks: MockStores, genesis: Hex): Promise<void> {
  const { self, mayRun } = nodeSystem.processes;
  const end = systemClock.monotonic() + DEPLOYING;
  for (;;) {
    const other = mocks.claimDeployment(genesis, self);
    if (other === undefined) return;
    if (other === self || !mayRun(other) || systemClock.monotonic() >= end) {
      mocks.setDeployer(genesis, self);
      return;
    }
    await systemClock.sleep(50);
  }
}

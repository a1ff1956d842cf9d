import { createServer } from "node:net";

import type { HookContext } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { ChainType, JsonRpcServer, NetworkConnection } from "hardhat/types/network";
import type { Address, Hex } from "viem";

import { corsOrigin } from "../dev-server/web-guard.js";
import { startLocalFront, type LocalFront, type LocalFrontOptions } from "../dev-server/local-front.js";
import type { StateTries } from "../dev-server/state-tries.js";
import { ProgramStore } from "../dev-server/program-store.js";
import { LocalDataProcessor } from "../submission/backend/local.js";
import { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import { readFaults } from "../submission/backend/faults/fault.js";
import { faultyFinalization, forkPointOf, type Reorganise } from "../submission/backend/faults/faulty.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import type { ResultSink } from "../submission/backend/finalizer.js";
import { systemClock } from "../base/clock.js";
import { HdpError, hdpError } from "../errors/hdp-error.js";
import { BATCH_STATES } from "../service/data-processor/editions.js";
import { ChainSources } from "./chain-sources.js";
import { moduleRunnerOf } from "./module-runner-of.js";
import { Session } from "./session.js";
import { destinationStore } from "./stores/destination-store.js";
import { EvmStores } from "./stores/evm-stores.js";

export interface FrontOptions {
  /** Of the local front; 0: any that is free. */
  readonly hdpPort: number;
  readonly apiKey: string | undefined;
  readonly dataDir: string | undefined;
  /** Address on which the local front listens; default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Origins whose web pages may use the local front, with commas. */
  readonly cors?: string | undefined;
  /** What goes wrong, each once, as `hdp:node --fault` takes it. */
  readonly faults?: string | undefined;
  /** Milliseconds from one state of a batch to the next; results are finalized after the last. Default 0. */
  readonly latencyMs?: number | undefined;
  readonly onRequest?: LocalFrontOptions["onRequest"];
  /** Told of what fails inside the local front. */
  readonly onFailure?: LocalFrontOptions["onFailure"];
}

export interface LocalNodeOptions extends FrontOptions {
  /** Address on which the chain node listens; default as `hardhat node`: 127.0.0.1, in a container 0.0.0.0. */
  readonly hostname?: string | undefined;
  /** Of the chain node; 0: any that is free. */
  readonly port: number;
}

export type { RequestLine } from "../dev-server/front-server.js";

export interface LocalNode {
  /** Where the chain answers JSON-RPC. */
  readonly chainUrl: string;
  readonly front: LocalFront;
  readonly executionStore: Address;
  readonly accounts: readonly Address[];
  close(): Promise<void>;
}

type Hre = HardhatRuntimeEnvironment;

/** From the first state of a batch to the last. */
const STEPS_TO_FINALIZED = BATCH_STATES.length - 1;

/** Network that `hardhat node` runs when none is named. */
const NODE_NETWORK = "node";

/**
 * Runs a chain node as `hardhat node` does, deploys an execution store on it, and runs the local front beside it.
 *
 * @throws HdpError HDP-6050 or HDP-4501 for a port in use, HDP-4502 or HDP-4503 for a data folder that cannot be used,
 * HDP-6051 and HDP-4904 for origins and faults that are none.
 */
export async function startLocalNode(hre: Hre, options: LocalNodeOptions): Promise<LocalNode> {
  const played = { corsOrigins: originsIn(options.cors), queue: queueOf(options.faults) };
  requirePort(options.port, "--port");
  requirePort(options.hdpPort, "--hdp-port");
  await requireFree(options.port);
  const { server, connection } = await chainServer(hre, options);
  const { address, port } = await server.listen();
  // "All addresses" is where it listens, not where it can be reached.
  const chainUrl = `http://${address === "0.0.0.0" ? "127.0.0.1" : address}:${port}`;
  try {
    const node = await frontBeside(connection, chainUrl, { ...options, ...played });
    return {
      ...node,
      close: async () => {
        await node.close();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * Runs the local front beside a chain node that runs already, with a mock execution store on it.
 *
 * @throws HdpError HDP-6022 for a chain that is not for development, otherwise as {@link startLocalNode}
 */
export async function startFrontBeside(
  connection: NetworkConnection<string>,
  options: FrontOptions,
): Promise<LocalNode> {
  const { networkConfig } = connection;
  const played = { corsOrigins: originsIn(options.cors), queue: queueOf(options.faults) };
  requirePort(options.hdpPort, "--hdp-port");
  if (networkConfig.type !== "http") throw new Error("a chain in this process can't be reached by others");
  // What a development node's address may hold beside host and port is nobody's to print.
  const { origin } = new URL(await networkConfig.url.getUrl());
  return await frontBeside(connection, origin, { ...options, ...played });
}

async function frontBeside(
  connection: NetworkConnection<string>,
  chainUrl: string,
  options: FrontOptions & { readonly corsOrigins: readonly string[]; readonly queue: FaultQueue | undefined },
): Promise<LocalNode> {
  const session = Session.of(connection);
  const { address: executionStore } = await session.part(EvmStores).current();
  // Others connect to this chain over HTTP, and find its store by its genesis block.
  await session.part(EvmStores).share();
  const sources = session.part(ChainSources);
  const { latencyMs = 0, queue } = options;
  const sink: ResultSink = {
    finalize: async (results, destination) => {
      await systemClock.sleep(latencyMs * STEPS_TO_FINALIZED);
      const stores = await destinationStore(destination, session);
      if (queue === undefined) return await stores.finalize(results);
      // Only EVM chains can be gone back on: for results on Starknet it is the connected one.
      const forkPoint = async (): Promise<Reorganise> => await forkPointOf(stores.provider ?? session.provider);
      return await faultyFinalization(stores, queue, forkPoint).finalize(results, destination);
    },
  };
  const programs = await ProgramStore.open(options.dataDir);
  let tries: StateTries | undefined;
  const runModule = moduleRunnerOf(session, {
    stored: (programHash) => storedProgram(programs, programHash),
    unknown: notUploaded,
    ownStateServer: () => tries,
  });
  const processor = new LocalDataProcessor({
    ...sources.options,
    sink,
    runModule,
  });
  const front = await startLocalFront({
    ...{ processor, providerFor: sources.options.providerFor, programs, port: options.hdpPort },
    apiKey: options.apiKey,
    dataDir: options.dataDir,
    ...{ host: options.host, corsOrigins: options.corsOrigins, latencyMs },
    ...{ onRequest: options.onRequest, onFailure: options.onFailure },
    faults: queue,
    info: { chainUrl, executionStore },
    onTries: (kept) => (tries = kept),
  });
  return {
    ...{ chainUrl, front, executionStore },
    accounts: await session.accounts(),
    close: async () => {
      await front.close();
      processor.close();
    },
  };
}

/** Hardhat's server makes its connection by itself: it is taken as it passes the hook for new ones. */
async function chainServer(
  hre: Hre,
  { port, hostname }: LocalNodeOptions,
): Promise<{ readonly server: JsonRpcServer; readonly connection: NetworkConnection<string> }> {
  const made: NetworkConnection<string>[] = [];
  const handlers = {
    // eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- the hook's own signature
    newConnection: async <T extends ChainType | string>(
      context: HookContext,
      next: (nextContext: HookContext) => Promise<NetworkConnection<T>>,
    ): Promise<NetworkConnection<T>> => {
      const connection = await next(context);
      made.push(connection);
      return connection;
    },
  };
  hre.hooks.registerHandlers("network", handlers);
  // Without --network it is undefined, whatever its type says.
  const networkName = hre.globalOptions.network || NODE_NETWORK;
  try {
    const server = await hre.network.createServer(networkName, hostname, port);
    const [connection] = made;
    if (connection === undefined) throw new Error("the chain server has no connection");
    return { server, connection };
  } finally {
    hre.hooks.unregisterHandlers("network", handlers);
  }
}

/** A class that was uploaded to the front. */
function storedProgram(programs: ProgramStore, programHash: Hex): ModuleProgram | undefined {
  const stored = programs.get(programHash);
  return stored === undefined ? undefined : { compiledClassJson: JSON.parse(stored.text) as unknown };
}

/** What a client of the front can do about a program that nobody has here. */
function notUploaded(programHash: Hex): HdpError {
  return new HdpError({
    code: "HDP-4536",
    path: "programHash",
    message: `program ${programHash} is not known here, so it cannot be run.`,
    hints: ["Upload its compiled class to /submit-program of this server, and submit the task again."],
  });
}

function requirePort(port: number, path: string): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw hdpError("HDP-6002", { text: port, allowed: "a port from 1 to 65535, or 0 for any that is free" }, { path });
}

/** Hardhat's server does not say that its port is taken. */
async function requireFree(port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => {
      reject(
        new HdpError({
          code: "HDP-6050",
          path: "--port",
          message: `the chain node cannot listen on port ${port}: ${error.message}.`,
          hints: ["End what listens there, or give another port, for instance --port 8555"],
          cause: error,
        }),
      );
    });
    probe.listen(port, "127.0.0.1", () => {
      probe.close(() => {
        resolve();
      });
    });
  });
}

/** The faults of `--fault`. @throws HdpError HDP-4904 for a text that is none. */
function queueOf(text: string | undefined): FaultQueue | undefined {
  return text === undefined ? undefined : new FaultQueue(...readFaults(text, "--fault"));
}

/** The origins of `--cors`. @throws HdpError HDP-6051 for a text that is none. */
function originsIn(text: string | undefined): string[] {
  if (text === undefined) return [];
  return text.split(",").map((item) => {
    const origin = corsOrigin(item.trim());
    if (origin !== undefined) return origin;
    throw new HdpError({
      code: "HDP-6051",
      path: "--cors",
      message: `${JSON.stringify(item.trim())} is not the origin of a web page`,
      hints: [
        "An origin is http:// or https:// with host and port, for instance http://localhost:3000; * is every page.",
      ],
    });
  });
}

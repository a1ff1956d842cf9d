import { createServer } from "node:net";

import type { HookContext } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { ChainType, JsonRpcServer, NetworkConnection } from "hardhat/types/network";
import type { Address, Hex } from "viem";

import { HdpError, hdpError, notAllowed } from "../errors/hdp-error.js";
import { corsOrigin } from "../dev-server/access.js";
import type { ProgramStore } from "../dev-server/program-store.js";
import { type DevServer, type DevServerOptions, startDevServer } from "../dev-server/server.js";
import { LocalDataProcessor } from "../submission/backend/local-data-processor.js";
import type { Explanation } from "../compute/explain-task.js";
import type { ModuleProgram } from "../compute/module-runner.js";
import { visitedElements } from "../request/describe-task.js";
import { writtenTask } from "../request/task-form.js";
import type { ModuleTask, Task } from "../request/task.js";
import type { RunView } from "../request/views.js";
import type { ResultSink } from "../submission/backend/finalizer.js";
import { systemClock } from "../base/clock.js";
import { grouped } from "../base/text.js";
import { BATCH_STATES } from "../service/data-processor/editions.js";
import { ChainSources } from "./chain-sources.js";
import type { ModuleDryRun, ModuleProfile } from "./actions/program-actions.js";
import { type ModuleSources, sessionModuleRunner } from "./module-environment.js";
import { Session } from "./session.js";
import { finalizeWith } from "./local-processor.js";
import { EvmStores } from "./stores/evm-stores.js";

type Forwarded =
  | "apiKey"
  | "corsOrigins"
  | "dataDir"
  | "faults"
  | "host"
  | "published"
  | "publicUrl"
  | "latency"
  | "onRequest"
  | "onFailure";

/** Options of the development server beside a chain. */
export interface LocalServerOptions extends Pick<DevServerOptions, Forwarded> {
  /** Port of the development server; 0: any free port. */
  readonly hdpPort: number;
  /** Formats the samples or the profile behind a task's value for the dashboard. */
  readonly viewOf?: ((inspected: Explanation | InspectedModule) => RunView) | undefined;
}

/** A module task with its run, for the dashboard. */
export interface InspectedModule {
  readonly task: ModuleTask;
  readonly dryRun: ModuleDryRun;
  readonly profile: ModuleProfile | undefined;
}

/** Options of a chain node with the development server beside it. */
export interface LocalNodeOptions extends LocalServerOptions {
  /** Address on which the chain node listens; default as `hardhat node`: 127.0.0.1, in a container 0.0.0.0. */
  readonly hostname?: string | undefined;
  /** Port of the chain node; 0: any free port. */
  readonly port: number;
}

/** A running chain node with the development server beside it. */
export interface LocalNode {
  /** Address where the chain answers JSON-RPC. */
  readonly chainUrl: string;
  readonly server: DevServer;
  readonly executionStore: Address;
  readonly accounts: readonly Address[];
  close(): Promise<void>;
}

/**
 * Runs a chain node as `hardhat node` does, with an execution store, and the development server beside it.
 * @throws HdpError HDP-4501 for a port in use, HDP-51xx for an unusable data folder, HDP-6003 for invalid options
 */
export async function startLocalNode(
  hre: HardhatRuntimeEnvironment,
  options: LocalNodeOptions,
): Promise<LocalNode> {
  requirePort(options.hdpPort, "--hdp-port");
  requirePort(options.port, "--port");
  await requireFree(options.port);
  const { server, connection } = await chainServer(hre, options);
  const { address, port } = await server.listen();
  // 0.0.0.0 means that the node listens on all addresses; it cannot be reached there.
  const chainUrl = `http://${address === "0.0.0.0" ? "127.0.0.1" : address}:${port}`;
  try {
    const node = await serverBeside(connection, chainUrl, options);
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
 * Runs the development server beside a running chain node, with a mock execution store on it.
 * @throws HdpError HDP-6022 for a chain that is not a development chain, HDP-3002 or HDP-6024 for a configured store
 * that is not a mock, otherwise as {@link startLocalNode}
 */
export async function startServerBeside(
  connection: NetworkConnection<string>,
  options: LocalServerOptions,
): Promise<LocalNode> {
  const { networkConfig } = connection;
  requirePort(options.hdpPort, "--hdp-port");
  if (networkConfig.type !== "http")
    throw new Error("a chain in this process can't be reached by others");
  // A development node's address may hold secrets beside host and port, which must not be printed.
  const { origin } = new URL(await networkConfig.url.getUrl());
  return await serverBeside(connection, origin, options);
}

/** Runs the development server beside the chain node of a connection, which has a mock store from then on. */
async function serverBeside(
  connection: NetworkConnection<string>,
  chainUrl: string,
  { viewOf, hdpPort, latency = 0, published, ...options }: LocalServerOptions,
): Promise<LocalNode> {
  const session = Session.of(connection);
  const executionStore = await useMock(session);
  // Other processes connect to this chain over HTTP, and find its store by its genesis block.
  await session.part(EvmStores).share(true);
  const sources = session.part(ChainSources);
  const sink: ResultSink = {
    // After the last state of a batch.
    finalize: async (results, destination) => {
      await systemClock.sleep(latency * (BATCH_STATES.length - 1));
      return await finalizeWith(session, options.faults, results, destination);
    },
  };
  // What the project's own tests refuse as a service of an API version does, the server refuses too.
  const { edition } = session.config.local;
  const requireProvable = edition === "module-tasks";
  let processor: LocalDataProcessor | undefined;
  let modules: ModuleSources = {};
  const server = await startDevServer({
    ...options,
    published: { api: edition, ...published },
    port: hdpPort,
    latency,
    processor: ({ programs, tries }) => {
      modules = {
        stored: (programHash) => storedProgram(programs, programHash),
        unknown: notUploaded,
        ownStateServer: () => tries,
        requireProvable,
      };
      const runModule = sessionModuleRunner(session, modules);
      const options = { ...sources.options, sink, runModule, requireProvable };
      processor = new LocalDataProcessor(options);
      return processor;
    },
    providerFor: sources.options.providerFor,
    info: { chainUrl, executionStore, firstBlock: await session.genesisHash() },
    explain:
      viewOf && (async (task, signal) => viewOf(await inspected(task, session, signal, modules))),
  });
  return {
    chainUrl,
    server,
    executionStore,
    accounts: await session.accounts(),
    close: async () => {
      await server.close();
      processor?.close();
    },
  };
}

/** Maximum number of samples on the dashboard: a larger task is computed again by `hdp explain`. */
const MAX_SAMPLES = 10_000n;

/** Computes a task again. @throws HdpError HDP-4505 for a task with too many samples */
async function inspected(
  task: Task,
  session: Session,
  signal: AbortSignal,
  modules: ModuleSources,
): Promise<Explanation | InspectedModule> {
  const written = writtenTask(task);
  if (written.type === "DatalakeCompute") {
    const samples = visitedElements(written.datalake).count;
    if (samples > MAX_SAMPLES)
      throw hdpError("HDP-4505", { samples: grouped(samples), most: grouped(MAX_SAMPLES) });
    const { explained } = await import("./actions/inspection-actions.js");
    return await explained(task, session, signal);
  }
  let profile: ModuleProfile | undefined;
  const onProfile = (made: ModuleProfile): void => void (profile = made);
  const { runModuleTasks } = await import("./actions/program-actions.js");
  const [dryRun] = await runModuleTasks(
    [written],
    session,
    { signal, onProfile },
    { sources: modules },
  );
  if (dryRun === undefined) throw new TypeError("a module task was not run");
  return { task: written, dryRun, profile };
}

/**
 * Returns the mock that results go to: the one in use, or a new one in which all accounts of the node may finalize,
 * since other processes send from other accounts.
 * @throws as {@link startServerBeside}
 */
async function useMock(session: Session): Promise<Address> {
  const stores = session.part(EvmStores);
  const isConfigured = session.config.executionStore.address !== undefined;
  if (isConfigured) await stores.requireWritable();
  const existing =
    isConfigured || (await session.isDevelopment()) ? await stores.existing() : undefined;
  if (existing?.mock === true) return existing.address;
  return (await stores.deploy({ operators: await session.accounts() })).address;
}

/** Starts Hardhat's node server. Its connection, which the server creates itself, is taken from a hook. */
async function chainServer(
  hre: HardhatRuntimeEnvironment,
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
  // Without --network it is undefined, whatever its type says: `hardhat node` runs the network "node" then.
  const networkName = hre.globalOptions.network || "node";
  try {
    const server = await hre.network.createServer(networkName, hostname, port);
    const [connection] = made;
    if (connection === undefined) throw new Error("the chain server has no connection");
    return { server, connection };
  } finally {
    hre.hooks.unregisterHandlers("network", handlers);
  }
}

/** Returns a class that was uploaded. It is read when a run begins: many tasks may wait with large classes. */
function storedProgram(programs: ProgramStore, programHash: Hex): ModuleProgram | undefined {
  if (!programs.has(programHash)) return undefined;
  return {
    get compiledClassJson() {
      const json = programs.json(programHash);
      if (json === undefined) throw notUploaded(programHash);
      return json;
    },
  };
}

/** Returns the error for an unknown program, with the steps that a client of the server can take. */
function notUploaded(programHash: Hex): HdpError {
  return new HdpError({
    code: "HDP-4411",
    path: "programHash",
    message: `the compiled class of program ${programHash} is not known here, so it cannot be run.`,
    hints: ["Upload it to /submit-program of this server, and submit the task again."],
  });
}

function requirePort(port: number, path: string): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw notAllowed(port, "a port from 1 to 65535, or 0 for any that is free", { path });
}

/** Throws if a port is taken: Hardhat's server does not report it. */
async function requireFree(port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (cause) => {
      const remedy = "another port, such as --port 8555";
      const values = {
        server: "the chain node",
        place: `port ${port}`,
        reason: cause.message,
        remedy,
      };
      reject(hdpError("HDP-4501", values, { path: "--port", cause }));
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve()));
  });
}

/** Reads `--public-url`: its origin. @throws HdpError HDP-6003 */
export function publicUrlIn(text: string): string {
  const origin = corsOrigin(text.trim());
  if (origin !== undefined && origin !== "*") return origin;
  const allowed = "http:// or https:// with host, such as https://abc-8546.app.github.dev";
  throw notAllowed(text.trim(), "the address of this server", { path: "--public-url", allowed });
}

/** Reads the origins of `--cors`. @throws HdpError HDP-6003 */
export function originsIn(text: string): string[] {
  return text.split(",").map((item) => {
    const origin = corsOrigin(item.trim());
    if (origin !== undefined) return origin;
    const allowed =
      "http:// or https:// with host and port, such as http://localhost:3000; * for every page";
    throw notAllowed(item.trim(), "the origin of a web page", { path: "--cors", allowed });
  });
}

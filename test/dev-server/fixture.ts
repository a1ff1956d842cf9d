import type { Hex } from "viem";

import {
  LocalDataProcessor,
  startDevServer,
  type Eip1193Provider,
  type DevServer,
  type DevServerOptions,
  type ModuleRunner,
  type ResultSink,
} from "../../src/entries/local.js";
import {
  batchEdition,
  HttpClient,
  ModuleTasksClient,
  moduleTasksEdition,
  ProgramRegistryClient,
  RemoteDataProcessor,
  StorageProofClient,
  tasksEdition,
  type WireEdition,
} from "../../src/entries/service.js";
import {
  deployExecutionStoreMock,
  finalizeTasks,
  openExecutionStore,
} from "../../src/entries/store.js";
import { simulatedChain } from "../support/simulated-chain.js";
import { SMALL_CLASS } from "./small-class.js";

export const KEY = "sk_server-5Tq9";

/** The states of a batch, as published. */
export const BATCH_STATES = [
  "Opened",
  "ProofsFetched",
  "CachedMmrRoot",
  "PieSubmittedToProver",
  "FactRegisteredOnchain",
  "Finalized",
];

/** A chain with an execution store: what the servers of a test file share. */
export interface TestChain {
  readonly provider: Eip1193Provider;
  readonly store: Hex;
  readonly sink: ResultSink;
  readonly read: (taskHash: Hex) => Promise<bigint>;
}

/** Blocks 0 to 8 of `simulatedChain`, and the store's. */
export async function testChain(): Promise<TestChain> {
  const provider = await simulatedChain();
  const { address, from } = await deployExecutionStoreMock({ provider });
  const store = await openExecutionStore({ provider, address });
  return {
    provider,
    store: address,
    sink: {
      finalize: async (results) => ({
        store: address,
        ...(await finalizeTasks({ provider, store: address, from, results })),
      }),
    },
    read: async (taskHash) => (await store.readResult(taskHash)).value,
  };
}

export interface TestServer extends DevServer {
  readonly processor: LocalDataProcessor;
}

export type TestServerOptions = Partial<DevServerOptions> & { readonly runModule?: ModuleRunner };

/** A chain and a server over it for the tests of a `describe`: made before the first, closed after the last. */
export function served(options: TestServerOptions = {}): {
  readonly chain: TestChain;
  readonly server: TestServer;
} {
  let running: { readonly chain: TestChain; readonly server: TestServer } | undefined;
  before(async () => {
    const chain = await testChain();
    running = { chain, server: await testServer(chain, options) };
  });
  after(async () => {
    await running?.server.close();
  });
  const now = (): { readonly chain: TestChain; readonly server: TestServer } => {
    if (running === undefined) throw new Error("no test is running");
    return running;
  };
  return {
    get chain() {
      return now().chain;
    },
    get server() {
      return now().server;
    },
  };
}

/** A server over a chain; `close` ends its data processor too. */
export async function testServer(
  chain: TestChain,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const { runModule, ...server } = options;
  const providerFor = (): Eip1193Provider => chain.provider;
  const processor = new LocalDataProcessor({ providerFor, sink: chain.sink, runModule });
  const started = await startDevServer({ processor, providerFor, ...server });
  return {
    ...started,
    processor,
    close: async () => {
      await started.close();
      processor.close();
    },
  };
}

export interface Clients {
  readonly http: HttpClient;
  readonly remote: (edition: WireEdition) => RemoteDataProcessor;
  readonly tasks: RemoteDataProcessor;
  readonly batch: RemoteDataProcessor;
  readonly modules: RemoteDataProcessor;
  readonly moduleTasks: ModuleTasksClient;
  readonly registry: ProgramRegistryClient;
  readonly storageProof: StorageProofClient;
}

/** The package's own clients of all interfaces, against one base address. */
export function clients(url: string, key = KEY): Clients {
  const http = new HttpClient({
    service: "the development server",
    url,
    apiKey: () => Promise.resolve(key),
  });
  const remote = (edition: WireEdition): RemoteDataProcessor =>
    new RemoteDataProcessor({ http, edition });
  return {
    http,
    remote,
    tasks: remote(tasksEdition),
    batch: remote(batchEdition),
    modules: remote(
      moduleTasksEdition({ compiledClass: async () => await Promise.resolve(SMALL_CLASS) }),
    ),
    moduleTasks: new ModuleTasksClient(http),
    registry: new ProgramRegistryClient({ submit: http, metadata: http }),
    storageProof: new StorageProofClient(http),
  };
}

/** The body of a header task over blocks 0 to `end`. */
export function headerTask(end: number, field = "number", fn = "sum"): Record<string, unknown> {
  return {
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [
      {
        type: "DatalakeCompute",
        datalake: {
          type: "BlockSampled",
          chainId: "ETHEREUM_SEPOLIA",
          blockRangeStart: 0,
          blockRangeEnd: end,
          sampledProperty: `header.${field}`,
        },
        compute: { aggregateFnId: fn },
      },
    ],
  };
}

/** A node that answers nothing until it is ended: calls that wait would keep this process for their timeout. */
export function silentNode(): Eip1193Provider & { end(): void } {
  const waiting: ((error: Error) => void)[] = [];
  return {
    request: async () => await new Promise((_resolve, reject) => waiting.push(reject)),
    end: () => {
      for (const reject of waiting) reject(new Error("the node has ended"));
    },
  };
}

export interface RawReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  json(): unknown;
}

/** A request as any program may send it. */
export async function raw(url: string, init: RequestInit = {}): Promise<RawReply> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  return {
    status: response.status,
    text,
    headers: response.headers,
    json: () => JSON.parse(text) as unknown,
  };
}

/** A POST of JSON with the keys of all interfaces. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RawReply> {
  return await raw(url, {
    method: "POST",
    headers: { "content-type": "application/json", "X-API-KEY": KEY, "api-key": KEY, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

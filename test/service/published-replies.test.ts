import { join } from "node:path";

import { expect } from "chai";

import { keysOf } from "../../src/base/collections.js";
import { toWord } from "../../src/base/hex.js";
import {
  HttpClient,
  ModuleRegistryClient,
  ModuleTasksClient,
  moduleTasksEdition,
  RemoteDataProcessor,
  StorageProofClient,
} from "../../src/entries/service.js";
import { isHdpError, type TaskRequest } from "../../src/entries/request.js";
import {
  type EndpointRow,
  ENDPOINTS,
  type PublishedEndpoint,
} from "../../src/service/endpoints.js";
import { IndexerClient } from "../../src/service/indexer.js";
import { LoginClient } from "../../src/service/login/login-client.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "../dev-server/small-class.js";
import { rejection } from "../support/failure.js";
import { root } from "../support/hardhat-cli.js";
import { httpServer, type OddServer, type SeenRequest, sendJson } from "../support/odd-servers.js";

const ID = "01JPJ03YJT1A93D6NF56G4GVEQ";
const AT = "2025-11-03T09:12:44.301Z";
const HASH = `0x${"1f".repeat(32)}` as const;
const WALLET = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/** Members that the list and the details have in common, in the forms of the published pages. */
const RECORD = {
  status: "TaskDecommitmentCompleted",
  destinationChainId: "11155111",
  scheduleMode: "onchain",
  scheduleTxHash: HASH,
  dataSourceChains: ["0xaa36a7"],
  dataDestinationChain: "0xaa36a7",
  hdpCoreProgramHash: "0x1",
  taskHash: HASH,
  programHash: "0x2",
  programName: "average",
  outputTreeRoot: HASH,
  createdAt: AT,
  updatedAt: AT,
};
const EMPTY = {
  ...RECORD,
  status: "Received",
  scheduleMode: null,
  scheduleTxHash: null,
  dataSourceChains: null,
  dataDestinationChain: null,
  hdpCoreProgramHash: null,
  taskHash: null,
  programHash: null,
  programName: null,
  outputTreeRoot: null,
};
const MMR = {
  id: "0x1",
  root: "0x5",
  size: "10",
  chain_id: "0xaa36a7",
  hashing_function: "keccak",
};
const TRANSITION = { id: "t", task_id: ID, created_at: AT };
const MODULE = {
  id: ID,
  latestModuleVersionProgramHash: "0x2",
  compilerVersion: "2.12.3",
  name: "average",
  description: null,
  usageCount: 0,
  tags: ["a", "b"],
  downloadsCount: 1,
  usersCount: 2,
  isVerified: false,
  publishedOnMarketplace: true,
  creatorUser: null,
  license: null,
  abi: null,
  sourceCode: null,
  scarbToml: null,
  createdAt: AT,
  updatedAt: AT,
};
const VERSION = {
  hash: "0x2",
  moduleRegistryId: ID,
  storageType: "s3",
  version: "1.0.0",
  versionChangelog: null,
  s3Key: "k",
  createdAt: AT,
  updatedAt: AT,
};
const SESSION = {
  accessToken: "access-token",
  refreshToken: "refresh-token",
  expiresAt: 1_790_000_000,
  selectedProject: ID,
};
const KEYS = { data: [{ apiKey: "project-key", name: "default" }] };
const UNKNOWN_TASK = { error: "Task not found", taskId: ID };
const UNKNOWN_MODULE = { error: "Module not found" };
const NO_KEY = { error: "Missing Herodotus Cloud X-API-KEY header" };
const REQUEST: TaskRequest = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [{ type: "Module", programHash: SMALL_CLASS_HASH, inputs: [] }],
};
const RUN = { destinationChainId: "ETHEREUM_SEPOLIA", queryId: ID } as const;

interface Clients {
  readonly processor: RemoteDataProcessor;
  readonly tasks: ModuleTasksClient;
  readonly registry: ModuleRegistryClient;
  readonly proofs: StorageProofClient;
  readonly indexer: IndexerClient;
  readonly login: LoginClient;
}

/** A reply as it is published, what is asked for it, and what the client makes of it. */
interface Recorded {
  readonly status: number;
  readonly body: unknown;
  readonly ask: (clients: Clients) => Promise<unknown>;
  /** What the client returns. */
  readonly gives?: unknown;
  /** Kind and words of the failure that it throws. */
  readonly fails?: readonly [kind: string, words: string];
  /** Query of the call. */
  readonly query?: string;
  /** The body of the reply to the call after it. */
  readonly then?: unknown;
  /** How many calls are made before the one that is looked at. */
  readonly at?: number;
}

const submit = async ({ processor }: Clients) => (await processor.submit(REQUEST)).id;
const status = async ({ processor }: Clients) => {
  const { name, phase, detail } = await processor.status({ id: ID });
  return [name, phase, detail];
};
const list = async ({ tasks }: Clients) =>
  await tasks.list({ page: 2, perPage: 5, search: "average" });
const details = async ({ tasks }: Clients) => await tasks.details(ID);
const mmrs = async ({ tasks }: Clients) => await tasks.mmrs(ID);
const preimage = async ({ tasks }: Clients) => await tasks.outputPreimage(ID);
const transitions = async ({ tasks }: Clients) => await tasks.stateTransitions(ID);
const retry = async ({ tasks }: Clients) => await tasks.retry(ID);
const logIn = async ({ login }: Clients) =>
  await login.apiKey({ wallet: WALLET, challengeToken: "challenge-token", signature: HASH });
const upload = async ({ registry }: Clients) =>
  await registry.upload({ path: CLASS }, { name: "average", version: "1.0.0" });
const CLASS = join(root, "test/plugin/compiled/plain_sum_Module.compiled_contract_class.json");

const unknownTask = {
  status: 404,
  body: UNKNOWN_TASK,
  fails: ["not-found", "Task not found"],
} as const;
const unknownModule = { status: 404, body: UNKNOWN_MODULE, fails: ["not-found", ID] } as const;
const withoutKey = {
  status: 401,
  body: NO_KEY,
  fails: ["authentication", "Missing Herodotus"],
} as const;
const broken = {
  status: 500,
  body: { error: "Internal Server Error" },
  fails: ["service-error", "Internal Server Error"],
} as const;
/** A reply whose record is returned as it is. */
const same = (body: unknown) => ({ status: 200, body, gives: body });

/** Calls of today's service: the retired ones and those of the specification and of state servers are not on its pages. */
type Call = Exclude<
  PublishedEndpoint,
  | "POST /submit-batch"
  | "GET /batch-query/{batchId}"
  | "POST /submit-program"
  | "GET /get-metadata"
  | "GET /get-program"
  | "POST /create_trie"
  | "GET /read"
  | "POST /write"
  | "POST /get_state_proofs"
  | "GET /get_trie_root_node_idx"
>;

/**
 * Replies in the forms of the pages read on 2026-11-27, made up in their values: no call was made to the service. A reply
 * that no page shows is a row of its own, "unpublished".
 */
const RECORDED: Readonly<Record<Call, Readonly<Record<string, Recorded>>>> = {
  "POST /tasks": {
    "200 with a status": {
      status: 200,
      body: { message: "Task accepted", status: "accepted", uuid: ID },
      ask: submit,
      gives: ID,
    },
    "200 without a status": {
      status: 200,
      body: { message: "Task accepted", uuid: ID },
      ask: submit,
      gives: ID,
    },
    "400": {
      status: 400,
      body: { error: "Invalid request" },
      ask: submit,
      fails: ["validation", "Invalid request"],
    },
    "401": { ...withoutKey, ask: submit },
    "429": {
      status: 429,
      body: { error: "Too many requests" },
      ask: submit,
      fails: ["rate-limited", "Too many requests"],
    },
    "500": {
      status: 500,
      body: { error: "Internal Server Error" },
      ask: submit,
      fails: ["outcome-unknown", "Internal Server Error"],
    },
  },
  "GET /tasks/{uuid}/status": {
    "200": {
      status: 200,
      body: { taskId: ID, status: "TraceGenStarted", errorMessage: null, updatedAt: AT },
      ask: status,
      gives: ["TraceGenStarted", "pending", undefined],
    },
    "200 of a failure": {
      status: 200,
      body: { taskId: ID, status: "DryRunFailed", errorMessage: "panicked", updatedAt: AT },
      ask: status,
      gives: ["DryRunFailed", "failed", "panicked"],
    },
    "404": { ...unknownTask, ask: status },
    "500": { ...broken, ask: status },
  },
  "GET /tasks": {
    "200": {
      ...same({
        tasks: [RECORD, EMPTY].map((one) => ({ uuid: ID, contractClassHash: null, ...one })),
        pagination: { page: 2, perPage: 5, total: 7, totalPages: 2 },
      }),
      ask: list,
      query: "hdp_tasks_page=2&hdp_tasks_per_page=5&hdp_tasks_search=average",
    },
  },
  "GET /tasks/{uuid}/details": {
    "200": {
      ask: details,
      ...same({
        taskId: ID,
        ...RECORD,
        outputTreeRootPreimage: ["0x7"],
        taskInputs: ["0x1"],
        mmrs: [MMR],
      }),
    },
    "200 with null": {
      ask: details,
      ...same({ taskId: ID, ...EMPTY, outputTreeRootPreimage: null, taskInputs: null, mmrs: [] }),
    },
    "404": { ...unknownTask, ask: details },
  },
  "GET /tasks/{uuid}/mmrs": {
    "200": { ...same({ taskId: ID, mmrs: [MMR] }), ask: mmrs },
    "404": { ...unknownTask, ask: mmrs },
    "500": {
      status: 500,
      body: { error: "Server error", message: "Failed to decode MMR metadata" },
      ask: mmrs,
      fails: ["service-error", "Failed to decode MMR metadata"],
    },
  },
  "GET /tasks/{uuid}/output_preimage": {
    "200": { ...same({ taskId: ID, outputPreimage: ["0x7", "0x8"] }), ask: preimage },
    "200 with null": { ...same({ taskId: ID, outputPreimage: null }), ask: preimage },
    "404": { ...unknownTask, ask: preimage },
  },
  "GET /tasks/{uuid}/state_transitions": {
    "200": {
      ...same({
        taskId: ID,
        state_transitions: [
          { ...TRANSITION, from_status: null, to_status: "Received" },
          { ...TRANSITION, from_status: "Received", to_status: "DryRunStarted" },
        ],
      }),
      ask: transitions,
    },
    "404": { ...unknownTask, ask: transitions },
  },
  "POST /tasks/{uuid}/retry": {
    "200": {
      status: 200,
      body: { message: "Task has been queued for retry", status: "accepted", uuid: ID },
      ask: async (clients) => (await retry(clients)).uuid,
      gives: ID,
    },
    "404 with uuid": {
      status: 404,
      body: { error: "Task not found", uuid: ID },
      ask: retry,
      fails: ["not-found", "Task not found"],
    },
    "400": {
      status: 400,
      body: { error: "Cannot retry decommitment", details: "no results" },
      ask: retry,
      fails: ["validation", "Cannot retry decommitment: no results"],
    },
    "401": { ...withoutKey, ask: retry },
  },
  "POST /tasks/decommitment": {
    "unpublished, without an id": {
      status: 200,
      body: { message: "queued" },
      ask: async ({ tasks }) => await tasks.decommit(RUN),
      gives: { uuid: undefined, raw: { message: "queued" } },
    },
    "unpublished, with an id": {
      status: 200,
      body: { uuid: "u" },
      ask: async ({ tasks }) => await tasks.decommit(RUN),
      gives: { uuid: "u", raw: { uuid: "u" } },
    },
  },
  "GET /is-alive": {
    "200 of the data processor": {
      ...same({ status: "healthy", database: "operational", queues: "operational" }),
      ask: async ({ tasks }) => await tasks.health(),
    },
    "503 of the data processor": {
      ...same({ status: "unhealthy", database: "operational", queues: "down" }),
      status: 503,
      ask: async ({ tasks }) => await tasks.health(),
    },
    "200 of storage proofs": {
      ...same({ message: "Alive!" }),
      ask: async ({ proofs }) => await proofs.isAlive(),
    },
  },
  "POST /modules/upload": {
    "201": {
      status: 201,
      body: {
        id: ID,
        programHash: "0x2",
        compilerVersion: "2.12.3",
        createdAt: AT,
        message: "Module uploaded successfully",
      },
      ask: async (clients) => (await upload(clients)).programHash,
      gives: "0x2",
    },
    "400": {
      status: 400,
      body: { error: "Version 1.0.0 already exists for this module" },
      ask: upload,
      fails: ["validation", "Version 1.0.0 already exists"],
    },
    "401": { ...withoutKey, ask: upload },
  },
  "GET /modules": {
    "200": {
      status: 200,
      body: { modules: [MODULE] },
      gives: [MODULE],
      query: "marketplace=true",
      ask: async ({ registry }) => await registry.list({ marketplace: true }),
    },
  },
  "GET /modules/{id}": {
    "200": { ...same(MODULE), ask: async ({ registry }) => await registry.get(ID) },
    "404": { ...unknownModule, ask: async ({ registry }) => await registry.get(ID) },
  },
  "PATCH /modules/{id}": {
    "200": { ...same(MODULE), ask: async ({ registry }) => await registry.update(ID, {}) },
    "404": { ...unknownModule, ask: async ({ registry }) => await registry.update(ID, {}) },
    "401": { ...withoutKey, ask: async ({ registry }) => await registry.update(ID, {}) },
  },
  "GET /modules/{id}/versions": {
    "200": { ...same([VERSION]), ask: async ({ registry }) => await registry.versions(ID) },
    "404": { ...unknownModule, ask: async ({ registry }) => await registry.versions(ID) },
  },
  "POST /modules/{id}/publish": {
    unpublished: { ...same({ any: 1 }), ask: async ({ registry }) => await registry.publish(ID) },
  },
  "POST /modules/{id}/unpublish": {
    "200": {
      ...same({ message: "Module unpublished from marketplace" }),
      ask: async ({ registry }) => await registry.unpublish(ID),
    },
    "404": { ...unknownModule, ask: async ({ registry }) => await registry.unpublish(ID) },
    "401": { ...withoutKey, ask: async ({ registry }) => await registry.unpublish(ID) },
  },
  "POST /submit-request": {
    "200": {
      ...same({ status: "OK", request_id: "r1" }),
      ask: async ({ proofs }) => await proofs.submitRequest({ any: 1 }),
    },
  },
  "GET /get_queries/{request_id}": {
    "200": {
      ...same({
        queries: [
          { internal_id: ID, status: "COMPLETED", typ: "HEADER", created_at: AT, completed_at: AT },
        ],
      }),
      ask: async ({ proofs }) => await proofs.getQueries(ID),
    },
  },
  "GET /get_actions/{query_id}": {
    "200, whose members are unpublished": {
      ...same({ actions: [{ any: 1 }] }),
      ask: async ({ proofs }) => await proofs.getActions(ID),
    },
  },
  "GET /grow-orders": {
    unpublished: { ...same([1]), ask: async ({ proofs }) => await proofs.growOrders() },
  },
  "POST /grow-orders": {
    unpublished: {
      ...same({ any: 1 }),
      ask: async ({ proofs }) => await proofs.createGrowOrder({}),
    },
  },
  "GET /grow-orders/{id}": {
    unpublished: { ...same({ any: 1 }), ask: async ({ proofs }) => await proofs.growOrder(ID) },
  },
  "POST /grow-orders/{id}/cancel": {
    unpublished: {
      ...same({ any: 1 }),
      ask: async ({ proofs }) => await proofs.cancelGrowOrder(ID),
    },
  },
  "GET /block-ranges/get-all-ranges-accumulated-per-chain": {
    "200": {
      status: 200,
      body: { 1: { 1: { keccak: [[2, 5]], poseidon: [[1, 9]] } } },
      ask: async ({ indexer }) => (await indexer.ranges())(1n, 1n),
      gives: [
        { first: 1n, last: 9n },
        { first: 2n, last: 5n },
      ],
    },
  },
  "GET /auth/web3/challenge": {
    "200": {
      ...same({
        challengeToken: "challenge-token",
        nonce: "n",
        issuedAt: AT,
        expiresAt: AT,
        statement: "Log in.",
        eip712: {
          domain: { name: "Herodotus" },
          primaryType: "Login",
          message: { nonce: "n" },
          types: { Login: [{ name: "nonce", type: "string" }] },
        },
      }),
      ask: async ({ login }) => await login.challenge(WALLET),
      query: `wallet=${WALLET}`,
    },
  },
  "POST /auth/web3/session": {
    "200": { status: 200, body: SESSION, then: KEYS, ask: logIn, gives: "project-key" },
  },
  "GET /api-keys": {
    "200": {
      status: 200,
      body: SESSION,
      then: KEYS,
      ask: logIn,
      gives: "project-key",
      at: 1,
      query: `projectId=${ID}&limit=10&offset=0`,
    },
  },
};

/** What the pages show of each call: how many replies, by the status. */
const PAGES: Readonly<Record<Call, readonly string[]>> = {
  "POST /tasks": ["200", "200", "400", "401", "429", "500"],
  "GET /tasks/{uuid}/status": ["200", "200", "404", "500"],
  "GET /tasks": ["200"],
  "GET /tasks/{uuid}/details": ["200", "200", "404"],
  "GET /tasks/{uuid}/mmrs": ["200", "404", "500"],
  "GET /tasks/{uuid}/output_preimage": ["200", "200", "404"],
  "GET /tasks/{uuid}/state_transitions": ["200", "404"],
  "POST /tasks/{uuid}/retry": ["200", "400", "401", "404"],
  "POST /tasks/decommitment": ["unpublished", "unpublished"],
  "GET /is-alive": ["200", "200", "503"],
  "POST /modules/upload": ["201", "400", "401"],
  "GET /modules": ["200"],
  "GET /modules/{id}": ["200", "404"],
  "PATCH /modules/{id}": ["200", "401", "404"],
  "GET /modules/{id}/versions": ["200", "404"],
  "POST /modules/{id}/publish": ["unpublished"],
  "POST /modules/{id}/unpublish": ["200", "401", "404"],
  "POST /submit-request": ["200"],
  "GET /get_queries/{request_id}": ["200"],
  "GET /get_actions/{query_id}": ["200"],
  "GET /grow-orders": ["unpublished"],
  "POST /grow-orders": ["unpublished"],
  "GET /grow-orders/{id}": ["unpublished"],
  "POST /grow-orders/{id}/cancel": ["unpublished"],
  "GET /block-ranges/get-all-ranges-accumulated-per-chain": ["200"],
  "GET /auth/web3/challenge": ["200"],
  "POST /auth/web3/session": ["200"],
  "GET /api-keys": ["200"],
};

/** The status of a recorded reply, or "unpublished", as PAGES lists it. */
const shownAs = (name: string): string => name.split(/[ ,]/, 1)[0] ?? "";

/** Checks method, path, query and key of a call. */
function requireCall(call: Call, seen: SeenRequest | undefined, query: string | undefined): void {
  const { key, keyNeeded }: EndpointRow = ENDPOINTS[call];
  const [method, path = ""] = call.split(" ");
  const asked = new URL(seen?.url ?? "", "http://service");
  expect(seen?.method).to.equal(method);
  expect(asked.pathname).to.equal(path.replace(/\{\w+\}/, ID));
  if (query !== undefined) expect(asked.search).to.equal(`?${query}`);
  if (key?.in !== "header" || key.name === "authorization") return;
  const sent = keyNeeded === "always" ? "key" : undefined;
  expect(seen?.headers[key.name.toLowerCase()]).to.equal(sent);
}

describe("replies of the published pages", () => {
  let server: OddServer;
  /** The replies to come; the last one is given to every further call. */
  let answers: (readonly [status: number, body: unknown])[];
  let clients: Clients;

  before(async () => {
    server = await httpServer((_, response) => {
      const [next = [500, {}]] = answers.length > 1 ? answers.splice(0, 1) : answers;
      sendJson(response, ...next);
    });
    const apiKey = async (): Promise<string> => await Promise.resolve("key");
    const options = { url: server.url, retry: { attempts: 1 } };
    const http = (): HttpClient => new HttpClient({ ...options, service: "the service", apiKey });
    const edition = moduleTasksEdition({ compiledClass: () => Promise.resolve(SMALL_CLASS) });
    clients = {
      processor: new RemoteDataProcessor({ http: http(), edition }),
      tasks: new ModuleTasksClient(http()),
      registry: new ModuleRegistryClient(http()),
      proofs: new StorageProofClient(http()),
      indexer: new IndexerClient(http()),
      login: new LoginClient(options),
    };
  });
  after(async () => {
    await server.close();
  });

  it("cover each call, one by one", () => {
    for (const call of keysOf(PAGES)) {
      const recorded = Object.keys(RECORDED[call]).map(shownAs);
      expect(recorded.toSorted(), call).to.deep.equal(PAGES[call].toSorted());
    }
    expect(Object.keys(RECORDED).toSorted()).to.deep.equal(Object.keys(PAGES).toSorted());
  });

  for (const call of keysOf(RECORDED)) {
    for (const [
      name,
      { status: code, body, ask, gives, fails, query, then, at = 0 },
    ] of Object.entries(RECORDED[call])) {
      it(`${call}: ${name}`, async () => {
        const before = server.seen.length;
        answers = [[code, body], ...(then === undefined ? [] : [[code, then] as const])];
        if (fails === undefined) expect(await ask(clients)).to.deep.equal(gives);
        else {
          const error = await rejection(ask(clients));
          const [kind, words] = fails;
          expect(isHdpError(error) && "kind" in error ? error.kind : error, String(error)).to.equal(
            kind,
          );
          expect(String(error)).to.include(words);
        }
        requireCall(call, server.seen[before + at], query);
      });
    }
  }

  it("to a decommitment follow a body with both halves of each word", async () => {
    answers = [[200, { uuid: "u" }]];
    const mmr = {
      id: "0x1",
      size: 10n,
      chainId: 11155111n,
      root: "0x5",
      hash: "poseidon",
    } as const;
    const [taskHash, treeRoot] = [toWord((1n << 128n) + 2n), toWord(3n)];
    const output = { taskHash, root: treeRoot, mmrs: [mmr] };
    await clients.tasks.decommit({ ...RUN, output, programHash: "0x9" });
    expect(JSON.parse(server.seen.at(-1)?.body ?? "")).to.deep.equal({
      destination_chain_id: "0xaa36a7",
      atlantic_query_id: ID,
      program_hash: "0x9",
      hdp_output: {
        task_hash_low: "0x2",
        task_hash_high: "0x1",
        output_tree_root_low: "0x3",
        output_tree_root_high: "0x0",
        mmr_metas: [{ Poseidon: { id: "0x1", size: "0xa", chain_id: "0xaa36a7", root: "0x5" } }],
      },
    });
  });
});

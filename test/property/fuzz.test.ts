import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import fc from "fast-check";

import {
  decodeInputs,
  encodeArguments,
  parseSierraAbi,
  parseCompiledClass,
  parseCompiledClassText,
  programHash,
} from "../../src/entries/program.js";
import {
  isHdpError,
  parseTaskRequest,
  parseTaskRequestText,
  toTaskRequestJson,
  taskHash,
} from "../../src/entries/request.js";
import { validateHdpConfig } from "../../src/plugin/config/validate.js";
import { mainFunction } from "../../src/program/abi/abi.js";
import { mulberry32 } from "../../src/submission/backend/faults/chaos.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import {
  batchEdition,
  HttpClient,
  ModuleTasksClient,
  moduleTasksEdition,
  ProgramRegistryClient,
  RemoteDataProcessor,
  StorageProofClient,
  tasksEdition,
} from "../../src/entries/service.js";
import { ALL_TYPES, blockTask, request, transactionTask } from "../request/documents.js";
import { abiWith, compiledJson, sierraJson } from "../program/classes.js";
import { mutatedText, mutatedValue } from "../support/mutate.js";
import { hashOf, requestOf, World } from "../submission/world.js";
import { httpServer, type OddServer } from "../support/odd-servers.js";
import { root } from "../support/hardhat-cli.js";

/** Mutations for each parser: HDP_FUZZ=100000 for a long run. A failure names its seed. */
const RUNS = Number(process.env["HDP_FUZZ"] ?? 150);
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

/** The parser takes it, or says with a number what is wrong. */
function parses<T>(parse: () => T): { readonly value: T } | { readonly code: string } {
  try {
    return { value: parse() };
  } catch (error) {
    if (isHdpError(error)) return { code: error.code };
    throw error;
  }
}

function fuzz(property: (seed: number) => boolean): void {
  let accepted = 0;
  fc.assert(
    fc.property(seeds, (seed) => {
      if (property(seed)) accepted += 1;
    }),
    { numRuns: RUNS },
  );
  // A fuzzer whose every input is accepted, or refused at once, looks at nothing.
  expect(accepted).to.be.lessThan(RUNS);
}

const module = {
  type: "Module",
  programHash: "0x1af",
  inputs: [{ visibility: "public", value: "0x1" }],
};
const REQUEST = request(
  blockTask(
    { sampledProperty: "storage.0x7f2C6f930306D3AA736B3A6C6A98f512F74036D4.0x1" },
    { aggregateFnId: "avg" },
  ),
  blockTask(
    { increment: 2 },
    { aggregateFnId: "count", aggregateFnCtx: { operator: "gt", valueToCompare: "7" } },
  ),
  transactionTask({ includedTypes: ALL_TYPES }),
  module,
);
const EXAMPLE = join(root, "examples", "module-balance", "tasks");

describe("fuzzing: every parser takes its input or throws an HdpError", function () {
  this.timeout(20_000 + RUNS * 200);

  it("task requests, as text and as values; what is taken is hashed and written again", () => {
    for (const parse of [
      (seed: number) => parseTaskRequestText(mutatedText(REQUEST, seed)),
      (seed: number) => parseTaskRequest(mutatedValue(REQUEST, seed)),
    ]) {
      fuzz((seed) => {
        const parsed = parses(() => parse(seed));
        if (!("value" in parsed)) return false;
        const hashes = parsed.value.tasks.map((task) => taskHash(task));
        const again = parseTaskRequest(JSON.parse(JSON.stringify(toTaskRequestJson(parsed.value))));
        expect(again.tasks.map((task) => taskHash(task))).to.deep.equal(hashes);
        return true;
      });
    }
  });

  it("compiled classes; what is taken is hashed", () => {
    fuzz(
      (seed) =>
        "value" in
        parses(() => programHash(parseCompiledClass(mutatedValue(compiledJson(), seed)))),
    );
    fuzz(
      (seed) => "value" in parses(() => parseCompiledClassText(mutatedText(compiledJson(), seed))),
    );
  });

  it("Sierra ABIs; with what is taken, arguments are encoded and decoded", () => {
    const struct = {
      type: "struct",
      name: "a::Point",
      members: [{ name: "x", type: "core::felt252" }],
    } as const;
    const abi = abiWith(
      {
        point: "a::Point",
        words: "core::array::Array::<core::integer::u256>",
        name: "core::byte_array::ByteArray",
      },
      [struct],
      "core::integer::u64",
    );
    const values = { point: { x: 1n }, words: [2n, 3n], name: "text" };
    fuzz((seed) => {
      const parsed = parses(() => parseSierraAbi(mutatedValue(sierraJson(abi), seed)));
      if (!("value" in parsed)) return false;
      parses(() => mainFunction(parsed.value));
      const encoded = parses(() => encodeArguments(parsed.value, values));
      if ("value" in encoded)
        expect("value" in parses(() => decodeInputs(parsed.value, encoded.value))).to.equal(true);
      return "value" in encoded;
    });
    fuzz(
      (seed) =>
        "value" in
        parses(() =>
          encodeArguments(abi, mutatedValue({ point: { x: 1 }, words: [2], name: "a" }, seed)),
        ),
    );
  });

  it("databases of submissions: what is read is whole, and damage is said", async () => {
    const world = await World.create();
    const submissions = world.process();
    for (const block of [1, 2, 3]) await submissions.submit(requestOf(block));
    world.store.put(hashOf(1), 7n);
    world.service.states.set("task-1", { name: "FINALIZED", phase: "finalized" });
    await (await submissions.finish(submissions.find("task-1"))).results();
    const bytes = readFileSync(world.path);
    const damaged = join(world.folder, "damaged.db");
    fuzz((seed) => {
      const random = mulberry32(seed);
      const copy = Buffer.from(bytes);
      for (let count = random() * 8; count > 0; count -= 1)
        copy[Math.floor(random() * copy.length)] = random() * 256;
      writeFileSync(damaged, copy);
      const store = new SubmissionStore({ path: damaged, now: Date.now });
      const read = parses(() =>
        store.list().map(({ explanation, history, request }) => [explanation, history, request]),
      );
      store.close();
      if (!("value" in read)) expect(read.code).to.match(/^HDP-510[25]$/);
      return "value" in read;
    });
    await world.remove();
  });

  it("configuration: errors with a path, never an exception", () => {
    const config = {
      hdp: {
        dataProcessor: { url: "https://hdp.example.org", apiKey: "key", edition: "tasks" },
        chains: { ETHEREUM_SEPOLIA: "sepolia" },
        starknet: { SN_SEPOLIA: { rpcUrl: "https://rpc.example.org", executionStore: "0x1" } },
        executionStore: { address: `0x${"11".repeat(20)}`, kind: "auto" },
        local: { prove: "require", concurrency: 4 },
        timeouts: { request: 1000, await: 2000 },
        dataDir: "hdp",
      },
      networks: {
        sepolia: { type: "http", url: "https://rpc.example.org", hdp: { dataProcessor: "local" } },
      },
    };
    fuzz((seed) => {
      const hdp = mutatedValue(config.hdp, seed);
      const networks = mutatedValue(config.networks.sepolia.hdp, seed);
      const changed = {
        ...config,
        hdp,
        networks: { sepolia: { ...config.networks.sepolia, hdp: networks } },
      };
      const errors = validateHdpConfig(changed as never);
      for (const { path, message } of errors) {
        expect(path.length, message).to.be.greaterThan(0);
        expect(message).not.to.equal("");
      }
      return errors.length === 0;
    });
  });

  it("recorded task files of the example", () => {
    const text = readFileSync(join(EXAMPLE, "balance.json"), "utf8");
    const document: unknown = JSON.parse(text);
    fuzz((seed) => "value" in parses(() => parseTaskRequestText(mutatedText(document, seed))));
  });
});

describe("fuzzing: replies of services", function () {
  this.timeout(20_000 + RUNS * 200);
  let server: OddServer;
  let reply = "";
  before(async () => {
    server = await httpServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(reply);
    });
  });
  after(async () => {
    await server.close();
  });

  const http = (): HttpClient =>
    new HttpClient({
      service: "the service",
      url: server.url,
      apiKey: async () => await Promise.resolve("key"),
    });
  const hash = hashOf(1);
  const submission = { id: "a" };
  const SUBMIT = requestOf(1);
  const task = {
    uuid: "a",
    status: "Received",
    taskHash: hash,
    programHash: "0x1",
    destinationChainId: "11155111",
    createdAt: "2026",
    updatedAt: "2026",
  };
  const compiledClass = async () =>
    await Promise.resolve({
      prime: "0x1",
      compiler_version: "2",
      bytecode: [],
      hints: [],
      entry_points_by_type: {},
    });
  const calls: readonly { name: string; reply: unknown; call: () => Promise<unknown> }[] = [
    ...[tasksEdition, batchEdition, moduleTasksEdition({ compiledClass })].flatMap((edition) => [
      {
        name: `${edition.name}: submit`,
        reply: {
          uuid: "a",
          batchId: "b",
          taskHashes: [hash],
          status: "accepted",
          message: "queued",
        },
        call: async () =>
          await new RemoteDataProcessor({ http: http(), edition }).submit(
            edition.name === "module-tasks"
              ? {
                  destinationChainId: "ETHEREUM_SEPOLIA",
                  tasks: [{ type: "Module", programHash: "0x1", inputs: [] }],
                }
              : SUBMIT,
          ),
      },
      {
        name: `${edition.name}: status`,
        reply: {
          taskId: "a",
          status: "RECEIVED",
          errorMessage: null,
          updatedAt: "2026",
          dataProcessorQuery: { status: "DONE" },
        },
        call: async () =>
          await new RemoteDataProcessor({ http: http(), edition }).status(submission),
      },
    ]),
    {
      name: "module tasks: list",
      reply: { tasks: [task], pagination: { page: 1, perPage: 10, total: 1, totalPages: 1 } },
      call: async () => await new ModuleTasksClient(http()).list(),
    },
    {
      name: "module tasks: details",
      reply: { taskId: "a", ...task, taskInputs: [], mmrs: [] },
      call: async () => await new ModuleTasksClient(http()).details("a"),
    },
    {
      name: "storage proofs: queries",
      reply: { queries: [{ internal_id: "a", status: "COMPLETED", typ: "x" }] },
      call: async () => await new StorageProofClient(http()).getQueries("a"),
    },
    {
      name: "program registry: metadata",
      reply: { layout: "starknet", version: 1 },
      call: async () =>
        await new ProgramRegistryClient({ submit: http(), metadata: http() }).metadata("0x1"),
    },
  ];
  for (const { name, reply: valid, call } of calls) {
    it(name, async () => {
      reply = JSON.stringify(valid);
      await call();
      await fc.assert(
        fc.asyncProperty(seeds, async (seed) => {
          reply = mutatedText(valid, seed);
          await call().catch((error: unknown) => {
            if (!isHdpError(error)) throw error;
          });
        }),
        { numRuns: Math.ceil(RUNS / 8) },
      );
    });
  }
});

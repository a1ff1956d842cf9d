import { expect } from "chai";

import { isHdpError, type TaskRequest } from "../../src/entries/request.js";
import {
  batchEdition,
  HttpClient,
  isServiceFailure,
  moduleTasksEdition,
  RemoteDataProcessor,
  tasksEdition,
  type WireEdition,
} from "../../src/entries/service.js";
import { SMALL_CLASS, SMALL_CLASS_HASH } from "../dev-server/small-class.js";
import { testChain, testServer } from "../dev-server/fixture.js";
import { rejection } from "../support/failure.js";
import { httpServer, type OddServer, sendJson } from "../support/odd-servers.js";
import {
  KEY_VARIABLE,
  remoteNetwork,
  removeProject,
  testProject,
} from "../support/remote-project.js";
import { datalakeHash, datalakeRequest, KEY } from "../support/service-requests.js";
import { SERVICE_KEY } from "../support/service-server.js";

const MODULE: TaskRequest = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [{ type: "Module", programHash: SMALL_CLASS_HASH, inputs: [] }],
};
const EDITIONS = {
  tasks: tasksEdition,
  batch: batchEdition,
  "module-tasks": moduleTasksEdition({
    compiledClass: async () => await Promise.resolve(SMALL_CLASS),
  }),
} satisfies Readonly<Record<string, WireEdition>>;
type Name = keyof typeof EDITIONS;

describe("a service of another API version", () => {
  let server: OddServer;
  let answer: readonly [status: number, body: unknown];

  before(async () => {
    server = await httpServer((_, response) => {
      sendJson(response, ...answer);
    });
  });
  after(async () => {
    await server.close();
  });
  const submit = async (name: Name, url = server.url): Promise<unknown> => {
    const http = new HttpClient({
      service: "the data processor",
      url,
      retry: { attempts: 1 },
      apiKey: async () => await Promise.resolve(KEY),
    });
    return await new RemoteDataProcessor({ http, edition: EDITIONS[name] }).submit(MODULE);
  };

  for (const [configured, api, line] of [
    ["tasks", "module-tasks", 'edition: "module-tasks"'],
    ["module-tasks", "tasks", 'edition: "tasks"'],
    ["batch", "module-tasks", 'edition: "module-tasks", or edition: "tasks"'],
    ["batch", "tasks", 'edition: "module-tasks", or edition: "tasks"'],
  ] as const) {
    it(`shows in the refusal of a development server that serves ${api} to ${configured}`, async () => {
      const strict = await testServer(await testChain(), { published: { api } });
      try {
        const error = await rejection(submit(configured, strict.url));
        expect(isHdpError(error, "HDP-2029"), String(error)).to.equal(true);
        expect(isServiceFailure(error, "validation")).to.equal(true);
        expect(String(error)).to.include(line).and.include("Nothing was accepted");
      } finally {
        await strict.close();
      }
    });
  }

  it("shows in the members that parsers miss, and in the header of the key", async () => {
    for (const [configured, status, body] of [
      ["tasks", 400, { error: "Invalid request", details: "missing field `destination_chain_id`" }],
      ["tasks", 422, { message: ["input.compiled_class must be an object"] }],
      ["module-tasks", 400, { error: "destinationChainId: Required" }],
      ["batch", 401, { error: "Missing Herodotus Cloud X-API-KEY header" }],
      ["batch", 404, { error: "Not found" }],
    ] as const) {
      answer = [status, body];
      const error = await rejection(submit(configured));
      expect(isHdpError(error, "HDP-2029"), String(error)).to.equal(true);
    }
  });

  it("causes no suspicion by a refusal for another reason", async () => {
    for (const [configured, status, body, code] of [
      ["tasks", 400, { error: "rate exceeded" }, "HDP-2022"],
      ["tasks", 401, { error: "Missing Herodotus Cloud X-API-KEY header" }, "HDP-2030"],
      ["tasks", 404, { error: "Not found" }, "HDP-2040"],
      ["module-tasks", 400, { error: "destination_chain_id: unknown chain" }, "HDP-2022"],
      ["batch", 400, { error: "destinationChainId: unknown" }, "HDP-2022"],
    ] as const) {
      answer = [status, body];
      const error = await rejection(submit(configured));
      expect(isHdpError(error, code), String(error)).to.equal(true);
    }
  });

  it("accepts what it answers in its own form, with its id", async () => {
    for (const [configured, body, id, processor] of [
      ["tasks", { batchId: "b-1", taskHashes: [datalakeHash] }, "b-1", "batch"],
      ["module-tasks", { batchId: "b-2", taskHashes: [datalakeHash] }, "b-2", "batch"],
      ["batch", { uuid: "t-1", message: "queued" }, "t-1", "tasks"],
      ["tasks", { uuid: "t-2" }, "t-2", "tasks"],
    ] as const) {
      answer = [200, body];
      expect(await submit(configured)).to.include({ id, processor });
    }
    answer = [200, { id: "of no version" }];
    const error = await rejection(submit("tasks"));
    expect(isServiceFailure(error, "outcome-unknown"), String(error)).to.equal(true);
  });

  it("leaves nothing unknown: the task is recorded under its version, and not sent again", async () => {
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    const project = await testProject(remoteNetwork(server.url, "tasks"));
    const connection = await project.hre.network.create("remote");
    try {
      await connection.hdp.store.current();
      answer = [200, { batchId: "b-7", taskHashes: [datalakeHash] }];
      const submitted = connection.hdp.submit(datalakeRequest, { rehearsal: false });
      const error = await rejection(submitted);
      expect(isHdpError(error, "HDP-5022"), String(error)).to.equal(true);
      expect(String(error)).to.include('edition: "batch"').and.include("hdp:await b-7");
      expect(project.submissions()).to.have.length(1);
      expect(project.submissions()[0]).to.include({
        state: "accepted",
        serviceId: "b-7",
        processor: "batch",
      });
      const posts = server.seen.length;
      const again = await rejection(connection.hdp.submit(datalakeRequest, { rehearsal: false }));
      expect(isHdpError(again, "HDP-5015"), String(again)).to.equal(true);
      expect(server.seen.length).to.equal(posts);
    } finally {
      Reflect.deleteProperty(process.env, KEY_VARIABLE);
      await connection.close();
      await removeProject(project);
    }
  });
});

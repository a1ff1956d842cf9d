import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";

import { expect } from "chai";
import fc from "fast-check";
import type { NetworkConnection } from "hardhat/types/network";

import type { WireEditionName } from "../../src/types.js";
import {
  httpServer,
  type OddServer,
  sendJson,
  sendText,
  type Answer,
} from "../support/odd-servers.js";
import {
  KEY_VARIABLE,
  knowPrograms,
  remoteNetwork,
  removeProject,
  testProject,
  type TestProject,
} from "../support/remote-project.js";
import { moduleRequest } from "../support/service-requests.js";

/** Servers that fail in every way, most of them repeating the key they were sent. */
const failures: Readonly<Record<string, Answer>> = {
  "401 that echoes the request": (seen, response) =>
    sendText(response, 401, `no: ${seen.url} ${String(seen.headers["x-api-key"])}`),
  "400 with the key as JSON": (seen, response) =>
    sendJson(response, 400, {
      error: `bad key ${decodeURIComponent(seen.url)} ${String(seen.headers["x-api-key"])}`,
    }),
  "a reply of another shape": (seen, response) =>
    sendJson(response, 200, { echo: [seen.url, seen.headers] }),
  "a reply that is no JSON": (seen, response) =>
    sendText(response, 200, `<html>${seen.url}${inspect(seen.headers)}`),
  "a redirect with the key": (seen, response) =>
    sendText(response, 302, "", {
      location: `/elsewhere${seen.url}&k=${encodeURIComponent(String(seen.headers["x-api-key"]))}`,
    }),
  "a dropped connection": (seen, response) => {
    // What is asked before the rehearsal is answered.
    if (seen.method === "POST") response.destroy();
    else sendText(response, 404, "");
  },
  "acceptance, then failure with the key": (seen, response) => {
    if (seen.method === "POST") {
      const key =
        new URL(seen.url, "http://x").searchParams.get("apiKey") ??
        String(seen.headers["x-api-key"]);
      accepted.push(key);
      sendJson(response, 200, { uuid: "id-1", batchId: "id-1", taskHashes: [] });
    } else
      sendJson(response, 200, {
        status: "FAILED",
        errorMessage: `key ${accepted.at(-1) ?? ""} is used up`,
      });
  },
};
const accepted: string[] = [];

/** Printable ASCII without spaces, as a key has to be; long enough not to occur by accident. */
const keys = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 16, maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));
/** Few: the process removes all that it has seen from every text, so that each more makes later tests slower. */
const fewKeys = fc.constantFrom(...fc.sample(keys, 4));

describe("keys", () => {
  let connection: NetworkConnection<string> | undefined;
  let project: TestProject | undefined;
  let server: OddServer | undefined;

  afterEach(async () => {
    Reflect.deleteProperty(process.env, KEY_VARIABLE);
    await server?.close();
    await connection?.close();
    if (project !== undefined) await removeProject(project);
  });

  for (const edition of ["tasks", "batch", "module-tasks"] satisfies WireEditionName[]) {
    it(`never leave by an error or the journal, edition ${edition}`, async () => {
      let answer: Answer = (_seen, response) => sendText(response, 500, "");
      server = await httpServer((...args) => {
        answer(...args);
      });
      const search = async (key: string): Promise<void> => {
        process.env[KEY_VARIABLE] = key;
        project = await testProject(
          remoteNetwork(server?.url ?? "", edition, { timeouts: { request: 2000, await: 300 } }),
        );
        connection = await project.hre.network.create("remote");
        for (const task of moduleRequest.tasks)
          if (edition === "module-tasks" && task.type === "Module")
            await knowPrograms(project, task.programHash);
        const request = { ...moduleRequest, destinationChainId: "ETHEREUM_SEPOLIA" as const };
        const thrown = await connection.hdp
          .run(request, { rehearsal: edition !== "module-tasks" })
          .catch((error: unknown) => error);
        expect(thrown).to.be.instanceOf(Error);
        const stored = await readFile(join(project.root, "hdp", "submissions.db"), "latin1");
        const everything = [
          stored,
          String(thrown),
          inspect(thrown, { depth: 20, showHidden: true }),
          JSON.stringify(await connection.hdp.submissions.list()),
          causes(thrown),
        ].join("\n");
        for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) {
          expect(everything).not.to.contain(form);
        }
        expect(project.history()).to.contain("sending");
        await connection.close();
        await removeProject(project);
      };
      for (answer of Object.values(failures)) {
        await fc.assert(fc.asyncProperty(fewKeys, search), { numRuns: 1, endOnFailure: true });
      }
    });
  }
});

/** Every own property of an error and of its causes, as text. */
function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((name) =>
    inspect(Reflect.get(error, name), { depth: 5 }),
  );
  return [error.message, error.stack ?? "", ...own, causes(error.cause)].join("\n");
}

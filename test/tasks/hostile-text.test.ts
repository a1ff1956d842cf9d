import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { HardhatError } from "@nomicfoundation/hardhat-errors";
import { configVariable } from "hardhat/config";

import { command } from "../../src/tasks/run-command.js";
import { suggested } from "../../src/errors/hdp-error.js";
import { httpServer, sendJson, type OddServer } from "../support/odd-servers.js";
import {
  KEY_VARIABLE,
  removeProject,
  testProject,
  type TestProject,
} from "../support/remote-project.js";
import { compiledClass } from "../support/interfaces-server.js";
import { COMMANDS, runCommand } from "../support/run-command.js";
import { SERVICE_KEY } from "../support/service-server.js";

/** Clears the screen, sets the title, turns the direction of writing, and would act in a shell. */
const HOSTILE =
  "id\u001b[2J\u001b]0;title\u0007\u001b]8;;http://e.vil\u001b\\\u202eevil\u2066\u200b\u0085\u009b31m'\"$(touch PWNED);touch PWNED`touch PWNED`";
const ACTS = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;
const TIME = "2026-01-01T00:00:00Z";

/** Everything that a service may say, said with hostile words. */
const hostileService = async (): Promise<OddServer> =>
  await httpServer((request, response) => {
    const { pathname } = new URL(request.url, "http://service");
    const what = pathname.split("/").at(-1);
    const record = {
      status: HOSTILE,
      destinationChainId: HOSTILE,
      createdAt: HOSTILE,
      updatedAt: TIME,
    };
    const mmrs = [
      { id: HOSTILE, root: HOSTILE, size: "7", chain_id: HOSTILE, hashing_function: HOSTILE },
    ];
    if (pathname.endsWith("/is-alive"))
      sendJson(response, 200, { status: "healthy", message: HOSTILE, database: HOSTILE });
    else if (pathname.includes("submit-request"))
      sendJson(response, 200, { request_id: HOSTILE, status: HOSTILE });
    else if (pathname.includes("get_queries"))
      sendJson(response, 200, {
        queries: [{ internal_id: HOSTILE, status: HOSTILE, typ: HOSTILE, created_at: HOSTILE }],
      });
    else if (pathname.includes("get_actions"))
      sendJson(response, 200, { actions: [{ [HOSTILE]: HOSTILE }] });
    else if (pathname.includes("grow-orders"))
      sendJson(response, 200, { id: HOSTILE, [HOSTILE]: [HOSTILE] });
    else if (pathname.includes("get-metadata"))
      sendJson(response, 200, { layout: HOSTILE, version: 2 });
    else if (what === "retry")
      sendJson(response, 200, { uuid: HOSTILE, message: HOSTILE, status: HOSTILE });
    else if (what === "details")
      sendJson(response, 200, {
        taskId: HOSTILE,
        ...record,
        taskHash: HOSTILE,
        taskInputs: [],
        mmrs,
      });
    else if (what === "mmrs") sendJson(response, 200, { taskId: HOSTILE, mmrs });
    else if (what === "output_preimage")
      sendJson(response, 200, { taskId: HOSTILE, outputPreimage: [HOSTILE] });
    else if (what === "state_transitions") {
      const step = {
        id: HOSTILE,
        task_id: HOSTILE,
        from_status: HOSTILE,
        to_status: HOSTILE,
        created_at: HOSTILE,
      };
      sendJson(response, 200, { taskId: HOSTILE, state_transitions: [step] });
    } else if (request.method === "POST" && pathname.endsWith("/tasks"))
      sendJson(response, 201, { uuid: HOSTILE, message: HOSTILE });
    else if (pathname.endsWith("/tasks")) {
      const pagination = { page: 1, perPage: 10, total: 1, totalPages: 1 };
      sendJson(response, 200, {
        tasks: [{ uuid: HOSTILE, programName: HOSTILE, ...record }],
        pagination,
      });
    } else sendJson(response, 500, { error: HOSTILE });
  });

describe("text from outside", () => {
  let service: OddServer;
  let project: TestProject;

  before(async () => {
    process.env[KEY_VARIABLE] = SERVICE_KEY;
    service = await hostileService();
    const apiKey = configVariable(KEY_VARIABLE);
    project = await testProject({
      networks: {
        default: {
          type: "edr-simulated",
          hdp: { dataProcessor: { url: service.url, apiKey, edition: "module-tasks" } },
        },
      },
      hdp: {
        programRegistry: { submitUrl: service.url, metadataUrl: service.url, apiKey },
        storageProof: { url: service.url, apiKey },
      },
    });
    await writeFile(
      join(project.root, "class.compiled_contract_class.json"),
      JSON.stringify(compiledClass),
    );
    await writeFile(join(project.root, "body.json"), JSON.stringify({ [HOSTILE]: HOSTILE }));
    const tasks = [
      { type: HOSTILE, [HOSTILE]: HOSTILE },
      { type: "Module", programHash: HOSTILE, inputs: [HOSTILE] },
    ];
    await writeFile(
      join(project.root, "tasks.json"),
      JSON.stringify({ destinationChainId: HOSTILE, tasks }),
    );
    await writeFile(join(project.root, `${HOSTILE.replaceAll("/", "")}.json`), `{ "${HOSTILE}`);
    const inputs = [{ visibility: "public", value: "0x1" }];
    const module = { type: "Module", programHash: `0x${"12".repeat(31)}`, inputs };
    const request = { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [module] };
    await writeFile(join(project.root, "module.json"), JSON.stringify(request));
  });
  after(async () => {
    await service.close();
    await removeProject(project);
  });

  /** All that a command writes, and the message that it fails with. */
  async function outputOf(name: string, given: Record<string, unknown>): Promise<string> {
    const { stdout, stderr, error } = await runCommand(name, given, project.hre);
    const message = error === undefined ? "" : error instanceof Error ? error.message : "no error";
    return stdout + stderr + message;
  }

  const FILES = ["body.json", "tasks.json", `${HOSTILE.replaceAll("/", "")}.json`, "module.json"];
  const calls = Object.entries(COMMANDS).flatMap(([name, { positionalArguments }]) =>
    [HOSTILE, ...(positionalArguments.some((one) => /^files?$/.test(one.name)) ? FILES : [])].map(
      (word) => ({
        name,
        words: Object.fromEntries(
          positionalArguments.map((one) => [one.name, one.isVariadic ? [word] : word]),
        ),
      }),
    ),
  );
  for (const action of ["list", "show", "cancel"]) {
    calls.push({ name: "grow-orders", words: { action, target: HOSTILE } });
  }
  for (const target of FILES)
    calls.push({ name: "grow-orders", words: { action: "create", target } });
  for (const action of ["list", "show", "retry", "decommit"])
    calls.push({
      name: "service-tasks",
      words: { action, id: HOSTILE, destination: "ETHEREUM_SEPOLIA" },
    });

  for (const { name, words } of calls) {
    // Runs until it is interrupted, and prints its own options only.
    if (name === "node") continue;
    for (const json of [false, true]) {
      const shown = Object.values(words).map((word) => JSON.stringify(word).slice(0, 20));
      it(`never acts in hdp ${name} ${shown.join(" ")}${json ? " --json" : ""}`, async () => {
        const written = await outputOf(name, {
          ...words,
          json,
          yes: true,
          noWait: true,
          timeout: "1",
        });
        expect(written).not.to.equal("");
        expect(ACTS.exec(written)?.[0]).to.equal(undefined);
      });
    }
  }

  it("never acts in errors of others, which Hardhat prints as they are: they quote the node", async () => {
    const cause = new HardhatError(HardhatError.ERRORS.CORE.NETWORK.INVALID_JSON_RESPONSE, {
      response: HOSTILE,
    });
    const failing = command(() => Promise.reject(new Error(`the node said ${HOSTILE}`, { cause })));
    const thrown: unknown = await failing({}, project.hre).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
    const told = [
      (thrown as Error).message,
      (thrown as Error).stack,
      cause.message,
      cause.formattedMessage,
      cause.stack,
    ];
    for (const text of told) {
      expect(text).to.contain("evil");
      expect(ACTS.exec(text ?? "")?.[0]).to.equal(undefined);
    }
  });

  it("reaches the screen as one word of what is to be pasted", async () => {
    await outputOf("submit", { file: "module.json", noWait: true });
    for (const [name, given] of [
      ["proof submit", { file: "body.json", noWait: true }],
      ["service-tasks", { action: "retry", id: "task-1" }],
      ["list", {}],
    ] as const) {
      const written = await outputOf(name, given);
      const commandLines = written.match(/npx hardhat hdp.*$/gm) ?? [];
      if (name !== "list") expect(commandLines).not.to.deep.equal([]);
      for (const line of commandLines)
        await pasted(line.replace(/<(?:service|query) id>.*| \(.*$/, ""));
    }
  });

  it("quotes text where a shell would act on it", async () => {
    expect(suggested("hdp:await", ["01JPJ03YJT"], { network: "sepolia" })).to.equal(
      "npx hardhat hdp:await 01JPJ03YJT --network sepolia",
    );
    expect(
      await pasted(suggested("hdp:await", ["a;touch PWNED", "$(touch PWNED)", "it's", "-rf"])),
    ).to.deep.equal([
      "npx",
      "hardhat",
      "hdp:await",
      "a;touch PWNED",
      "$(touch PWNED)",
      "it's",
      "-rf",
    ]);
  });

  /** The words that a shell makes of a line; nothing else may happen. */
  async function pasted(line: string): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), "hdp-paste-"));
    try {
      const words = execFileSync("sh", ["-c", `printf '%s\\n' ${line}`], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(await readdir(folder), line).to.deep.equal([]);
      return words.trimEnd().split("\n");
    } finally {
      await rm(folder, { recursive: true });
    }
  }
});

import { randomBytes } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { inspect } from "node:util";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import { keccak256, toRlp } from "viem";

import { systemClock } from "../../src/base/clock.js";
import { Redactor, SECRETS } from "../../src/base/secrets.js";
import { headerItems } from "../../src/chain/block-encoding.js";
import { root } from "../support/hardhat-cli.js";
import { httpServer, type OddServer, sendJson, sendText } from "../support/odd-servers.js";
import { type TestProject, testProject } from "../support/remote-project.js";
import { COMMANDS, runCommand } from "../support/run-command.js";

const HASH = `0x${"5".repeat(64)}`;
const CLASS = "m.compiled_contract_class.json";

/** Every kind of place in the configuration that holds a key. */
const PLACES = [
  ...["processorPath", "processorKey", "submitPath", "metadataPath", "registryKey", "proofPath", "proofKey"],
  ...["nodePath", "nodeQuery", "nodeHeader", "stateServerPath", "starknetPath", "starknetKey"],
] as const;
type Place = (typeof PLACES)[number];
type Secrets = Readonly<Record<Place, string>>;

const TASK = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 1,
        blockRangeEnd: 2,
        sampledProperty: "header.number",
      },
      compute: { aggregateFnId: "sum" },
    },
  ],
};
const MODULE = {
  destinationChainId: "ETHEREUM_SEPOLIA",
  tasks: [
    {
      type: "Module",
      module: { class: CLASS, arguments: { chain_id: "11155111", block: 9, voter: "0x2a", choice: "0x1" } },
      injected_state: { votes: "0x7" },
    },
  ],
};
const PROOF = { destination_chain_id: "SN_SEPOLIA", data: { "11155111": { "block:1": { header: ["NUMBER"] } } } };

/** What is run before a command, in its project. */
const BEFORE: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(["status", "await", "list", "resume"].map((name) => [name, "submit"])),
  ...Object.fromEntries(["module build", "module test"].map((name) => [name, "module new"])),
};

const ZERO = `0x${"0".repeat(64)}` as const;
const HEADER = {
  ...{ parentHash: ZERO, sha3Uncles: ZERO, miner: `0x${"1".repeat(40)}`, stateRoot: ZERO, transactionsRoot: ZERO },
  ...{ receiptsRoot: ZERO, logsBloom: `0x${"0".repeat(512)}`, difficulty: "0x0", number: "0x9", gasLimit: "0x1" },
  ...{ gasUsed: "0x0", timestamp: "0x1", extraData: "0x", mixHash: ZERO, nonce: "0x0000000000000000" },
};
const BLOCK = { ...HEADER, hash: keccak256(toRlp(headerItems({ what: "block 9", fields: HEADER }))), transactions: [] };

/** Answers of the node that commands need to get as far as the service. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  ...{ eth_chainId: "0xaa36a7", eth_blockNumber: "0x64", eth_getCode: "0x60", eth_call: ZERO },
  // Without proofs the module reads these, and goes on to the state server.
  ...{ eth_getBalance: "0x1", eth_getTransactionCount: "0x1", eth_getBlockByNumber: BLOCK },
};
const NOT_FOUND = { code: -32601, message: "the method eth_getProof does not exist" };

/** Arguments with which each command gets as far as it can; undefined for one that reads neither a service nor a node. */
const RUNS: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = {
  submit: { file: "task.json", timeout: "1", yes: true },
  check: { file: "task.json" },
  hash: { file: "task.json" },
  fields: {},
  status: { id: "1" },
  await: { ids: ["1"], timeout: "1" },
  list: {},
  resume: { id: "1", timeout: "1" },
  result: { taskHash: HASH },
  watch: { tasks: [HASH], interval: "1", timeout: "1" },
  verify: { task: "task.json" },
  explain: { file: "task.json" },
  record: { files: ["task.json"], out: "recording.json" },
  types: { files: ["task.json"], out: "types.ts" },
  storage: { contracts: ["None"], out: "Slots.sol" },
  fixtures: { files: ["task.json"], out: "fixtures.json" },
  "module new": { name: "own" },
  "module build": { dir: "own" },
  "module run": { file: "module.json" },
  "module test": { dir: "own" },
  "eth-call": { contract: `0x${"1".repeat(40)}`, function: "totalSupply()(uint256)", yes: true },
  "program hash": { file: CLASS },
  "program show": { programHash: "0x1" },
  "program upload": { file: CLASS },
  alive: {},
  "service-tasks": { action: "list" },
  "proof submit": { file: "proof.json", timeout: "1" },
  "proof queries": { requestId: "1" },
  "proof actions": { queryId: "1" },
  "grow-orders": {},
  "starknet init": { dir: "cairo" },
  "starknet deploy-mock": { yes: true },
  init: {},
  "test cairo": { testFiles: [], watch: false },
  node: undefined,
  store: { yes: true },
  error: { number: "4101" },
};

type Answer = (quoted: string, response: ServerResponse, method: string) => void;

/** Ways in which a service or a node fails, most of them repeating what was sent to it. */
const FAILURES: Readonly<Record<string, Answer>> = {
  "401 as text": (quoted, response) => sendText(response, 401, `İİ no: ${quoted}`),
  "400 as JSON": (quoted, response) =>
    sendJson(response, 400, { error: `bad ${quoted}`, details: { [quoted]: quoted } }),
  "500 as a page": (quoted, response) => sendText(response, 500, `<html><p>${"x".repeat(250)} ${quoted}</p></html>`),
  "another shape": (quoted, response) => sendJson(response, 200, { echo: [quoted], [quoted]: 1 }),
  "no JSON": (quoted, response) => sendText(response, 200, `not JSON ${quoted}`),
  "a redirect": (quoted, response) => sendText(response, 302, "", { location: `/x${encodeURIComponent(quoted)}` }),
  "a broken connection": (_quoted, response) => response.destroy(),
  "accepted, and failed": (quoted, response, method) => {
    const accepted = { uuid: "id-1", request_id: "id-1", taskHashes: [], programHash: "0x1", id: quoted };
    const failed = { status: "FAILED", errorMessage: quoted, queries: [{ internal_id: quoted, status: "FAILED" }] };
    sendJson(response, 200, method === "POST" ? accepted : failed);
  },
};

/** Everything that was sent, as somebody may quote it. */
function quote(url: string, headers: IncomingHttpHeaders): string {
  const decoded = decodeURIComponent(url);
  const sent = Object.values(headers).map(String);
  return [
    url,
    decoded,
    `http://some.host${url}`,
    ...sent,
    Buffer.from(decoded.split("/")[2] ?? "").toString("base64"),
  ].join(" ");
}

function answerOf(mode: string, isNode: boolean): Parameters<typeof httpServer>[0] {
  return ({ method, url, headers, body }, response) => {
    const quoted = quote(url, headers);
    const ofNode = url.startsWith("/node/") || url.startsWith("/starknet/");
    if (ofNode !== isNode && ofNode) {
      const calls = [JSON.parse(body) as unknown].flat() as { id: number; method: string }[];
      const replies = calls.map(({ id, method: called }) =>
        ANSWERS[called] !== undefined
          ? { jsonrpc: "2.0", id, result: ANSWERS[called] }
          : called === "eth_getProof"
            ? { jsonrpc: "2.0", id, error: NOT_FOUND }
            : { jsonrpc: "2.0", id, error: { code: -32000, message: `cannot serve ${quoted}`, data: { url: quoted } } },
      );
      sendJson(response, 200, body.startsWith("[") ? replies : replies[0]);
    } else {
      FAILURES[mode]?.(quoted, response, method);
    }
  };
}

describe("no key of the configuration", function () {
  this.timeout(600_000);
  let server: OddServer;
  let answer: Parameters<typeof httpServer>[0];
  let folder = "";
  const path = process.env["PATH"];
  const clock = { ...systemClock };

  before(async () => {
    // The pauses between attempts pass at once, and count as time all the same.
    let slept = 0;
    const sleep = (ms: number): Promise<void> => {
      slept += ms;
      return new Promise((resolve) => setImmediate(resolve));
    };
    Object.assign(systemClock, { sleep, monotonic: () => clock.monotonic() + slept });
    server = await httpServer((...args) => {
      answer(...args);
    });
  });
  after(async () => {
    Object.assign(systemClock, clock);
    for (const name of ["learn", "redact", "redactValue"]) Reflect.deleteProperty(SECRETS, name);
    await server.close();
  });
  afterEach(async () => {
    process.env["PATH"] = path;
    for (const place of PLACES) Reflect.deleteProperty(process.env, `SECRET_${place}`);
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });

  /** As in a new process: a command that prints a key before it learns the key is found, whatever ran before. */
  function forgetSecrets(): void {
    const fresh = new Redactor();
    SECRETS.learn = fresh.learn.bind(fresh);
    SECRETS.redact = fresh.redact.bind(fresh);
    SECRETS.redactValue = fresh.redactValue.bind(fresh);
  }

  async function project(secrets: Secrets, edition: "tasks" | "module-tasks"): Promise<TestProject> {
    folder = await mkdtemp(join(tmpdir(), "hdp-no-secret-"));
    for (const kind of ["compiled_contract_class", "contract_class"]) {
      await cp(
        join(root, `test/program/templates/m_injected_state_Module.${kind}.json`),
        join(folder, `m.${kind}.json`),
      );
    }
    await writeFile(join(folder, "task.json"), JSON.stringify(TASK));
    await writeFile(join(folder, "module.json"), JSON.stringify(MODULE));
    await writeFile(join(folder, "proof.json"), JSON.stringify(PROOF));
    await mkdir(join(folder, "cairo"));
    await writeFile(join(folder, "cairo", "Scarb.toml"), '[package]\nname = "own"\nversion = "0.1.0"\n');
    // Programs that commands start: they note their arguments.
    await mkdir(join(folder, "bin"));
    for (const name of ["scarb", "snforge", "universal-sierra-compiler"]) {
      await writeFile(join(folder, "bin", name), `#!/bin/sh\necho "$0 $@" >> ${join(folder, "arguments")}\nexit 1\n`);
      await chmod(join(folder, "bin", name), 0o755);
    }
    process.env["PATH"] = `${join(folder, "bin")}${delimiter}${path ?? ""}`;
    for (const place of PLACES) process.env[`SECRET_${place}`] = secrets[place];
    const variable = (place: Place, format: string) => {
      process.env[`SECRET_${place}`] = format.replace("{}", secrets[place]);
      return configVariable(`SECRET_${place}`);
    };
    const at = server.url;
    return await testProject(
      {
        networks: {
          far: {
            type: "http",
            chainId: 11155111,
            url: `${at}/node/${secrets.nodePath}?key=${secrets.nodeQuery}`,
            httpHeaders: { authorization: `Bearer ${secrets.nodeHeader}` },
            hdp: {
              dataProcessor: {
                url: variable("processorPath", `${at}/processor/{}`),
                apiKey: variable("processorKey", "{}"),
                edition,
              },
              timeouts: { request: 1_000, await: 500, rpc: 1_000 },
            },
          },
        },
        hdp: {
          programRegistry: {
            submitUrl: variable("submitPath", `${at}/registry/{}`),
            metadataUrl: variable("metadataPath", `${at}/metadata/{}`),
            apiKey: variable("registryKey", "{}"),
          },
          storageProof: { url: variable("proofPath", `${at}/proofs/{}/v1`), apiKey: variable("proofKey", "{}") },
          cairo: { package: "cairo", fixtures: { tasks: ["task.json"], out: "cairo/tests.cairo" } },
          local: { stateServer: variable("stateServerPath", `${at}/state/{}`) },
          starknet: {
            STARKNET_SEPOLIA: {
              rpcUrl: variable("starknetPath", `${at}/starknet/{}`),
              account: { address: "0x1", privateKey: variable("starknetKey", "{}") },
            },
          },
        },
      },
      folder,
      "far",
    );
  }

  it("is missed by this test, and no command", () => {
    expect(Object.keys(RUNS).sort()).to.deep.equal([...Object.keys(COMMANDS), "test cairo"].sort());
    expect(PLACES).to.have.length(13);
  });

  for (const side of ["service", "node"] as const) {
    for (const mode of Object.keys(FAILURES)) {
      it(`leaves a command where the ${side} fails with ${mode}`, async () => {
        answer = answerOf(mode, side === "node");
        const [seen, asked] = [new Set<string>(), server.seen.length];
        for (const [index, [name, args]] of Object.entries(RUNS).entries()) {
          if (args === undefined) continue;
          const secrets = Object.fromEntries(
            PLACES.map((place) => [
              place,
              place === "starknetKey"
                ? `0x${randomBytes(31).toString("hex")}`
                : `sk_${randomBytes(9).toString("base64url")}7.x~Z`,
            ]),
          ) as Record<Place, string>;
          forgetSecrets();
          const { hre } = await project(secrets, index % 2 === 0 ? "tasks" : "module-tasks");
          const first = BEFORE[name];
          if (first !== undefined) await runCommand(first, { ...RUNS[first] }, hre);
          for (const json of [false, true]) {
            const { stdout, stderr, error } = await runCommand(name, { ...args, json }, hre);
            if (error !== undefined) seen.add(name);
            const everything = [stdout, stderr, inspect(error, { depth: 12, showHidden: true }), causes(error)];
            everything.push(...(await texts(folder)));
            for (const place of PLACES) {
              const around = everything.flatMap((text) =>
                forms(secrets[place]).flatMap((form) =>
                  text.includes(form)
                    ? [text.slice(Math.max(0, text.indexOf(form) - 300), text.indexOf(form) + 100)]
                    : [],
                ),
              )[0];
              expect(around === undefined, `${place} in ${name}${json ? " --json" : ""}: ${around}`).to.equal(true);
            }
          }
          await rm(folder, { recursive: true, force: true });
        }
        expect(seen.size, [...seen].join(", ")).to.be.greaterThan(5);
        const reached = new Set(server.seen.slice(asked).map(({ url }) => url.split("/")[1]));
        const all = ["node", "processor", "proofs", "metadata", "registry", "starknet"];
        expect([...reached]).to.include.members(side === "node" ? all : [...all, "state"]);
      });
    }
  }
});

/** The forms in which a key can be read off a text. */
function forms(key: string): string[] {
  return [key, encodeURIComponent(key), Buffer.from(key).toString("base64").replaceAll("=", "")];
}

/** Every own property of an error and of its causes, as text. */
function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((name) => inspect(Reflect.get(error, name), { depth: 5 }));
  return [error.message, error.stack ?? "", ...own, causes(error.cause)].join("\n");
}

/** The contents of all files below a folder. */
async function texts(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (file) => await readFile(file, "latin1")));
}

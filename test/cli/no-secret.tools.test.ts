import { randomBytes } from "node:crypto";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

import hardhatKeystore from "@nomicfoundation/hardhat-keystore";
import { expect } from "chai";
import { configVariable } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { keccak256, toRlp } from "viem";

import { isHdpError } from "../../src/entries/request.js";
import type { Eip1193Provider } from "../../src/entries/local.js";
import { systemClock } from "../../src/base/clock.js";
import { Redactor, SECRETS } from "../../src/errors/secrets.js";
import hardhatHdp from "../../src/index.js";
import { headerItems } from "../../src/chain/blocks.js";
import { fewAccounts } from "../support/few-accounts.js";
import { hardhatProcess, root } from "../support/hardhat-cli.js";
import { LOGIN_CALLS, type LoginServer, loginServer } from "../support/login-server.js";
import { httpServer, type OddServer, sendJson, sendText } from "../support/odd-servers.js";
import { type TestProject, testProject } from "../support/remote-project.js";
import { COMMANDS, runCommand } from "../support/run-command.js";
import { runServer } from "../support/running-node.js";

const HASH = `0x${"5".repeat(64)}`;
const CLASS = "m.compiled_contract_class.json";

/** Every kind of place in the configuration that holds a key. */
const PLACES = [
  "processorPath",
  "processorKey",
  "submitPath",
  "metadataPath",
  "registryKey",
  "proofPath",
  "proofKey",
  "nodePath",
  "nodeQuery",
  "nodeHeader",
  "stateServerPath",
  "starknetPath",
  "starknetKey",
  "guardianKey",
  "webhookPath",
  "webhookQuery",
  "nodePassword",
  "proxyPassword",
  "forkPath",
  "accountKey",
  "accountVariable",
] as const;
type Place = (typeof PLACES)[number];
type Secrets = Readonly<Record<Place, string>>;
/** Who computes: the service by an API version, or the local data processor. */
type Edition = "tasks" | "module-tasks" | "local";

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
      module: {
        class: CLASS,
        arguments: { chain_id: "11155111", block: 9, voter: "0x2a", choice: "0x1" },
      },
      injected_state: { votes: "0x7" },
    },
  ],
};
/** A module that a service is sent with a webhook. */
const SENT = { ...MODULE, tasks: MODULE.tasks.map(({ type, module }) => ({ type, module })) };
const PROOF = {
  destination_chain_id: "SN_SEPOLIA",
  data: { "11155111": { "block:1": { header: ["NUMBER"] } } },
};

/** What is run before a command, in its project. */
const BEFORE: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    ["status", "await", "list", "resume", "verify"].map((name) => [name, "submit"]),
  ),
  ...Object.fromEntries(["module build", "module test"].map((name) => [name, "module new"])),
};

const ZERO = `0x${"0".repeat(64)}` as const;
const HEADER = {
  parentHash: ZERO,
  sha3Uncles: ZERO,
  miner: `0x${"1".repeat(40)}`,
  stateRoot: ZERO,
  transactionsRoot: ZERO,
  receiptsRoot: ZERO,
  logsBloom: `0x${"0".repeat(512)}`,
  difficulty: "0x0",
  number: "0x9",
  gasLimit: "0x1",
  gasUsed: "0x0",
  timestamp: "0x1",
  extraData: "0x",
  mixHash: ZERO,
  nonce: "0x0000000000000000",
};
const BLOCK = {
  ...HEADER,
  hash: keccak256(toRlp(headerItems({ what: "block 9", fields: HEADER }))),
  transactions: [],
};

/** Answers of the node that commands need to get as far as the service. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  eth_chainId: "0xaa36a7",
  eth_blockNumber: "0x64",
  eth_getCode: "0x60",
  eth_call: ZERO,
  // Without proofs the module reads these, and goes on to the state server.
  eth_getBalance: "0x1",
  eth_getTransactionCount: "0x1",
  eth_getBlockByNumber: BLOCK,
};
const NOT_FOUND = { code: -32601, message: "the method eth_getProof does not exist" };

/** Arguments with which each command gets as far as it can; undefined for one that reads neither a service nor a node. */
const RUNS: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = {
  submit: { file: "task.json", timeout: "1", yes: true },
  check: { file: "task.json" },
  hash: { file: "task.json" },
  fields: {},
  status: { id: "id-1" },
  await: { ids: ["id-1"], timeout: "1" },
  list: {},
  resume: { id: "id-1", timeout: "1" },
  result: { taskHash: HASH },
  watch: { tasks: [HASH], interval: "1", timeout: "1" },
  verify: { task: "task.json" },
  explain: { file: "task.json", open: true, out: "samples.csv" },
  record: { files: ["task.json"], out: "recording.json" },
  types: { files: ["task.json"], out: "types.ts" },
  storage: { contracts: ["None"], out: "Slots.sol" },
  fixtures: { files: ["task.json"], out: "fixtures.json" },
  "module new": { name: "own" },
  "module build": { dir: "own" },
  "module run": { file: "module.json", open: true },
  "module test": { dir: "own" },
  "eth-call": { contract: `0x${"1".repeat(40)}`, function: "totalSupply()(uint256)", yes: true },
  "program hash": { file: CLASS },
  "program show": { programHash: "0x1" },
  "program upload": { file: CLASS },
  doctor: {},
  login: { yes: true },
  deliver: {
    task: "tasks.json",
    contract: `Gate@0x${"1".repeat(40)}`,
    function: "update",
    yes: true,
  },
  why: { hash: `0x${"1".repeat(64)}` },
  "service-tasks": { action: "list" },
  "service-modules": { action: "list" },
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

/** Who fails, while all others answer: in `nobody`, they quote what was sent in what nobody reads. */
type Side = "service" | "node" | "nobody";

type Answer = (quoted: string, response: ServerResponse, method: string) => void;

/** Ways in which a service or a node fails, most of them repeating what was sent to it. */
const FAILURES: Readonly<Record<string, Answer>> = {
  "401 as text": (quoted, response) => sendText(response, 401, `İİ no: ${quoted}`),
  "400 as JSON": (quoted, response) =>
    sendJson(response, 400, { error: `bad ${quoted}`, details: { [quoted]: quoted } }),
  "500 as a page": (quoted, response) =>
    sendText(response, 500, `<html><p>${"x".repeat(250)} ${quoted}</p></html>`),
  "another shape": (quoted, response) => sendJson(response, 200, { echo: [quoted], [quoted]: 1 }),
  "no JSON": (quoted, response) => sendText(response, 200, `not JSON ${quoted}`),
  "a redirect": (quoted, response) =>
    sendText(response, 302, "", { location: `/x${encodeURIComponent(quoted)}` }),
  "a broken connection": (_quoted, response) => response.destroy(),
  "accepted, and failed": (quoted, response, method) => {
    const accepted = {
      uuid: "id-1",
      request_id: "id-1",
      taskHashes: [],
      programHash: "0x1",
      id: quoted,
    };
    const failed = {
      status: "FAILED",
      errorMessage: quoted,
      queries: [{ internal_id: quoted, status: "FAILED" }],
    };
    sendJson(response, 200, method === "POST" ? accepted : failed);
  },
};

/** Returns the outputs of the command of a number: true stands for `--json`. */
type Outputs = (index: number) => readonly boolean[];
const BOTH: Outputs = () => [false, true];

/** Of four failures in a row each command meets two with `--json`, one with each API version. */
function isJsonAt(index: number, failure: number): boolean {
  return (index + Math.floor(failure / 2)) % 2 === 0;
}

let quotes = 0;

/**
 * Everything that was sent, as somebody may quote it. Errors quote the beginning of an answer: it begins with another part
 * each time.
 *
 * @param proxied what a proxy got on the way
 */
function quote(url: string, headers: IncomingHttpHeaders, body: string, proxied: string): string {
  const decoded = decodeURIComponent(url);
  const sent = ["authorization", "x-api-key", "api-key", "x-node-key"].map((name) =>
    String(headers[name] ?? ""),
  );
  sent.push(proxied);
  const basic = sent.flatMap((value) => /^Basic (\S+)/.exec(value)?.[1] ?? []);
  const webhook = /"webhook_url":"([^"]+)"/.exec(body)?.[1] ?? "";
  const parts = [
    url,
    decoded,
    `http://some.host${url}`,
    ...sent,
    webhook,
    ...basic.map((text) => Buffer.from(text, "base64").toString()),
    Buffer.from(decoded.split("/")[2] ?? "").toString("base64"),
  ].filter((part) => part !== "");
  quotes += 1;
  const first = quotes % parts.length;
  return [...parts.slice(first), ...parts.slice(0, first)].join(" ");
}

const ACCEPTED_AND_FAILED = "accepted, and failed";

/** @param chain answers the calls of commands to the node, where the node answers all of them */
function answerOf(
  side: Side,
  mode: string,
  proxied: () => string,
  chain?: Eip1193Provider,
): Parameters<typeof httpServer>[0] {
  const resultOf = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const result = await chain?.request({ method, params });
    return chain === undefined ? ANSWERS[method] : result;
  };
  return ({ method, url, headers, body }, response) => {
    const quoted = quote(url, headers, body, proxied());
    const ofNode =
      url.startsWith("/node/") || (chain === undefined && url.startsWith("/starknet/"));
    if (!ofNode || side === "node") {
      FAILURES[ofNode || side === "service" ? mode : ACCEPTED_AND_FAILED]?.(
        quoted,
        response,
        method,
      );
      return;
    }
    const calls = [JSON.parse(body) as unknown].flat() as {
      id: number;
      method: string;
      params?: unknown[];
    }[];
    const replies = calls.map(async ({ id, method: called, params = [] }) => {
      const missing =
        called === "eth_getProof"
          ? NOT_FOUND
          : { code: -32000, message: `cannot serve ${quoted}`, data: { url: quoted } };
      const result = await resultOf(called, params).catch(() => undefined);
      if (result === undefined) return { jsonrpc: "2.0", id, error: missing };
      const isObject = typeof result === "object" && result !== null && !Array.isArray(result);
      return {
        jsonrpc: "2.0",
        id,
        result: isObject ? { ...result, note: quoted } : result,
        note: quoted,
      };
    });
    void Promise.all(replies).then((all) => {
      sendJson(response, 200, body.startsWith("[") ? all : all[0]);
    });
  };
}

describe("no key of the configuration", function () {
  this.timeout(600_000);
  let server: OddServer;
  let answer: Parameters<typeof httpServer>[0];
  let folder = "";
  const variables = { ...process.env };
  const temporary = tmpdir();
  let proxy: Server;
  /** What the proxy was sent for itself. */
  let proxied = "";
  let isProxyFailing = false;
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
    proxy = createServer().on("connect", ({ headers, url = "" }, socket) => {
      proxied = headers["proxy-authorization"] ?? "";
      const sent = `${proxied} ${Buffer.from(proxied.split(" ")[1] ?? "", "base64").toString()}`;
      if (isProxyFailing) {
        socket.end(
          `HTTP/1.1 407 ${sent}\r\nproxy-authenticate: Basic realm="${url} ${sent}"\r\n\r\nno: ${sent}`,
        );
        return;
      }
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const on = connect(Number(new URL(server.url).port), "127.0.0.1");
      on.on("error", () => socket.destroy())
        .pipe(socket)
        .on("error", () => on.destroy())
        .pipe(on);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  });
  after(async () => {
    Object.assign(systemClock, clock);
    proxy.close();
    for (const name of ["learn", "redact", "redactValue"]) Reflect.deleteProperty(SECRETS, name);
    await server.close();
  });
  afterEach(async () => {
    for (const name of Object.keys(process.env)) {
      if (variables[name] === undefined) Reflect.deleteProperty(process.env, name);
    }
    Object.assign(process.env, variables);
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });

  /** As in a new process: a command that prints a key before it learns the key is found, whatever ran before. */
  function forgetSecrets(): void {
    const fresh = new Redactor();
    SECRETS.learn = fresh.learn.bind(fresh);
    SECRETS.redact = fresh.redact.bind(fresh);
    SECRETS.redactValue = fresh.redactValue.bind(fresh);
  }

  async function project(
    secrets: Secrets,
    edition: Edition,
    network: string,
  ): Promise<TestProject> {
    folder = await mkdtemp(join(temporary, "hdp-no-secret-"));
    for (const kind of ["compiled_contract_class", "contract_class"]) {
      await cp(
        join(root, `test/program/templates/m_injected_state_Module.${kind}.json`),
        join(folder, `m.${kind}.json`),
      );
    }
    await writeFile(join(folder, "task.json"), JSON.stringify(TASK));
    await writeFile(join(folder, "module.json"), JSON.stringify(MODULE));
    await writeFile(join(folder, "sent.json"), JSON.stringify(SENT));
    await writeFile(join(folder, "proof.json"), JSON.stringify(PROOF));
    await mkdir(join(folder, "cairo"));
    await writeFile(
      join(folder, "cairo", "Scarb.toml"),
      '[package]\nname = "own"\nversion = "0.1.0"\n',
    );
    // Programs that commands start: they note their arguments.
    await mkdir(join(folder, "bin"));
    for (const name of ["scarb", "snforge", "universal-sierra-compiler", "browser"]) {
      await writeFile(
        join(folder, "bin", name),
        `#!/bin/sh\necho "$0 $@" >> ${join(folder, "arguments")}\nexit 1\n`,
      );
      await chmod(join(folder, "bin", name), 0o755);
    }
    await mkdir(join(folder, "pages"));
    Object.assign(process.env, {
      PATH: `${join(folder, "bin")}${delimiter}${variables["PATH"] ?? ""}`,
      BROWSER: "browser",
      TMPDIR: join(folder, "pages"),
      HTTP_PROXY: `http://user:${encodeURIComponent(secrets.proxyPassword)}@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      // The service and a fork's node are reached directly.
      NO_PROXY: "127.0.0.1",
      HDP_STARKNET_PRIVATE_KEY: secrets.accountVariable,
    });
    for (const place of PLACES) process.env[`SECRET_${place}`] = secrets[place];
    const variable = (place: Place, format: string) => {
      process.env[`SECRET_${place}`] = format.replace("{}", secrets[place]);
      return configVariable(`SECRET_${place}`);
    };
    const at = server.url;
    const isBasicUrl = edition === "tasks";
    const credentials = isBasicUrl ? `user:${encodeURIComponent(secrets.nodePassword)}@` : "";
    const basic = Buffer.from(`user:${secrets.nodeHeader}`).toString("base64");
    const header = isBasicUrl
      ? { "x-node-key": `Bearer ${secrets.nodeHeader}` }
      : { authorization: `Basic ${basic}` };
    const webhook = edition === "module-tasks" && {
      webhookUrl: variable(
        "webhookPath",
        `https://hooks.example/{}/done?token=${secrets.webhookQuery}`,
      ),
    };
    return await testProject(
      {
        networks: {
          far: {
            type: "http",
            chainId: 11155111,
            url: `http://${credentials}node.example/node/${secrets.nodePath}?key=${secrets.nodeQuery}`,
            httpHeaders: header,
            accounts: edition === "local" ? "remote" : [variable("accountKey", "{}")],
            hdp: {
              dataProcessor:
                edition === "local"
                  ? edition
                  : {
                      url: variable("processorPath", `${at}/processor/{}`),
                      apiKey: variable("processorKey", "{}"),
                      edition,
                      ...webhook,
                    },
              // A node behind a proxy, with the id of a published chain, is one by configuration alone.
              ...(edition === "local" && { development: true }),
              timeouts: { request: 1_000, await: 500, rpc: 1_000 },
            },
          },
          forked: {
            type: "edr-simulated",
            chainId: 11155111,
            forking: { url: variable("forkPath", `${at}/node/{}`), blockNumber: 9 },
          },
        },
        hdp: {
          programRegistry: {
            submitUrl: variable("submitPath", `${at}/registry/{}`),
            metadataUrl: variable("metadataPath", `${at}/metadata/{}`),
            apiKey: variable("registryKey", "{}"),
          },
          storageProof: {
            url: variable("proofPath", `${at}/proofs/{}/v1`),
            apiKey: variable("proofKey", "{}"),
          },
          cairo: { package: "cairo", fixtures: { tasks: ["task.json"], out: "cairo/tests.cairo" } },
          local: { stateServer: variable("stateServerPath", `${at}/state/{}`) },
          starknet: {
            STARKNET_SEPOLIA: {
              rpcUrl: variable("starknetPath", `${at}/starknet/{}`),
              account: {
                address: "0x1",
                privateKey: variable("starknetKey", "{}"),
                guardianKey: variable("guardianKey", "{}"),
              },
            },
          },
        },
      },
      folder,
      network,
    );
  }

  it("looks for every key of the configuration in every command", () => {
    expect(Object.keys(RUNS).sort()).to.deep.equal([...Object.keys(COMMANDS), "test cairo"].sort());
    expect(PLACES).to.have.length(21);
  });

  /**
   * Runs every command in a project of its own, with one edition after the other, and returns where keys were found, the
   * commands that failed, and the files that were there.
   *
   * @param outputs with and without `--json`; a command's number says which it takes where one is given for each
   */
  async function everyCommand(
    editions: readonly [Edition, ...Edition[]],
    { network = "far", outputs = BOTH }: { network?: string; outputs?: Outputs } = {},
  ) {
    const [found, failed, files]: [string[], Set<string>, Set<string>] = [[], new Set(), new Set()];
    for (const [index, [name, args]] of Object.entries(RUNS).entries()) {
      if (args === undefined) continue;
      const secrets = Object.fromEntries(PLACES.map((place) => [place, secretOf(place)])) as Record<
        Place,
        string
      >;
      forgetSecrets();
      const edition = editions[index % editions.length] ?? editions[0];
      const { hre } = await project(secrets, edition, network);
      const first = BEFORE[name];
      const file = edition === "module-tasks" ? { file: "sent.json" } : {};
      if (first !== undefined)
        await runCommand(first, { ...RUNS[first], ...(first === "submit" ? file : {}) }, hre);
      for (const json of outputs(index)) {
        const { stdout, stderr, error } = await runCommand(
          name,
          { ...args, ...(name === "submit" ? file : {}), json },
          hre,
        );
        if (error !== undefined) failed.add(name);
        const stored = await texts(folder);
        for (const file of stored.keys()) files.add(basename(file));
        const texted = [
          stdout,
          stderr,
          inspect(error, { depth: 12, showHidden: true }),
          causes(error),
          ...stored.values(),
        ];
        for (const place of PLACES) {
          for (const form of forms(secrets[place])) {
            const text = texted.find((one) => one.includes(form));
            const at = text?.indexOf(form) ?? 0;
            const around = text?.slice(Math.max(0, at - 300), at + 100);
            if (around !== undefined)
              found.push(`${place} in ${name}${json ? " --json" : ""}: ${around}`);
          }
        }
      }
      await rm(folder, { recursive: true, force: true });
    }
    return { found, failed, files };
  }

  for (const side of ["service", "node"] as const) {
    for (const [number, mode] of Object.keys(FAILURES).entries()) {
      it(`leaves a command where the ${side} fails with ${mode}`, async () => {
        answer = answerOf(side, mode, () => proxied);
        const asked = server.seen.length;
        const editions = ["tasks", "module-tasks"] as const;
        const { found, failed } = await everyCommand(
          number % 2 === 0 ? editions : ["module-tasks", "tasks"],
          { outputs: (index) => [isJsonAt(index, number)] },
        );
        expect(found).to.deep.equal([]);
        expect(failed.size, [...failed].join(", ")).to.be.greaterThan(5);
        const reached = new Set(server.seen.slice(asked).map(({ url }) => url.split("/")[1]));
        const all = ["node", "processor", "proofs", "metadata", "registry", "starknet"];
        expect([...reached]).to.include.members(side === "node" ? all : [...all, "state"]);
      });
    }
  }

  it("leaves a command where the node that is forked refuses", async () => {
    answer = answerOf("nobody", "", () => proxied);
    const { found, failed } = await everyCommand(["tasks"], { network: "forked" });
    expect(found).to.deep.equal([]);
    expect(failed).to.include("verify").and.include("record");
  });

  it("leaves a command where the proxy refuses", async () => {
    answer = answerOf("nobody", "", () => proxied);
    isProxyFailing = true;
    const { found, failed } = await everyCommand(["tasks"]);
    isProxyFailing = false;
    expect(found).to.deep.equal([]);
    expect(failed).to.include("verify").and.include("record");
  });

  it("leaves a command that gets what it needs, or the files that it writes", async () => {
    const hre = await createHardhatRuntimeEnvironment({
      networks: fewAccounts({ near: { type: "edr-simulated", chainId: 11155111 } }),
    });
    const { provider } = await hre.network.create("near");
    for (let block = 0; block < 20; block += 1) await provider.request({ method: "evm_mine" });
    answer = answerOf("nobody", "", () => proxied, provider);
    const { found, failed, files } = await everyCommand(["local"]);
    expect(found).to.deep.equal([]);
    for (const name of ["submit", "verify", "explain", "record", "fixtures", "module run"])
      expect(failed).not.to.include(name);
    expect([...files]).to.include.members([
      "recording.json",
      "fixtures.json",
      "run.html",
      "samples.csv",
      "submissions.db",
    ]);
  });
});

describe("no key of a development server", () => {
  const key = (): string => `sk_${randomBytes(9).toString("base64url")}7.x~Z`;
  const secrets = { apiKey: key(), nodePath: key(), nodeQuery: key(), webhook: key() };

  it("leaves it by its output, replies, events, webhooks, files and arguments, though its node quotes what it was sent", async () => {
    const hre = await createHardhatRuntimeEnvironment({ networks: fewAccounts() });
    const { provider } = await hre.network.create();
    let isFailing = false;
    const node = await httpServer(({ url, body }, response) => {
      const calls = [JSON.parse(body) as unknown].flat() as {
        id: number;
        method: string;
        params?: unknown[];
      }[];
      const replies = calls.map(async ({ id, method, params = [] }) => {
        const error = {
          code: -32000,
          message: `cannot serve http://some.host${url} ${url}`,
          data: { url },
        };
        if (isFailing && method !== "eth_chainId") return { jsonrpc: "2.0", id, error };
        return await provider.request({ method, params }).then(
          (result: unknown) => ({ jsonrpc: "2.0", id, result }),
          () => ({ jsonrpc: "2.0", id, error }),
        );
      });
      void Promise.all(replies).then((all) => {
        sendJson(response, 200, body.startsWith("[") ? all : all[0]);
      });
    });
    const hooks = await httpServer((_seen, response) => {
      sendText(response, 200, "");
    });
    const folder = await mkdtemp(join(tmpdir(), "hdp-no-secret-"));
    const url = `${node.url}/v2/${secrets.nodePath}?key=${secrets.nodeQuery}`;
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    await writeFile(
      join(folder, "hardhat.config.ts"),
      `import hdp from ${JSON.stringify(pathToFileURL(join(root, "dist", "index.js")).href)};
       import { configVariable } from "hardhat/config";
       export default { plugins: [hdp], networks: { running: { type: "http", url: configVariable("SECRET_NODE") } } };`,
    );
    Object.assign(process.env, { SECRET_NODE: url, HDP_NODE_API_KEY: secrets.apiKey });
    const args = ["hdp:node", "--network", "running", "--hdp-port", "0", "--data-dir", "data"];
    const server = await runServer(args, folder);
    try {
      const seen: string[] = [];
      const ask = async (path: string, body?: unknown): Promise<string> => {
        const headers = {
          "x-api-key": secrets.apiKey,
          "api-key": secrets.apiKey,
          "content-type": "application/json",
        };
        const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
        const text = await (await fetch(`${server.server}${path}`, { headers, ...post })).text();
        seen.push(text);
        return text;
      };
      const uuids: string[] = [];
      for (const failing of [false, true]) {
        isFailing = failing;
        const blocks = { blockRangeStart: 0, blockRangeEnd: failing ? 0 : 1 };
        const [task] = TASK.tasks;
        const tasks = [{ ...task, datalake: { ...task?.datalake, ...blocks } }];
        const webhook_url = `${hooks.url}/${secrets.webhook}?token=${secrets.webhook}`;
        const accepted = JSON.parse(await ask("/tasks", { ...TASK, tasks, webhook_url })) as {
          uuid: string;
        };
        uuids.push(accepted.uuid);
        for (let look = 0; look < 200 && hooks.seen.length < uuids.length; look += 1)
          await pause(50);
      }
      for (const uuid of uuids) {
        for (const path of ["status", "details", "state_transitions"])
          await ask(`/tasks/${uuid}/${path}`);
        await ask(`/dashboard/tasks/${uuid}/0`);
      }
      for (const path of [
        "/",
        "/tasks",
        "/openapi.json",
        "/swagger/",
        "/get_queries/1",
        "/unknown",
      ])
        await ask(path);
      const events = await fetch(`${server.server}/dashboard/events`, {
        headers: { "x-api-key": secrets.apiKey },
      });
      const first = await events.body?.getReader().read();
      seen.push(Buffer.from(first?.value ?? []).toString());
      expect(seen.at(-1)).to.contain(uuids[0]).and.contain(uuids[1]);
      expect(
        hooks.seen.map(({ body }) => (JSON.parse(body) as { status: string }).status),
      ).to.deep.equal(["TaskDecommitmentCompleted", "ChainProofsFetchFailed"]);
      expect(seen.join(), "the node's words").to.contain("cannot serve");
      seen.push(...hooks.seen.map(({ body }) => body), server.output, await processArguments());
      const stored = await texts(join(folder, "data"));
      expect(stored.size).to.be.greaterThan(0);
      for (const [place, secret] of Object.entries(secrets)) {
        // The server keeps the address of a webhook, to call it after a restart.
        const files = place === "webhook" ? [] : [...stored.values()];
        for (const form of forms(secret)) {
          const found = [...seen, ...files].find((text) => text.includes(form));
          expect(
            found?.slice(Math.max(0, found.indexOf(form) - 300)).slice(0, 400),
            place,
          ).to.equal(undefined);
        }
      }
    } finally {
      for (const name of ["SECRET_NODE", "HDP_NODE_API_KEY"])
        Reflect.deleteProperty(process.env, name);
      expect(await server.interrupt()).to.equal(0);
      await Promise.all([node.close(), hooks.close()]);
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("no secret of a login", function () {
  this.timeout(180_000);
  const key = (): string => `sk_${randomBytes(9).toString("base64url")}7.x~Z`;
  const secrets = {
    challengeToken: key(),
    accessToken: key(),
    refreshToken: key(),
    apiKey: key(),
    path: key(),
    account: `0x${randomBytes(32).toString("hex")}`,
  };
  const variables = { ...process.env };
  let server: LoginServer;
  let folder = "";
  let hre: HardhatRuntimeEnvironment;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-no-secret-"));
    server = await loginServer(`/${secrets.path}`, secrets);
    // The keystore asks for nothing in continuous integration, and is in the user's folder.
    const ci = ["CI", "GITHUB_ACTIONS", "CONTINUOUS_INTEGRATION", "BUILD_NUMBER", "RUN_ID"];
    for (const name of ci) Reflect.deleteProperty(process.env, name);
    process.env["XDG_CONFIG_HOME"] = join(folder, "config");
    const url = `${server.url}/${secrets.path}`;
    const hdp = { dataProcessor: { url, loginUrl: url, apiKey: configVariable("MY_KEY") } };
    const accounts = [{ privateKey: secrets.account, balance: "0" }];
    ({ hre } = await testProject(
      {
        plugins: [hardhatHdp, hardhatKeystore],
        networks: { live: { type: "edr-simulated", accounts, hdp } },
      },
      folder,
      "live",
    ));
    hre.hooks.registerHandlers("userInterruptions", {
      requestSecretInput: async () => await Promise.resolve("a long password"),
    });
  });
  after(async () => {
    Object.assign(process.env, variables);
    if (variables["XDG_CONFIG_HOME"] === undefined)
      Reflect.deleteProperty(process.env, "XDG_CONFIG_HOME");
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the command, and returns its error and the secrets that it shows or leaves in a file. */
  async function shownBy(args: Record<string, unknown>) {
    const { stdout, stderr, error } = await runCommand("login", { yes: true, ...args }, hre);
    const errors = [inspect(error, { depth: 12, showHidden: true }), causes(error)];
    const texted = [stdout, stderr, ...errors, ...(await texts(folder)).values()];
    const all = { ...secrets, ...Object.fromEntries(server.signatures.entries()) };
    const shown = Object.entries(all).flatMap(([name, secret]) =>
      forms(secret).some((form) => texted.some((text) => text.includes(form))) ? [name] : [],
    );
    return { error, shown };
  }

  for (const call of LOGIN_CALLS) {
    it(`stays hidden where ${call} fails in any way and quotes all of it`, async () => {
      const failures = Object.entries(FAILURES);
      for (const [mode, failure] of [...failures, ...failures]) {
        server.failAt(call, failure);
        const { error, shown } = await shownBy({});
        expect(shown, mode).to.deep.equal([]);
        expect(error, mode).not.to.equal(undefined);
      }
    });
  }

  it("stays hidden, and is stored readable nowhere, where it succeeds or its key is taken", async () => {
    server.failAt(undefined, () => undefined);
    for (const json of [false, true]) {
      const { error, shown } = await shownBy({ json, force: true });
      expect(shown).to.deep.equal([]);
      expect(error, String(error)).to.equal(undefined);
    }
    const taken = await shownBy({});
    expect(taken.shown).to.deep.equal([]);
    expect(isHdpError(taken.error, "HDP-6090"), String(taken.error)).to.equal(true);
    expect(server.signatures.length).to.be.greaterThan(3);
  });
});

describe("no key of a proxy, and of what lies behind it", function () {
  this.timeout(180_000);
  const key = (): string => `sk_${randomBytes(9).toString("base64url")}7.x~Z`;
  const secrets = { password: `${key()}/%`, nodePath: key(), servicePath: key(), apiKey: key() };
  const connected = new Set<string>();
  let folder = "";
  let proxy: Server;

  before(async () => {
    proxy = createServer().on("connect", ({ headers, url = "" }, socket) => {
      connected.add(url);
      const sent = headers["proxy-authorization"] ?? "";
      const words = `${sent} ${Buffer.from(sent.split(" ")[1] ?? "", "base64").toString()}`;
      socket.end(
        `HTTP/1.1 407 ${words}\r\nproxy-authenticate: Basic realm="${words}"\r\n\r\nno: ${words}`,
      );
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    folder = await mkdtemp(join(tmpdir(), "hdp-no-secret-"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "task.json"), JSON.stringify(TASK));
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    await writeFile(
      join(folder, "hardhat.config.ts"),
      `import hdp from ${JSON.stringify(pathToFileURL(join(root, "dist", "index.js")).href)};
       import { configVariable } from "hardhat/config";
       const dataProcessor = { url: configVariable("SECRET_SERVICE"), apiKey: configVariable("SECRET_KEY") };
       const programRegistry = { submitUrl: configVariable("SECRET_SERVICE") };
       const timeouts = { request: 1_000, await: 500, rpc: 1_000 };
       const far = { type: "http", url: configVariable("SECRET_NODE"), hdp: { dataProcessor, programRegistry, timeouts } };
       export default { plugins: [hdp], networks: { far } };`,
    );
  });
  after(async () => {
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const args of [
    ["submit", "task.json", "--yes"],
    ["check", "task.json"],
    ["result", HASH],
    ["explain", "task.json"],
    ["program", "show", "0x1"],
    ["doctor"],
  ]) {
    it(`prints no key in hdp ${args.join(" ")}, in a process of its own with its stacks`, async () => {
      const env = {
        HTTP_PROXY: `http://user:${encodeURIComponent(secrets.password)}@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        NO_PROXY: "",
        NODE_USE_ENV_PROXY: "1",
        SECRET_KEY: secrets.apiKey,
        SECRET_NODE: `http://node.example/v2/${secrets.nodePath}`,
        SECRET_SERVICE: `http://service.example/${secrets.servicePath}`,
      };
      for (const json of [[], ["--json"]]) {
        const all = ["hdp", ...args, ...json, "--network", "far", "--show-stack-traces"];
        const { stdout, stderr } = await hardhatProcess(all, { cwd: folder, env });
        for (const [place, secret] of Object.entries(secrets)) {
          for (const form of forms(secret)) expect(stdout + stderr, place).not.to.contain(form);
        }
        expect((stdout + stderr).length).to.be.greaterThan(100);
      }
    });
  }

  it("asked every proxy, so that no key was missed", () => {
    expect([...connected]).to.include("node.example:80");
    // Node 22 has no NODE_USE_ENV_PROXY before 22.21.
    if (Number(process.versions.node.split(".")[0]) >= 24)
      expect([...connected]).to.include("service.example:80");
  });
});

/** The arguments of all processes, where the system tells them. */
async function processArguments(): Promise<string> {
  const ids = (await readdir("/proc").catch((): string[] => [])).filter((name) =>
    /^\d+$/.test(name),
  );
  return (
    await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")))
  ).join("\n");
}

/** A key as its place allows it. */
function secretOf(place: Place): string {
  if (place === "accountKey") return `0x${randomBytes(32).toString("hex")}`;
  if (["starknetKey", "guardianKey", "accountVariable"].includes(place))
    return `0x${randomBytes(31).toString("hex")}`;
  return `sk_${randomBytes(9).toString("base64url")}7.x~Z${place.endsWith("Password") ? "/%" : ""}`;
}

/** The forms in which a key can be read off a text. */
function forms(key: string): string[] {
  const basic = [key, encodeURIComponent(key)].map((one) => `user:${one}`);
  const encoded = [key, ...basic].map((one) =>
    Buffer.from(one).toString("base64").replaceAll("=", ""),
  );
  return [key, encodeURIComponent(key), ...encoded];
}

/** Every own property of an error and of its causes, as text. */
function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((name) =>
    inspect(Reflect.get(error, name), { depth: 5 }),
  );
  return [error.message, error.stack ?? "", ...own, causes(error.cause)].join("\n");
}

/** The contents of all files below a folder, by their paths. */
async function texts(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(file, "latin1")] as const)),
  );
}

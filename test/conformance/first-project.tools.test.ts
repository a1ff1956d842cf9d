import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import { expect } from "chai";
import { numberToHex } from "viem";

import { HDP_FORM, rootOfValue } from "../../src/entries/request.js";
import { startAnvil } from "../support/anvil.js";
import { type Geth, hasGeth, startGeth } from "../support/geth.js";
import { hardhatProcess, root } from "../support/hardhat-cli.js";
import { blocksOf } from "../support/markdown-blocks.js";
import { type RunningNode, runServer } from "../support/running-node.js";

/** A network with a service, beside what docs/get-started.md configures. */
const NETWORK = `  networks: {
    live: {
      type: "http",
      url: process.env["CHAIN_URL"] ?? "http://127.0.0.1:1",
      hdp: {
        dataProcessor: {
          url: process.env["SERVICE_URL"] ?? "http://127.0.0.1:1",
          apiKey: "any",
          edition: "module-tasks",
        },
        executionStore: { address: process.env["STORE"] },
      },
    },
  },
});
`;

/** What the task computes: the base fee of a development chain's first block. */
const FEE = 1_000_000_000n;

/** A service of today over a satellite, and one of the specification over a store of 2024. Both prove results by facts. */
const SERVICES = {
  "module-tasks": { kind: "satellite", form: HDP_FORM.module, word: rootOfValue(FEE) },
  tasks: { kind: "execution-store", form: HDP_FORM.datalake, word: numberToHex(FEE, { size: 32 }) },
} as const;

/** Deploys the gate by the script of docs/get-started.md, and says more than that. */
const DEPLOY = (
  blocksOf("docs/get-started.md").find(({ file }) => file === "scripts/deploy.ts")?.text ?? ""
).replace(
  "console.log(gate.address);",
  `const { requiresAuthentication } = await import("hardhat-hdp/store");
const { provider } = await network.getOrCreate();
const provenOnly = await requiresAuthentication(provider, address);
const task = await hdp.task("tasks/fee.json");
console.log(JSON.stringify({ gate: gate.address, task, provenOnly }));`,
);

/** Says whether a gate is open. */
const LOOK = `import { network } from "hardhat";

const { viem } = await network.getOrCreate();
const gate = await viem.getContractAt("FeeGate", process.env["GATE"] as \`0x\${string}\`);
const [isOpen, average] = [await gate.read.isOpen(), await gate.read.averageBaseFee()];
console.log(JSON.stringify({ isOpen, average: String(average) }));
`;

describe("the project that hdp:init writes, with not one byte changed", function () {
  this.timeout(300_000);
  let folder: string;
  let project: string;
  let path: string;
  let written: ReadonlyMap<string, string>;

  before(async () => {
    // Inside the repository, so that packages resolve as in a user's project.
    folder = await mkdtemp(join(root, "test", ".first-project-"));
    project = join(folder, "project");
    path = join(folder, "bin");
    // Node alone: neither Scarb nor any other tool.
    for (const name of [project, path, join(folder, "scripts")]) await mkdir(name);
    await symlink(process.execPath, join(path, "node"));
    await writeFile(join(project, "package.json"), '{ "type": "module" }');
    await configure("module-tasks");
    await run("hdp:init");
    written = await digests();
    expect([...written.keys()]).to.include.members([
      "AGENTS.md",
      join(".agents", "skills", "hardhat-hdp", "SKILL.md"),
      join("contracts", "FeeGate.sol"),
      join("contracts", "FeeGate.t.sol"),
      join("tasks", "fee.json"),
      join("test", "FeeGate.ts"),
    ]);
    const scripts = { deploy: DEPLOY, look: LOOK };
    await mkdir(join(project, "scripts"));
    for (const [name, text] of Object.entries(scripts))
      await writeFile(join(project, "scripts", `${name}.ts`), text);
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    const now = await digests();
    for (const [file, digest] of written) expect(now.get(file), file).to.equal(digest);
  });

  /** Writes the configuration of docs/get-started.md with a service of an API version. */
  async function configure(edition: keyof typeof SERVICES): Promise<void> {
    const shown = blocksOf("docs/get-started.md").find(({ file }) => file === "hardhat.config.ts");
    const solc = createRequire(import.meta.url).resolve("solc/soljson.js");
    const offline = `solidity: { version: "0.8.28", path: ${JSON.stringify(solc)} }`;
    const config = (shown?.text ?? "")
      .replace('solidity: "0.8.28"', offline)
      .replace(/\}\);\n$/, NETWORK)
      .replace('          edition: "module-tasks"', `          edition: "${edition}"`);
    expect(config).to.contain(solc).and.contain(`          edition: "${edition}",\n`);
    await writeFile(join(project, "hardhat.config.ts"), config);
  }

  /** Digests of the files that hdp:init wrote, and of others that are not made by running it. */
  async function digests(): Promise<ReadonlyMap<string, string>> {
    const made = ["artifacts", "cache", "hdp", "scripts", "hardhat.config.ts"];
    const entries = await readdir(project, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(project.length + 1))
      .filter((name) => !made.includes(name.split(/[\\/]/)[0] ?? ""))
      .toSorted();
    const pairs = names.map(async (name) => {
      const text = await readFile(join(project, name));
      return [name, createHash("sha256").update(text).digest("hex")] as const;
    });
    return new Map(await Promise.all(pairs));
  }

  /** Runs a command of Hardhat in the project with Node alone on the PATH. */
  async function run(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, stdout, stderr } = await hardhatProcess(line.split(" "), {
      cwd: project,
      env: { PATH: path, ...env },
    });
    expect(code, `${line}\n${stdout}${stderr}`).to.equal(0);
    return stdout;
  }

  async function startService(edition: keyof typeof SERVICES, url: string): Promise<RunningNode> {
    const cwd = await mkdtemp(join(folder, "service-"));
    const { kind } = SERVICES[edition];
    await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
    await writeFile(
      join(cwd, "hardhat.config.ts"),
      `import hardhatHdp from "hardhat-hdp";
import { defineConfig } from "hardhat/config";

export default defineConfig({
  plugins: [hardhatHdp],
  networks: { chain: { type: "http", url: ${JSON.stringify(url)} } },
  hdp: {
    local: { edition: "${edition}", finalize: "proven" },
    executionStore: { kind: "${kind}" },
  },
});
`,
    );
    return await runServer(["hdp:node", "--network", "chain", "--hdp-port", "0"], cwd);
  }

  /** Submits the task to a service of an API version over a chain, and brings its result to a gate deployed before. */
  async function ships(edition: keyof typeof SERVICES, url: string): Promise<void> {
    await configure(edition);
    const service = await startService(edition, url);
    try {
      const store = /0x[0-9a-fA-F]{40}/.exec(/Execution store.*/.exec(service.output)?.[0] ?? "");
      const env = { CHAIN_URL: url, SERVICE_URL: service.server, STORE: store?.[0] ?? "" };
      const live = "--network live";
      const deployed = JSON.parse(await run(`run scripts/deploy.ts ${live}`, env)) as {
        gate: string;
        task: { hash: string; form: number };
        provenOnly: boolean;
      };
      expect(deployed.provenOnly, "a store that takes results by their facts alone").to.equal(true);
      expect(deployed.task.form).to.equal(SERVICES[edition].form);
      const submitted = await run(`hdp:submit tasks/fee.json ${live} --yes`, env);
      expect(submitted).to.contain("1 gwei on average");
      const result = await run(`hdp:result ${deployed.task.hash} ${live} --json`, env);
      expect(JSON.parse(result)).to.include({
        word: SERVICES[edition].word,
        value: String(FEE),
        store: env.STORE,
      });
      const gate = { ...env, GATE: deployed.gate };
      const look = async (): Promise<unknown> =>
        JSON.parse(await run(`run scripts/look.ts ${live} --no-compile`, gate));
      expect(await look()).to.deep.equal({ isOpen: false, average: "0" });
      const deliver = `hdp deliver tasks/fee.json FeeGate@${deployed.gate} update ${live} --yes`;
      expect(await run(deliver, env)).to.match(/Delivered +✔/);
      expect(await look()).to.deep.equal({ isOpen: true, average: String(FEE) });
      expect(await run(deliver, env)).to.contain("nothing was sent");
    } finally {
      await service.interrupt();
    }
  }

  it("passes its tests in process", async () => {
    expect(await run("test")).to.contain("8 passing (6 solidity, 2 mocha)");
  });

  describe("over geth", () => {
    let geth: Geth;

    before(async function () {
      if (!hasGeth()) this.skip();
      geth = await startGeth();
    });

    after(async () => {
      await (geth as Geth | undefined)?.stop();
    });

    it("acts on a result of the service of today, which a satellite took by its facts", async () => {
      await ships("module-tasks", geth.url);
    });

    it("acts on a result of the specification's service in a store of 2024, by one changed line", async () => {
      await ships("tasks", geth.url);
    });
  });

  it("over anvil acts on a result of the service of today, which a satellite took by its facts", async () => {
    const anvil = await startAnvil();
    try {
      await ships("module-tasks", anvil.url);
    } finally {
      await anvil.stop();
    }
  });
});

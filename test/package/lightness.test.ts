import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";
import { toFunctionSelector } from "viem/utils";

import { BuiltPackage } from "../support/built-package.js";
import { command, root } from "../support/hardhat-cli.js";
import { COMMANDS } from "../support/run-command.js";

/** Every file a fresh process loads for an import, from Node's own list of loaded modules. */
async function loadedBy(code: string, cwd = root): Promise<string[]> {
  const hooks = `
    import { registerHooks } from "node:module";
    import { writeSync } from "node:fs";
    const seen = [];
    registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
    process.on("exit", () => writeSync(1, "\\n" + JSON.stringify(seen)));
    ${code}
  `;
  const {
    stdout,
    stderr,
    code: exit,
  } = await command(process.execPath, ["--input-type=module", "-e", hooks], { cwd });
  expect(exit, stderr).to.equal(0);
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n"))) as string[];
}

/** What a command of Hardhat loads, in a project with this plugin alone. */
async function loadedByCommand(...args: readonly string[]): Promise<string[]> {
  const project = mkdtempSync(join(root, "test", ".lightness-"));
  try {
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    const config = `import hardhatHdp from "hardhat-hdp";\nexport default { plugins: [hardhatHdp] };\n`;
    writeFileSync(join(project, "hardhat.config.js"), config);
    writeFileSync(
      join(project, "task.json"),
      JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] }),
    );
    const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
    return await loadedBy(
      `process.argv.splice(1, 0, ${JSON.stringify(cli)}); process.argv.push(...${JSON.stringify(args)});
       await import(${JSON.stringify(pathToFileURL(cli).href)});`,
      project,
    );
  } finally {
    rmSync(project, { recursive: true });
  }
}

const task = {
  type: "DatalakeCompute",
  datalake: {
    type: "BlockSampled",
    chainId: "ETHEREUM_SEPOLIA",
    blockRangeStart: 0,
    blockRangeEnd: 0,
    sampledProperty: "header.number",
  },
  compute: { aggregateFnId: "sum" },
};

const address = (path: string): string => JSON.stringify(pathToFileURL(join(root, path)).href);
const heavyPackages =
  /node_modules\/(viem|undici|starknet|@ethereumjs|@scure\/starknet|@openzeppelin)\//;
const RESULT = "function getDataProcessorFinalizedTaskResult(bytes32)";
const machine = /src\/cairo\/(machine|memory|step|hints|builtins)/;
const curves = /node_modules\/@scure\/starknet\/|weierstrass/;

describe("loading the plugin", () => {
  let built: BuiltPackage;
  before(() => {
    built = new BuiltPackage();
  });

  it("loads neither viem nor undici nor zod nor the local data processor", async () => {
    const loaded = await loadedBy(`await import(${address("dist/index.js")});`);
    const sources = built.sourcesOf(loaded);
    expect(sources).to.include("src/index.ts");
    expect(loaded.filter((url) => heavyPackages.test(url) || url.includes("/zod/"))).to.deep.equal(
      [],
    );
    const heavy =
      /node_modules|src\/(base|request|program|cairo|chain|store|service|submission|compute|dev-server)\//;
    // The tables of chains and of hosted services: every command's configuration is resolved with it.
    expect(sources.filter((file) => heavy.test(file))).to.have.members([
      "src/base/collections.ts",
      "src/request/chains.ts",
      "src/service/known-services.ts",
    ]);
  });

  it("lists commands with the tables of chains and services, and nothing else of what is below the plugin", async () => {
    const sources = built.sourcesOf(await loadedByCommand("--help"));
    expect(sources.sort()).to.deep.equal([
      "src/base/collections.ts",
      "src/index.ts",
      "src/plugin/caller.ts",
      "src/plugin/config/config.ts",
      "src/plugin/config/hosted-services.ts",
      "src/plugin/hdp.ts",
      "src/plugin/stores/shipped-artifacts.ts",
      "src/request/chains.ts",
      "src/service/known-services.ts",
      "src/tasks/commands.ts",
    ]);
  });

  it("loads what explains a failed read, and asks the node more, in the failure alone", async () => {
    const read = async (taskHash: string): Promise<string[]> => {
      const loaded = await loadedBy(`
        const { createHardhatRuntimeEnvironment } = await import("hardhat/hre");
        const { default: hardhatHdp } = await import(${address("dist/index.js")});
        const { provider, hdp } = await (await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] })).network.create();
        const { address } = await hdp.deployExecutionStore();
        await hdp.finalize("0x${"11".repeat(32)}", 7n);
        const request = provider.request.bind(provider);
        provider.request = async (call) => {
          if (call.method !== "eth_call") seen.push("asked: " + call.method);
          return await request(call);
        };
        const data = "${toFunctionSelector(RESULT)}" + "${taskHash.slice(2)}";
        const params = [{ from: address, to: address, data }, "latest"];
        await provider.request({ method: "eth_call", params }).catch(() => seen.push("failed"));
      `);
      const ofFailure = [...built.sourcesOf(loaded), ...loaded].filter((one) =>
        /^src\/plugin\/read-failures|^src\/submission\/explain-read|^asked: |^failed/.test(one),
      );
      return [...new Set(ofFailure)].sort();
    };
    expect(await read(`0x${"11".repeat(32)}`)).to.deep.equal([]);
    expect(await read(`0x${"12".repeat(32)}`)).to.deep.equal([
      "asked: debug_traceCall",
      "asked: eth_accounts",
      "asked: eth_getLogs",
      "asked: hardhat_metadata",
      "failed",
      "src/plugin/read-failures.ts",
      "src/submission/explain-read.ts",
    ]);
  });

  it("computes a datalake task without the Cairo machine, Starknet's curves, an HTTP client or packages of viem", async () => {
    const loaded = await loadedByCommand("hdp:submit", "task.json");
    const sources = built.sourcesOf(loaded);
    expect(sources).to.include("src/compute/evaluate.ts").and.to.include("src/tasks/submit.ts");
    expect(sources.filter((file) => machine.test(file) || curves.test(file))).to.deep.equal([]);
    expect(
      sources.filter((file) =>
        /^src\/(dev-server|service\/http\/(?!polling|secrets|service-errors))/.test(file),
      ),
    ).to.deep.equal([]);
    expect(loaded.filter((url) => heavyPackages.test(url))).to.deep.equal([]);
  });

  it("names a heavy module when one is loaded", async () => {
    const loaded = await loadedBy(
      `await import(${address("dist/index.js")}); await import("viem");`,
    );
    expect(loaded.some((url) => heavyPackages.test(url))).to.equal(true);
  });
});

describe("what stands in the shipped files", () => {
  let built: BuiltPackage;
  before(() => {
    built = new BuiltPackage();
  });

  it("keeps every command below what the heaviest needs", () => {
    const loads = Object.values(COMMANDS).map(({ action }) => String(action));
    const files = new Set(
      loads.map((load) => /import\("\.\/([^"]+)\.js"\)/.exec(load)?.[1] ?? load),
    );
    expect(files.size).to.be.greaterThan(10);
    for (const name of files) {
      const file = `src/tasks/${name}.ts`;
      const loaded = built.loadedWith(built.of(file));
      const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0);
      expect(bytes, `${file} loads ${bytes} bytes`).to.be.lessThan(600_000);
      const sources = loaded.flatMap((one) => one.sources);
      expect(
        sources.filter((source) => machine.test(source) || source.startsWith("src/dev-server/")),
        file,
      ).to.deep.equal([]);
      const hasCurves = sources.some((source) => curves.test(source));
      expect(hasCurves, file).to.equal(false);
      const packages = loaded
        .flatMap((one) => one.packages)
        .filter((one) => !/^(node:|hardhat\/|zod$)/.test(one));
      const unusual = packages.filter((one) => !one.startsWith("@nomicfoundation/hardhat-utils/"));
      expect([...new Set(unusual)], file).to.deep.equal([]);
    }
  });

  it("contains no import call that tsx would write a chunk anew for, but where another package is asked for", () => {
    const chunks = [...built.files.values()].filter(({ path }) => path.includes("/chunks/"));
    expect(chunks.length).to.be.greaterThan(100);
    let lazily = 0;
    for (const { path, loadsLater, packagesLater } of chunks) {
      const code = readFileSync(join(root, path), "utf8");
      for (const file of loadsLater) expect(code, path).to.include(`lazily("./${basename(file)}")`);
      if (loadsLater.length > 0) lazily += 1;
      if (packagesLater.length === 0) expect(code, path).not.to.match(/\bimport\("/);
    }
    expect(lazily).to.be.greaterThan(10);
  });

  it("carries parts of a few packages, and asks for no other than it declares", () => {
    const sources = [...built.files.values()].flatMap((file) => file.sources);
    const carried = sources.flatMap(
      (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
    );
    expect([...new Set(carried)].sort()).to.deep.equal([
      "@noble/curves",
      "@noble/hashes",
      "@scure/starknet",
      "abitype",
      "jsonc-parser",
      "smol-toml",
      "viem",
    ]);
    const asked = [...built.files.values()].flatMap((file) => [
      ...file.packages,
      ...file.packagesLater,
    ]);
    const names = asked
      .filter((one) => !one.startsWith("node:"))
      .map((one) => /^(?:@[^/]+\/)?[^/]+/.exec(one)?.[0]);
    expect([...new Set(names)].sort()).to.deep.equal([
      "@nomicfoundation/hardhat-ignition",
      "@nomicfoundation/hardhat-utils",
      "@nomicfoundation/hardhat-zod-utils",
      "chai",
      "ethers",
      "hardhat",
      "starknet",
      "undici",
      "viem",
      "zod",
    ]);
  });
});

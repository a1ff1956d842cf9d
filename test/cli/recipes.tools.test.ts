import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { deployExecutionStoreMock } from "../../src/entries/store.js";
import { ethCallClass } from "../support/eth-call-class.js";
import { command, fixtureProject, hardhat, root } from "../support/hardhat-cli.js";
import { testProject } from "../support/remote-project.js";
import { serve } from "../support/rpc-server.js";

/** The class of proven calls: not in the repository, since it is compiled from a library of others. */

/** Recipes with the number of their tests. */
const RECIPES = {
  airdrop: "3 passing",
  "cross-chain": "2 passing",
  events: "3 passing",
  "gas-insurance": "5 passing",
  "l2-source": "2 passing",
  "live-data": "2 passing",
  "past-voting": "3 passing",
  "rolling-average": "3 passing",
  twap: "2 passing",
  upgradeable: "3 passing",
  "view-call": "2 passing",
};
/** Files of recipes that deploy, from the folder of recipes, with the command that runs each. */
const DEPLOY_SCRIPTS = {
  "rolling-average/jobs/deploy.ts": ["run", "jobs/deploy.ts"],
  "upgradeable/ignition/modules/FeeGate.ts": ["ignition", "deploy", "ignition/modules/FeeGate.ts"],
};
/** Recipes that other tests run in their place. */
const ELSEWHERE = ["ethers-typechain", "module-balance", "one-task-three-tests", "starknet-gate"];

describe("the recipes that hdp:init --example writes", function () {
  this.timeout(240_000);
  let cwd: string;

  before(async () => {
    // Inside the repository, so that packages resolve as in a user's project.
    cwd = await mkdtemp(join(root, "test", ".recipes-"));
    await writeFile(join(cwd, "package.json"), '{ "type": "module" }');
    await cp(join(fixtureProject, "hardhat.config.ts"), join(cwd, "hardhat.config.ts"));
  });
  after(async () => await rm(cwd, { recursive: true, force: true }));

  it("writes all recipes that the package has, each with a README of at most 32 lines", async () => {
    const names = await readdir(join(root, "examples"));
    expect(names.sort()).to.deep.equal([...Object.keys(RECIPES), ...ELSEWHERE].sort());
    for (const name of names) {
      const lines = (await readFile(join(root, "examples", name, "README.md"), "utf8")).split("\n");
      expect(lines.length, name).to.be.at.most(33);
      if (!ELSEWHERE.includes(name)) {
        expect(lines, name).to.include.members([
          "## Run it",
          "## What it costs",
          "## What is trusted",
        ]);
      }
      expect(await readFile(join(root, "docs", "recipes.md"), "utf8")).to.include(`\`${name}\``);
    }
  });

  it("refuses a name that is none, and overwrites nothing", async () => {
    const unknown = await hardhat(["hdp:init", "--example", "gas-insuranc"], { cwd });
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.include(
      '"gas-insuranc" is not an example. Did you mean "gas-insurance"?',
    );

    expect((await hardhat(["hdp:init", "--example", "module-balance"], { cwd })).code).to.equal(0);
    await writeFile(join(cwd, "module-balance", "README.md"), "mine");
    const again = await hardhat(["hdp:init", "--example", "module-balance", "--json"], { cwd });
    const { files } = JSON.parse(again.stdout) as { files: { change: string }[] };
    expect(new Set(files.map(({ change }) => change))).to.deep.equal(new Set(["kept"]));
    expect(await readFile(join(cwd, "module-balance", "README.md"), "utf8")).to.equal("mine");
  });

  it("need no package that theirs does not name, and name the command that runs their tests", async () => {
    for (const name of await readdir(join(root, "examples"))) {
      const folder = join(root, "examples", name);
      const { devDependencies } = JSON.parse(
        await readFile(join(folder, "package.json"), "utf8"),
      ) as {
        devDependencies: Record<string, string>;
      };
      const config = await readFile(join(folder, "hardhat.config.ts"), "utf8");
      const used = [...config.matchAll(/(?:from |resolve\()"((?:@[^/"]+\/)?[^/":]+)[/"]/g)].map(
        ([, used = ""]) => used,
      );
      expect(used, name).to.include("hardhat-hdp");
      expect(Object.keys(devDependencies), name).to.include.members(used);
    }
    const { stdout } = await hardhat(["hdp:init", "--example", "module-balance"], { cwd });
    expect(stdout).to.include("cd module-balance && npx hardhat hdp module test");
  });

  it("name the exact version of a compiler", async () => {
    const bare = await mkdtemp(join(tmpdir(), "hdp-recipes-"));
    try {
      await mkdir(join(bare, "node_modules"));
      await symlink(join(root, "node_modules", "hardhat"), join(bare, "node_modules", "hardhat"));
      await symlink(root, join(bare, "node_modules", "hardhat-hdp"));
      await writeFile(join(bare, "package.json"), '{ "type": "module" }');
      await cp(
        join(root, "examples", "module-balance", "hardhat.config.ts"),
        join(bare, "hardhat.config.ts"),
      );
      const { stdout } = await hardhat(["hdp:init", "--example", "ethers-typechain"], {
        cwd: bare,
      });
      expect(stdout).to.match(
        /npm install --save-dev @nomicfoundation\/hardhat-ethers .* solc@0\.8\.28 /,
      );
    } finally {
      await rm(bare, { recursive: true, force: true });
    }
  });

  it("name the package where it lies", async () => {
    expect(
      (await hardhat(["hdp:init", "--example", "one-task-three-tests"], { cwd })).code,
    ).to.equal(0);
    const scarb = await readFile(join(cwd, "one-task-three-tests", "cairo", "Scarb.toml"), "utf8");
    for (const [, path = ""] of scarb.matchAll(/path = "(.+)"/g)) {
      expect(
        existsSync(join(cwd, "one-task-three-tests", "cairo", path, "Scarb.toml")),
        path,
      ).to.equal(true);
    }
    const task = await readFile(join(cwd, "one-task-three-tests", "tasks", "fee.json"), "utf8");
    expect(
      existsSync(
        join(cwd, "one-task-three-tests", "tasks", /"\$schema": "(.+)"/.exec(task)?.[1] ?? ""),
      ),
    ).to.equal(true);
  });

  for (const [name, passing] of Object.entries(RECIPES)) {
    it(`${name} passes its tests, all of them`, async () => {
      const written = await hardhat(["hdp:init", "--example", name], { cwd });
      expect(written.code, written.stderr).to.equal(0);
      expect(written.stdout)
        .to.include(`cd ${name} && npx hardhat test`)
        .and.not.include("npm install");
      const project = join(cwd, name);
      const config = await readFile(join(project, "hardhat.config.ts"), "utf8");
      await writeFile(join(project, "hardhat.config.ts"), offline(config));
      if (name === "view-call") {
        const target = join(project, "eth_call", "target", "dev");
        await mkdir(target, { recursive: true });
        await cp(ethCallClass(), join(target, "eth_call_Module.compiled_contract_class.json"));
      }
      const { code, stdout, stderr } = await hardhat(["test"], { cwd: project });
      expect(code, stdout + stderr).to.equal(0);
      expect(stdout).to.include(passing);
    });
  }

  it("have no other file that deploys than the scripts that are run here", async () => {
    const folders = [join(root, "examples"), join(root, "templates")];
    const deploying = await Promise.all(folders.map(deployingFiles));
    const here = deploying
      .flat()
      .filter((file) => !ELSEWHERE.includes(file.split("/", 1)[0] ?? ""));
    expect(here.sort()).to.deep.equal(Object.keys(DEPLOY_SCRIPTS).sort());
  });

  it("deploy nothing over a mock of a live chain", async () => {
    const { hre } = await testProject({
      networks: { own: { type: "edr-simulated", chainId: 777 } },
    });
    const { provider } = await hre.network.create("own");
    const { address } = await deployExecutionStoreMock({ provider });
    const node = await serve(provider, { isLive: true });
    const network = `{ type: "http", url: "${node.url}", hdp: { executionStore: { address: "${address}" } } }`;
    try {
      for (const [script, args] of Object.entries(DEPLOY_SCRIPTS)) {
        const project = join(cwd, script.split("/", 1)[0] ?? "");
        const file = join(project, "hardhat.config.ts");
        const config = await readFile(file, "utf8");
        const live = `defineConfig({\n  networks: { live: ${network} },`;
        await writeFile(file, config.replace("defineConfig({", live));
        const { code, stderr } = await hardhat([...args, "--network", "live"], {
          cwd: project,
          env: { HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: "true" },
        });
        expect(code, script).to.equal(1);
        expect(stderr, script).to.contain("HDP-6027").and.contain(`${address} is a mock`);
      }
      expect(await provider.request({ method: "eth_blockNumber" })).to.equal("0x1");
    } finally {
      await node.close();
    }
  });

  it("type-check", async () => {
    const compilerOptions = {
      target: "ES2023",
      module: "NodeNext",
      types: ["node", "mocha"],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    };
    const include = ["*/hardhat.config.ts", "*/test/*.ts", "*/jobs/*.ts", "*/artifacts/**/*.d.ts"];
    const exclude = ELSEWHERE;
    await writeFile(
      join(cwd, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include, exclude }),
    );
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const { code, stdout } = await command(process.execPath, [tsc, "-p", cwd]);
    expect(code, stdout).to.equal(0);
  });
});

/** Returns the TypeScript files under a folder that deploy a contract, but for tests. */
async function deployingFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const scripts = names.filter(
    (name) => name.endsWith(".ts") && !/\btest\b|node_modules/.test(name),
  );
  const texts = await Promise.all(
    scripts.map(async (name) => await readFile(join(folder, name), "utf8")),
  );
  return scripts.filter((_, at) => /deployContract\(|buildModule\(/.test(texts[at] ?? ""));
}

/** The configuration as it stands, but for the compiler: it comes from npm, so that nothing is downloaded. */
function offline(config: string): string {
  const compiler =
    'solidity: { version: "0.8.28", path: createRequire(import.meta.url).resolve("solc/soljson.js") }';
  const changed = config.replace('solidity: "0.8.28"', compiler);
  expect(changed).not.to.equal(config);
  return `import { createRequire } from "node:module";\n${changed}`;
}

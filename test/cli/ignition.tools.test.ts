import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { command, root } from "../support/hardhat-cli.js";
import { runServer, type RunningNode } from "../support/running-node.js";

const CLI = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
const FIXTURE = join(root, "test", "fixture-node-test");

describe("a node on which Ignition and commands deploy", function () {
  this.timeout(180_000);
  let folder: string;
  let node: RunningNode;
  let url: string;
  /** Keys of the node's address, and what commands printed. */
  const keys = [randomBytes(12).toString("hex"), randomBytes(12).toString("hex")];
  const printed: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-ignition-"));
    for (const name of [
      "contracts",
      "ignition",
      "hardhat.config.ts",
      "package.json",
      "tsconfig.json",
    ]) {
      await cp(join(FIXTURE, name), join(folder, name), { recursive: true });
    }
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await cp(join(root, "templates", "project", "tasks"), join(folder, "tasks"), {
      recursive: true,
    });
    node = await runServer(["node", "--hostname", "127.0.0.1", "--port", "0"], folder);
    url = `${/http:\/\/127\.0\.0\.1:\d+/.exec(node.output)?.[0] ?? ""}/v2/${keys.join("?key=")}`;
    const config = `import { configVariable } from "hardhat/config";
import config from "./hardhat.config.ts";
const shared = { type: "http", url: configVariable("SECRET_NODE") };
export default { ...config, networks: { ...config.networks, shared } };
`;
    await writeFile(join(folder, "node.config.ts"), config);
  });

  after(async () => {
    await node.interrupt();
    await rm(folder, { recursive: true });
  });

  async function run(...args: readonly string[]): Promise<string> {
    const all = [CLI, "--config", "node.config.ts", ...args, "--network", "shared"];
    const { code, stdout, stderr } = await command(process.execPath, all, {
      cwd: folder,
      env: { SECRET_NODE: url },
    });
    printed.push(stdout, stderr);
    expect(code, stdout + stderr).to.equal(0);
    return stdout + stderr;
  }

  const deploy = async (): Promise<string> =>
    await run("ignition", "deploy", "ignition/modules/FeeGate.ts");

  it("deploys the module again after results were finalized, and finds its store", async () => {
    const store = /HdpExecutionStoreMock - (0x\w{40})/.exec(await deploy())?.[1] ?? "";
    expect(store).to.match(/^0x/);
    expect(await run("hdp", "submit", "tasks/fee.json")).to.contain(`store ${store}`);
    expect(await deploy()).to.contain("Nothing new to deploy");
    // A second store, as when a script deploys one.
    const second = await run("hdp", "store", "deploy");
    expect(second).to.match(/Execution store {2}0x\w{40} {2}\(mock, network "shared"\)/);
    expect(await deploy()).to.contain("Nothing new to deploy");
    const both = await run("hdp", "submit", "tasks/fee.json", "--force");
    expect(both)
      .to.contain("has two mock execution stores")
      .and.contain(`npx hardhat hdp store use ${store}`);
    await run("hdp", "store", "use", store);
    const after = await run("hdp", "submit", "tasks/fee.json", "--force");
    expect(after).to.contain(`store ${store}`).and.not.contain("two mock");
  });

  it("leaves no key of the node's address in output, Ignition's journals and the project", async () => {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    );
    const names = files.map(({ name, parentPath }) => join(parentPath, name));
    expect(names.filter((name) => name.endsWith("journal.jsonl"))).to.have.length.greaterThan(0);
    const stored = await Promise.all(names.map(async (name) => await readFile(name, "latin1")));
    for (const key of keys) {
      expect(names.filter((_, at) => stored[at]?.includes(key))).to.deep.equal([]);
      expect(printed.join()).to.contain("Execution store").and.not.contain(key);
    }
  });
});

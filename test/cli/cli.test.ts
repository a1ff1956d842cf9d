import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { expect } from "chai";

import { fixtureProject, hardhat, root } from "../support/hardhat-cli.js";

// Source of the hash: an average over header.base_fee_per_gas of block 0, hashed in the Solidity library and here.
const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe("the command line", () => {
  it("lists its commands in groups, alone and with --help", async () => {
    const { code, stdout } = await hardhat(["hdp"]);
    expect(code).to.equal(0);
    for (const name of [
      "submit",
      "status",
      "await",
      "result",
      "hash",
      "check",
      "fields",
      "store",
    ]) {
      expect(stdout).to.contain(`    hdp ${name} `);
    }
    expect(stdout).to.match(/^ {2}Services\n {4}hdp login/m);
    const help = await hardhat(["hdp", "--help"]);
    expect(help.stdout).to.match(/^ {4}Services +login, service-tasks, service-modules/m);
    expect(help.stdout).to.match(
      /^ {2}hdp submit +Submit task files, await them and print their results$/m,
    );
  });

  it("adds nine root tasks to Hardhat's help, and its own subtasks once each", async () => {
    const { stdout } = await hardhat(["--help"]);
    const [tasks = "", subtasks = ""] =
      stdout.split("AVAILABLE TASKS:")[1]?.split("AVAILABLE SUBTASKS:") ?? [];
    expect(tasks.match(/^ {2}hdp\S*/gm)).to.have.length(9);
    const listed = subtasks.match(/^ {2}hdp \S+/gm) ?? [];
    expect(listed).to.include("  hdp submit").and.to.include("  hdp module");
    expect(new Set(listed).size).to.equal(listed.length);
    expect(subtasks).not.to.contain("test cairo");
  });

  it("answers a command that does not exist with the nearest, whatever follows it", async () => {
    for (const [words, meant] of [
      [["sumbit", "tasks/fee.json"], '"sumbit" is not a command. Did you mean "hdp submit"?'],
      [["modul", "new", "x"], '"modul" is not a command. Did you mean "hdp module new"?'],
      [["module", "biuld"], '"biuld" is not a command. Did you mean "hdp module build"?'],
      [["lsit"], '"lsit" is not a command. Did you mean "hdp list"?'],
      [["qwertz"], '"qwertz" is not a command.\n'],
    ] as const) {
      const { code, stderr } = await hardhat(["hdp", ...words]);
      expect(code).to.equal(1);
      expect(stderr)
        .to.match(/HDP-6003 in hdp( module)?: /)
        .and.to.contain(meant)
        .and.to.contain("npx hardhat hdp lists all commands.");
    }
  });

  it("lists the commands below a word that names several", async () => {
    const { code, stdout } = await hardhat(["hdp", "module"]);
    expect(code).to.equal(0);
    expect(stdout.match(/hdp \S+ \S+(?= {2})/g)).to.deep.equal(
      ["new", "build", "run", "test"].map((name) => `hdp module ${name}`),
    );
  });

  it("ends well where nobody reads what it prints, as with `| head -1`", async () => {
    const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
    const child = spawn(process.execPath, [cli, "hdp"], {
      cwd: fixtureProject,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    expect(stderr).to.equal("");
    expect(code).to.equal(0);
  });

  it("looks blocks by reference up where a network is at hand, and refuses them with a sentence elsewhere", async () => {
    const task = (end: unknown): string =>
      JSON.stringify({
        destinationChainId: "ETHEREUM_SEPOLIA",
        tasks: [
          {
            type: "DatalakeCompute",
            datalake: {
              type: "BlockSampled",
              chainId: "ETHEREUM_SEPOLIA",
              blockRangeStart: 0,
              blockRangeEnd: end,
              increment: 1,
              sampledProperty: "header.number",
            },
            compute: { aggregateFnId: "max" },
          },
        ],
      });
    const refused = await hardhat(["hdp", "hash"], { input: task("latest") });
    expect(refused.code).to.equal(1);
    expect(refused.stderr)
      .to.contain("tasks[0].datalake.blockRangeEnd")
      .and.to.contain('"latest" has to be looked up on a chain')
      .and.to.contain("--network");
    expect(refused.stdout).not.to.match(/0x[0-9a-f]{64}/);
    const resolved = await hardhat(["hdp", "hash", "--network", "default"], {
      input: task("latest"),
    });
    expect(resolved.code, resolved.stderr).to.equal(0);
    expect(resolved.stdout).to.match(
      /tasks\[0\]\.datalake\.blockRangeEnd {2}latest is block 0 of 20\S+Z/,
    );
    const numbered = await hardhat(["hdp", "hash"], { input: task(0) });
    expect(numbered.stdout.trim()).to.match(/^0x[0-9a-f]{64}$/);
    expect(resolved.stdout).to.contain(numbered.stdout.trim());
    const submitted = await hardhat(["hdp:submit"], { input: task("latest") });
    expect(submitted.code, submitted.stderr).to.equal(0);
    expect(submitted.stdout)
      .to.contain("latest is block 0 of")
      .and.to.contain(numbered.stdout.trim());
  });

  for (const name of [["hdp:submit"], ["hdp", "submit"]]) {
    it(`${name.join(" ")} previews, computes, finalizes and prints the result`, async () => {
      const { code, stdout, stderr } = await hardhat([...name, "tasks/fee.json"]);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.contain("average of header.base_fee_per_gas");
      expect(stdout).to.contain(
        'Destination  ETHEREUM_SEPOLIA (network "default", local data processor)',
      );
      expect(stdout).to.match(/✔ Finalized/);
      expect(stdout).to.match(
        /Result {2}[\d.]+ gwei on average\n {10}\d{1,3}(,\d{3})*\n {10}word 0x[0-9a-f]{64}\n/,
      );
    });
  }

  it("prints one JSON document on standard output with --json, and progress on standard error", async () => {
    const { code, stdout, stderr } = await hardhat(["hdp:submit", "tasks/fee.json", "--json"]);
    expect(code, stderr).to.equal(0);
    const document = json(stdout) as {
      results: { value: string; word: string; samples: number; proven: boolean }[];
    };
    const [result] = document.results;
    expect(BigInt(result?.value ?? "")).to.equal(BigInt(result?.word ?? ""));
    expect(result).to.include({ samples: 1, proven: true });
    expect(stderr).to.contain("Finalized");
  });

  it("hdp error prints an entry of the catalogue, by number or code", async () => {
    for (const number of ["4411", "HDP-4411", "hdp-4411"]) {
      const { code, stdout, stderr } = await hardhat(["hdp", "error", number]);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.contain("HDP-4411  The compiled class of a program is not known\n");
      expect(stdout.split("\n").filter((line) => line.length > 140)).to.deep.equal([]);
    }
    const { stdout } = await hardhat(["hdp", "error", "5005"]);
    expect(stdout.replace(/\n {2}/g, " ")).to.contain("commands in the message");
  });

  it("hdp error --json prints the entry as it is", async () => {
    const { code, stdout, stderr } = await hardhat(["hdp", "error", "3002", "--json"]);
    expect(code, stderr).to.equal(0);
    expect(json(stdout)).to.deep.equal({
      code: "HDP-3002",
      title: "No contract at the store's address",
      page: "https://github.com/hardhat-hdp/hardhat-hdp/blob/main/docs/errors/stores.md#hdp-3002",
      message:
        "HDP-3002: there is no contract at <address> on this network.\n  Check the execution store's address, and that the node is one of the task's destination chain.",
      description:
        "A reverted snapshot or a restarted development node removes a store: deploy it again.",
    });
  });

  it("hdp error refuses what is no number of the catalogue", async () => {
    for (const number of ["4109", "toString"]) {
      const { code, stdout, stderr } = await hardhat(["hdp", "error", number]);
      expect(code).to.equal(1);
      expect(stdout).to.equal("");
      expect(stderr).to.contain(
        `HDP-6003 in number: "${number}" is not the number of an error.\n  For instance: npx hardhat hdp error 4101`,
      );
    }
  });

  it("reads a task from standard input", async () => {
    const input = JSON.stringify({
      destinationChainId: "SN_SEPOLIA",
      tasks: [
        {
          type: "DatalakeCompute",
          datalake: {
            type: "BlockSampled",
            chainId: "ETHEREUM_SEPOLIA",
            blockRangeStart: 0,
            blockRangeEnd: 0,
            sampledProperty: "header.number",
          },
          compute: { aggregateFnId: "sum" },
        },
      ],
    });
    const { code, stdout, stderr } = await hardhat(["hdp:submit", "--json"], { input });
    expect(code, stderr).to.equal(0);
    expect((json(stdout)["results"] as { value: string }[])[0]?.value).to.equal("0");
  });

  it("hashes and checks in the form of the default network, without connecting to it", async () => {
    const hash = await hardhat(["hdp", "hash", "tasks/fee.json"]);
    expect(hash.code, hash.stderr).to.equal(0);
    expect(hash.stdout.trim()).to.match(/^0x[0-9a-f]{64}$/);
    const check = await hardhat(["hdp:check", "tasks/fee.json", "--json"]);
    expect(json(check.stdout)).to.have.nested.property("tasks[0].taskHash", hash.stdout.trim());
    const old = await hardhat(["hdp", "hash", "tasks/fee.json", "--encoding", "without-chain-id"]);
    expect(old.stdout.trim())
      .to.match(/^0x[0-9a-f]{64}$/)
      .and.not.equal(hash.stdout.trim());
  });

  it("deploys a store and lists fields", async () => {
    const store = await hardhat(["hdp", "store", "deploy", "--json"]);
    expect(json(store.stdout)).to.have.property("mock", true);
    const other = await hardhat(["hdp", "store", "deploy", "--kind", "execution-store"]);
    expect(other.stdout).to.contain("Execution store  0x").and.to.contain("(mock, network");
    const fields = await hardhat(["hdp", "fields", "header"]);
    expect(fields.stdout)
      .to.contain("base_fee_per_gas")
      .and.to.contain("avg, sum, min, max, count");
  });

  const wrongInputs: readonly { name: string; args: string[]; code: string; says: string }[] = [
    {
      name: "a missing file",
      args: ["hdp:submit", "tasks/none.json"],
      code: "HDP-6001",
      says: "tasks/none.json",
    },
    {
      name: "a bad timeout",
      args: ["hdp:submit", "tasks/fee.json", "--timeout", "x"],
      code: "HDP-6003",
      says: '"x"',
    },
    {
      name: "a bad kind of store",
      args: ["hdp", "store", "deploy", "--kind", "x"],
      code: "HDP-6003",
      says: '"x" is not a kind of store.',
    },
    {
      name: "a bad encoding",
      args: ["hdp", "hash", "tasks/fee.json", "--encoding", "x"],
      code: "HDP-6003",
      says: '"x"',
    },
    { name: "a bad task hash", args: ["hdp:result", "0x12"], code: "HDP-3011", says: '"0x12"' },
    {
      name: "a bad store",
      args: ["hdp:result", `0x${"11".repeat(32)}`, "--store", "0x1"],
      code: "HDP-1110",
      says: '"0x1"',
    },
    { name: "a bad kind", args: ["hdp", "fields", "headers"], code: "HDP-6003", says: '"headers"' },
    {
      name: "not waiting locally",
      args: ["hdp:submit", "tasks/fee.json", "--no-wait"],
      code: "HDP-6007",
      says: "--no-wait",
    },
    { name: "an unknown id", args: ["hdp:await", "nobody"], code: "HDP-5010", says: '"nobody"' },
  ];
  for (const { name, args, code: expected, says } of wrongInputs) {
    it(`refuses ${name} without a stack`, async () => {
      const { code, stdout, stderr } = await hardhat(args);
      expect(code).to.equal(1);
      expect(stderr).to.contain(expected).and.to.contain(says);
      expect(stderr).not.to.match(/\n\s+at /);
      expect(stdout).to.equal("");
    });
  }

  it("prints a failure with --json as one document, and ends with the failure's exit code", async () => {
    const { code, stdout, stderr } = await hardhat(["hdp:submit", "tasks/none.json", "--json"]);
    expect(code).to.equal(1);
    const { error } = JSON.parse(stdout) as { error: Record<string, unknown> };
    expect(error)
      .to.include({ code: "HDP-6001" })
      .and.to.have.keys("code", "message", "path", "hints");
    expect(stderr).to.contain("HDP-6001");
    const missing = await hardhat([
      "hdp:result",
      `0x${"11".repeat(32)}`,
      "--store",
      `0x${"22".repeat(20)}`,
      "--json",
    ]);
    expect(JSON.parse(missing.stdout)).to.have.nested.property("error.code", "HDP-3002");
    const gone = await hardhat(["hdp:result", `0x${"11".repeat(32)}`]);
    expect(gone.code).to.equal(3);
    expect(gone.stderr)
      .to.contain("HDP-3001")
      .and.to.contain('Network "default" starts anew with each command');
  });

  it("prints an error once in CI, and beside its file on GitHub", async () => {
    const env = { CI: "true", GITHUB_ACTIONS: "true" };
    const { code, stderr } = await hardhat(["hdp:check", "tasks/none.json"], { env });
    expect(code).to.equal(1);
    expect(stderr.match(/HDP-6001/g)).to.have.length(2);
    expect(stderr)
      .to.match(/^::error [^\n]*title=HDP-6001::/m)
      .and.not.to.match(/\n\s+at /);
    const asked = await hardhat(["--show-stack-traces", "hdp:check", "tasks/none.json"], {
      env: { CI: "true" },
    });
    expect(asked.stderr).to.match(/\n\s+at /);
  });

  it("reports every error of a file at once, with its path", async () => {
    const input = JSON.stringify({
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [
        {
          type: "DatalakeCompute",
          datalake: {
            type: "BlockSampled",
            chainId: "ETHEREUM_SEPOLIA",
            blockRangeStart: 5,
            blockRangeEnd: 1,
            sampledProperty: "header.base_fee",
          },
          compute: { aggregateFnId: "count" },
        },
      ],
    });
    const { code, stderr } = await hardhat(["hdp:check", "--", "-"], { input });
    expect(code).to.equal(1);
    expect(stderr).to.contain('Did you mean "header.base_fee_per_gas"?');
    expect(stderr)
      .to.contain("tasks[0].datalake.sampledProperty")
      .and.to.contain("tasks[0].compute");
  });
});

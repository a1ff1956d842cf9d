import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import { parse } from "smol-toml";
import { z } from "zod";

import { rootOfValue, valueFelts } from "../../src/entries/request.js";
import { type CliResult, hardhat, root } from "../support/hardhat-cli.js";

const EXAMPLE = join(root, "examples", "module-balance");
const TASK = "tasks/balance.json";
const BALANCE = 10_000n * 10n ** 18n;
const ROOT = rootOfValue(BALANCE);
const RETURNED = valueFelts(BALANCE).map(String);

const runSchema = z.array(
  z.object({
    status: z.literal("returned"),
    taskHash: z.string(),
    programHash: z.string(),
    flatProgramHash: z.string(),
    generation: z.string(),
    steps: z.number(),
    retdata: z.array(z.string()),
    outputRoot: z.string(),
    decoded: z.array(z.string()),
    rule: z.string(),
    reads: z.array(
      z.object({ kind: z.string(), field: z.string(), block: z.string(), proven: z.boolean() }),
    ),
  }),
);

describe("modules on the command line", () => {
  const folders: string[] = [];
  /** An empty project below the repository, so that the package is found by its name. */
  const project = (): string => {
    const folder = mkdtempSync(join(root, "test", ".modules-"));
    folders.push(folder);
    writeFileSync(join(folder, "package.json"), '{ "name": "trial", "type": "module" }');
    copyFileSync(join(EXAMPLE, "hardhat.config.ts"), join(folder, "hardhat.config.ts"));
    return folder;
  };
  after(() => {
    folders.forEach((folder) => rmSync(folder, { recursive: true }));
  });

  for (const name of [
    ["hdp", "module", "run"],
    ["hdp", "module", "run"],
  ]) {
    it(`${name.join(" ")} shows reads, steps, output and hashes, and submits nothing`, async () => {
      const { code, stdout, stderr } = await hardhat([...name, TASK], { cwd: EXAMPLE });
      expect(code, stderr).to.equal(0);
      expect(stdout).to.contain("account = 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266  (felt252)");
      expect(stdout).to.match(/returned, \d+ steps, generation head/);
      expect(stdout).to.contain(
        "0x2732acfa21f0e25d14fde0605d9db1313937e8d97d721c228731212d7ad987c  (registry)",
      );
      expect(stdout).to.contain(
        "0x20f06c04d67e1965e3b60df51e88a50ac6b1ab99deca6cffc6e9ca804a0768e  (newer prover",
      );
      expect(stdout).to.match(
        /proven {4}account\.balance of 0xf39f[0-9a-f]+, block 0 of chain 11155111: 10,000,0/,
      );
      expect(stdout).to.contain(`${ROOT}  <- stored by a submission here`);
      expect(stdout).to.contain("nothing was submitted");
    });
  }

  it("prints a run as one JSON document, with exact numbers", async () => {
    const { code, stdout, stderr } = await hardhat(["hdp", "module", "run", TASK, "--json"], {
      cwd: EXAMPLE,
    });
    expect(code, stderr).to.equal(0);
    const [run] = runSchema.parse(JSON.parse(stdout));
    expect(run).to.deep.include({
      retdata: RETURNED,
      outputRoot: ROOT,
      decoded: RETURNED,
      rule: "output-root",
      generation: "head",
    });
    expect(run?.reads).to.deep.equal([
      { kind: "account", field: "balance", block: "0", proven: true },
    ]);
    const hash = await hardhat(["hdp", "hash", TASK], { cwd: EXAMPLE });
    expect(hash.stdout.trim()).to.equal(run?.taskHash);
  });

  it("submits the same file and stores the result that the run printed", async () => {
    const { code, stdout, stderr } = await hardhat(["hdp:submit", TASK, "--json"], {
      cwd: EXAMPLE,
    });
    expect(code, stderr).to.equal(0);
    const schema = z.object({
      results: z.array(z.object({ word: z.string(), output: z.array(z.string()) })),
    });
    expect(schema.parse(JSON.parse(stdout)).results).to.deep.equal([
      { word: ROOT, output: RETURNED },
    ]);
    expect(stderr).to.contain("388 steps, 1 read, output root, all proven");
  });

  it("reads a module from standard input, its class relative to the current folder", async () => {
    const input = readFileSync(join(EXAMPLE, TASK), "utf8").replace("../compiled", "compiled");
    const { code, stdout, stderr } = await hardhat(["hdp:check", "--json"], {
      cwd: EXAMPLE,
      input,
    });
    expect(code, stderr).to.equal(0);
    const { tasks } = z
      .object({
        tasks: z.array(
          z.object({ arguments: z.array(z.object({ name: z.string(), value: z.string() })) }),
        ),
      })
      .parse(JSON.parse(stdout));
    expect(tasks[0]?.arguments.map(({ name, value }) => [name, value])).to.deep.equal([
      ["chain_id", "11155111"],
      ["account", BigInt("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266").toString()],
      ["first_block", "0"],
      ["last_block", "0"],
    ]);
  });

  it("stops at a limit of steps, and refuses one that is none", async () => {
    const few = await hardhat(["hdp", "module", "run", TASK, "--steps-limit", "100"], {
      cwd: EXAMPLE,
    });
    expect(few.code).to.equal(1);
    expect(few.stderr).to.match(/HDP-7109.*100/);
    const none = await hardhat(["hdp", "module", "run", TASK, "--steps-limit", "many"], {
      cwd: EXAMPLE,
    });
    expect(none.stderr).to.contain(
      'HDP-6003 in --steps-limit: "many" is not an integer of 1 or more.',
    );
  });

  it("writes a flame graph with --profile, shows the hottest functions, and says how to have names", async () => {
    const folder = project();
    const input = ["tasks", "compiled"].map(
      (name) => [join(EXAMPLE, name), join(folder, name)] as const,
    );
    for (const [from, to] of input) cpSync(from, to, { recursive: true });
    const args = ["hdp", "module", "run", TASK, "--profile", "out/flame.json", "--open"];
    const { code, stdout, stderr } = await hardhat(args, {
      env: { BROWSER: "none" },
      cwd: folder,
    });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/Profile\s+388 steps in \d+ functions/);
    expect(stdout).to.match(/18\.0 %\s+70\s+388 {2}main/);
    expect(stdout).to.match(/read account: 1 time, waited \d+ ms/);
    expect(stdout).to.contain("sierra-replace-ids = true");
    expect(stdout).to.contain("npx speedscope out/flame.json");
    const { shared, profiles } = z
      .object({
        shared: z.object({ frames: z.array(z.object({ name: z.string() })) }),
        profiles: z.array(z.object({ name: z.string(), endValue: z.number() })),
      })
      .parse(JSON.parse(readFileSync(join(folder, "out/flame.json"), "utf8")));
    expect(profiles[0]).to.deep.equal({ name: "steps", endValue: 388 });
    const page = readFileSync(/Page +(\S+run\.html)/.exec(stdout)?.[1] ?? "", "utf8");
    expect(page).to.contain('"profile":{"steps":388,"named":false,');
    expect(shared.frames.map(({ name }) => name)).to.include(
      "account.balance of 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 in block 0 of chain 11155111",
    );
    const machine = await hardhat(
      ["hdp", "module", "run", TASK, "--profile", "out/flame.json", "--json"],
      {
        cwd: folder,
      },
    );
    const [run] = z
      .array(
        z.object({
          profile: z.object({
            steps: z.number(),
            named: z.boolean(),
            functions: z.array(z.unknown()),
          }),
        }),
      )
      .parse(JSON.parse(machine.stdout));
    expect(run?.profile).to.deep.include({ steps: 388, named: false });
  });

  it("profiles a run that is stopped, and refuses a file that cannot be written", async () => {
    const folder = project();
    for (const name of ["tasks", "compiled"])
      cpSync(join(EXAMPLE, name), join(folder, name), { recursive: true });
    const stopped = await hardhat(
      ["hdp", "module", "run", TASK, "--steps-limit", "100", "--profile", "p.json"],
      {
        cwd: folder,
      },
    );
    expect(stopped.code).to.equal(1);
    expect(stopped.stderr).to.match(/HDP-7109/);
    expect(stopped.stdout).to.match(/Profile\s+100 steps/);
    expect(existsSync(join(folder, "p.json"))).to.equal(true);
    const wrong = await hardhat(["hdp", "module", "run", TASK, "--profile", "tasks"], {
      cwd: folder,
    });
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.contain('HDP-6207 in --profile: "tasks" can\'t be written (EISDIR).');
    expect(wrong.stdout).to.contain("returned, 388 steps");
  });

  it("ends with 1 for a panic, names the function, and says that a source is newer than its class", async () => {
    const folder = project();
    const target = join(folder, "pkg", "target", "dev");
    cpSync(join(EXAMPLE, "compiled"), target, { recursive: true });
    mkdirSync(join(folder, "pkg", "src"));
    writeFileSync(join(folder, "pkg", "Scarb.toml"), "");
    const source = join(folder, "pkg", "src", "lib.cairo");
    writeFileSync(source, "");
    const task = {
      type: "Module",
      module: {
        class: "pkg",
        arguments: { chain_id: 1, account: 1, first_block: 2, last_block: 1 },
      },
    };
    writeFileSync(
      join(folder, "panic.json"),
      JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [task] }),
    );
    const [past, future] = [-60_000, 60_000].map((shift) => new Date(Date.now() + shift));
    utimesSync(join(folder, "pkg", "Scarb.toml"), past ?? 0, past ?? 0);
    utimesSync(source, future ?? 0, future ?? 0);
    const { code, stdout, stderr } = await hardhat(["hdp", "module", "run", "panic.json"], {
      cwd: folder,
    });
    expect(code, stderr).to.equal(1);
    expect(stdout).to.match(/Panic +no blocks in the range\n +in (main|fn@\d+)\n/);
    expect(stdout).to.contain(
      "! pkg/src/lib.cairo is newer than the class that is run: npx hardhat hdp module build pkg\n",
    );
  });

  it("goes on after a test that cannot run, and names it", async () => {
    const folder = project();
    for (const name of ["tasks", "compiled", "tests"])
      cpSync(join(EXAMPLE, name), join(folder, name), { recursive: true });
    const first = {
      name: "without its recording",
      task: "../tasks/balance.json",
      recording: "none.json",
    };
    const slow = {
      name: "with few steps",
      task: "../tasks/balance.json",
      recording: "balance.recording.json",
    };
    const expected = { expect: { returned: "1" } };
    const tests = [
      { ...first, ...expected },
      { ...slow, ...expected },
    ];
    writeFileSync(join(folder, "tests", "a.test.json"), JSON.stringify({ tests }));
    const { code, stdout } = await hardhat(["hdp", "module", "test", "--steps-limit", "200"], {
      cwd: folder,
    });
    expect(code).to.equal(1);
    expect(stdout).to.match(/✘ without its recording .*\n +HDP-6001/);
    expect(stdout).to.match(
      /✘ with few steps .*\n +HDP-7109 in fn@\d+: the module did not return within 200 steps/,
    );
    expect(stdout).to.contain("✔ no blocks");
    expect(stdout).to.contain("1 test passed, 3 failed");
  });

  it("refuses a generation that is none, and a file without modules", async () => {
    const none = await hardhat(["hdp", "module", "run", TASK, "--generation", "2023"], {
      cwd: EXAMPLE,
    });
    expect(none.stderr).to.contain(
      'HDP-6003 in generation: "2023" is not a generation of modules.',
    );
    const datalakes = await hardhat(["hdp", "module", "run", "tasks/fee.json"]);
    expect(datalakes.stderr).to.contain(
      "HDP-1132 in tasks: there is no module task in this request.",
    );
  });

  it("writes a module, and never overwrites one", async () => {
    const cwd = project();
    const first = await hardhat(["hdp", "module", "new", "my_module"], { cwd });
    expect(first.code, first.stderr).to.equal(0);
    expect(first.stdout).to.contain("npx hardhat hdp module build my_module");
    for (const file of ["Scarb.toml", "src/lib.cairo", "tasks/my_module.json", ".gitignore"]) {
      expect(existsSync(join(cwd, "my_module", file)), file).to.equal(true);
    }
    writeFileSync(join(cwd, "my_module", "src", "lib.cairo"), "mine");
    const second = await hardhat(["hdp", "module", "new", "my_module"], { cwd });
    expect(second.code).to.equal(1);
    expect(second.stderr).to.contain('HDP-6207 in name: "my_module" can\'t be written (EEXIST).');
    expect(readFileSync(join(cwd, "my_module", "src", "lib.cairo"), "utf8")).to.equal("mine");
    const wrong = await hardhat(["hdp", "module", "new", "../up"], { cwd });
    expect(wrong.stderr).to.contain("HDP-6003");
  });

  it("says how to get Scarb, passes its words on, and names what it built", async () => {
    const cwd = project();
    const noPackage = await hardhat(["hdp", "module", "build"], { cwd });
    expect(noPackage.stderr).to.contain("HDP-6073 in dir");
    mkdirSync(join(cwd, "balance"));
    writeFileSync(join(cwd, "balance", "Scarb.toml"), "");
    const missing = await hardhat(["hdp", "module", "build", "balance"], {
      cwd,
      env: { SCARB: join(cwd, "no-scarb") },
    });
    expect(missing.stderr).to.contain("HDP-7031").and.to.contain("Install Scarb with starkup");

    // In place of Scarb: a program that ends as it does.
    const scarb = join(cwd, "scarb");
    const script = (body: string): void => {
      writeFileSync(scarb, `#!/bin/sh\n${body}\n`);
      chmodSync(scarb, 0o755);
    };
    script('echo "error: no such type" >&2; exit 3');
    const failed = await hardhat(["hdp", "module", "build", "balance"], {
      cwd,
      env: { SCARB: scarb },
    });
    expect(failed.stderr)
      .to.contain("scarb build failed with exit code 3")
      .and.to.contain("error: no such type");

    script(
      `test "$*" = "--release build" && mkdir -p target/release && cp ${join(EXAMPLE, "compiled")}/* target/release/`,
    );
    const built = await hardhat(["hdp", "module", "build", "balance", "--release"], {
      cwd,
      env: { SCARB: scarb },
    });
    expect(built.code, built.stderr).to.equal(0);
    expect(built.stdout).to.contain(
      "program hash 0x2732acfa21f0e25d14fde0605d9db1313937e8d97d721c228731212d7ad987c",
    );
  });

  it("names what Scarb.toml lacks before it builds, and adds it on demand", async () => {
    const cwd = project();
    const scarb = join(cwd, "scarb");
    writeFileSync(
      scarb,
      `#!/bin/sh\nmkdir -p target/dev && cp ${join(EXAMPLE, "compiled")}/* target/dev/\n`,
    );
    chmodSync(scarb, 0o755);
    const manifest = join(cwd, "own", "Scarb.toml");
    mkdirSync(join(cwd, "own"));
    const build = async (text: string, ...args: string[]): Promise<CliResult> => {
      writeFileSync(manifest, `[package]\nname = "own"\nversion = "0.1.0"\n${text}`);
      return await hardhat(["hdp", "module", "build", "own", ...args], {
        cwd,
        env: { SCARB: scarb },
      });
    };
    const target = "\n[[target.starknet-contract]]\n";
    const both = "casm-add-pythonic-hints = true\n  casm = true";
    for (const [text, lacks, lines] of [
      ["", "casm and casm-add-pythonic-hints", `[[target.starknet-contract]]\n  ${both}`],
      [`${target}sierra = true\n`, "casm and casm-add-pythonic-hints", both],
      [`${target}casm = true\n`, "casm-add-pythonic-hints", "casm-add-pythonic-hints = true"],
    ] as const) {
      const { code, stderr, stdout } = await build(text);
      expect(code, text).to.equal(1);
      expect(stderr).to.contain("HDP-7033 in dir").and.contain(`lacks ${lacks}.`);
      expect(stderr.replace("casm = true\n  casm-add-pythonic-hints = true", both)).to.contain(
        lines,
      );
      expect(stdout).to.not.contain("Scarb  ");
      expect(readFileSync(manifest, "utf8"))
        .to.match(/version = "0\.1\.0"\n/)
        .and.contain(text);
      const added = await build(text, "--yes");
      expect(added.code, added.stderr).to.equal(0);
      expect(added.stdout).to.contain("Added to Scarb.toml").and.contain("program hash 0x");
      const { target: targets } = parse(readFileSync(manifest, "utf8"));
      expect(targets)
        .to.have.property("starknet-contract")
        .that.deep.include.members([
          {
            ...(text.includes("sierra") ? { sierra: true } : {}),
            casm: true,
            "casm-add-pythonic-hints": true,
          },
        ]);
    }
    const contrary = await build(`${target}casm = false\n`, "--yes");
    expect(contrary.stderr)
      .to.contain("[[target.starknet-contract]] says casm = false.")
      .and.contain("Set there: casm = true.");
    const defaults = await build(
      `${target}\n[target-defaults.starknet-contract]\ncasm = true\ncasm-add-pythonic-hints = true\n`,
    );
    expect(defaults.code, defaults.stderr).to.equal(0);
  });
});

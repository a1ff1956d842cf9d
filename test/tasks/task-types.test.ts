import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

import { expect } from "chai";
import ts from "typescript";

import {
  blockSampled,
  header,
  isHdpError,
  taskHash,
  type TaskRequest,
  toTaskJson,
} from "../../src/entries/request.js";
import { root } from "../support/hardhat-cli.js";
import { removeProject, testProject, type TestProject } from "../support/remote-project.js";
import { type CommandRun, runCommand } from "../support/run-command.js";

const average = blockSampled({ from: 0, to: 0, property: header("base_fee_per_gas") }).avg();
const latest = blockSampled({ from: 0, to: 0, property: header("timestamp") }).max();

interface Pinned {
  readonly hash: string;
  readonly form: number;
}

interface Written {
  readonly file: string;
  readonly task?: Pinned;
  readonly tasks: readonly Pinned[];
  readonly request: TaskRequest;
}

describe("tasks as a TypeScript module", () => {
  let project: TestProject;
  const run = async (given: Record<string, unknown>): Promise<CommandRun> =>
    await runCommand("types", given, project.hre);
  const write = async (file: string, tasks: readonly unknown[]): Promise<void> =>
    await writeFile(
      join(project.root, file),
      JSON.stringify({ destinationChainId: "ETHEREUM_SEPOLIA", tasks }),
    );
  const text = async (file = "hdp-tasks.ts"): Promise<string> =>
    await readFile(join(project.root, file), "utf8");
  /** What the module exports, by running it. */
  const exported = async (): Promise<Readonly<Record<string, Written>>> => {
    const { outputText } = ts.transpileModule(await text(), {
      compilerOptions: { module: ts.ModuleKind.ESNext },
    });
    const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
    return (loaded as { readonly tasks: Readonly<Record<string, Written>> }).tasks;
  };

  beforeEach(async () => {
    project = await testProject({});
    await mkdir(join(project.root, "tasks"), { recursive: true });
    await write("tasks/base-fee.json", [toTaskJson(average)]);
    await write("tasks/Two_Tasks.json", [toTaskJson(average), toTaskJson(latest)]);
  });
  afterEach(async () => await removeProject(project));

  it("lists each file by its name, with the parsed request and the hashes", async () => {
    const { error, stdout } = await run({});
    expect(error).to.equal(undefined);
    expect(stdout).to.contain("hdp-tasks.ts  written");
    expect(await exported()).to.deep.equal({
      baseFee: {
        file: "tasks/base-fee.json",
        task: { hash: taskHash(average), form: 0 },
        tasks: [{ hash: taskHash(average), form: 0 }],
        request: { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [average] },
      },
      twoTasks: {
        file: "tasks/Two_Tasks.json",
        tasks: [
          { hash: taskHash(average), form: 0 },
          { hash: taskHash(latest), form: 0 },
        ],
        request: { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [average, latest] },
      },
    });
  });

  it("knows names, requests and hashes to the compiler", async () => {
    await run({});
    await writeFile(
      join(project.root, "use.ts"),
      `import { tasks } from "./hdp-tasks.js";
import { encodeDeployData, parseAbi } from "viem";
export const hash: "${taskHash(average)}" = tasks.baseFee.task.hash;
const abi = parseAbi(["constructor(address store, (bytes32 hash, uint8 form) task)"]);
export const data = encodeDeployData({ abi, bytecode: "0x", args: ["0x", tasks.baseFee.task] });
export const kind: "header" = tasks.baseFee.request.tasks[0].datalake.sampledProperty.kind;
export const length: 2 = tasks.twoTasks.request.tasks.length;
// @ts-expect-error -- no such file
export const none: unknown = tasks.baseFees;
// @ts-expect-error -- of two tasks there is no one task
export const both: unknown = tasks.twoTasks.task;
`,
    );
    const program = ts.createProgram([join(project.root, "use.ts")], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      types: [],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      paths: {
        "hardhat-hdp/request": [join(root, "src/entries/request.ts")],
        viem: [join(root, "node_modules/viem/_types/index.d.ts")],
      },
    });
    const own = ["use.ts", "hdp-tasks.ts"].map((file) =>
      program.getSourceFile(join(project.root, file)),
    );
    const diagnostics = own.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
    expect(
      diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    ).to.deep.equal([]);
  });

  it("passes --check unchanged, formatted or not, and a changed or missing one fails with the command that writes it", async () => {
    const { stdout } = await run({ out: "test/tasks.ts" });
    // The project's folder is not the working directory here: the printed path leads to the file all the same.
    expect(stdout).to.contain(
      ` ${relative(process.cwd(), join(project.root, "test/tasks.ts"))}  written`,
    );
    expect((await run({ out: "test/tasks.ts", check: true })).error).to.equal(undefined);
    const formatted = (await text("test/tasks.ts"))
      .replaceAll('"', "'")
      .replaceAll(/,\n(\s*[\]}])/g, "\r\n$1");
    await writeFile(join(project.root, "test/tasks.ts"), formatted);
    expect((await run({ out: "test/tasks.ts", check: true })).error).to.equal(undefined);
    await write("tasks/base-fee.json", [toTaskJson(latest)]);
    const { error } = await run({ out: "test/tasks.ts", check: true });
    expect(isHdpError(error, "HDP-6087")).to.equal(true);
    expect(String(error)).to.contain("npx hardhat hdp types 'tasks/*.json' --out test/tasks.ts");
    expect(await text("test/tasks.ts")).to.equal(formatted);
    const missing = await run({ check: true });
    expect(String(missing.error)).to.contain('"hdp-tasks.ts" is missing');
  });

  it("writes nothing for files with errors, which it names by field, nor for two files of one name", async () => {
    await write("tasks/base-fee.json", [
      { ...toTaskJson(average), compute: { aggregateFnId: "mux" } },
    ]);
    const wrong = await run({});
    expect(isHdpError(wrong.error, "HDP-1108")).to.equal(true);
    expect(String(wrong.error)).to.contain("tasks[0].compute.aggregateFnId");
    await write("tasks/base-fee.json", [toTaskJson(average)]);
    await write("tasks/base_fee.json", [toTaskJson(latest)]);
    const twice = await run({});
    expect(isHdpError(twice.error, "HDP-6086")).to.equal(true);
    await text().then(
      () => expect.fail("the file was written"),
      () => undefined,
    );
  });
});

import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { ArgumentType } from "hardhat/types/arguments";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import hardhatHdp from "../../src/index.js";
import { tasks } from "../../src/tasks/commands.js";
import { root } from "./hardhat-cli.js";
import { COMMANDS, runCommand } from "./run-command.js";

/** Groups of commands, which list what is below them. */
const PARENTS = /^hdp( (module|program|proof|starknet))?$/;

/** Options of Hardhat's own, which every command takes, and those of its tasks that pages name (`test cairo --watch`). */
const HARDHATS = [
  "--network",
  "--config",
  "--help",
  "--show-stack-traces",
  "--coverage",
  "--gas-stats",
  "--verbosity",
  "--watch",
];

export interface ParsedCommand {
  /** The command's name without `hdp`; undefined for Hardhat's own. */
  readonly name?: string;
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly positionals: readonly string[];
  /** What in the line names nothing that exists. */
  readonly errors: readonly string[];
}

/** Returns the command that words name, as `hdp:submit` or `hdp module run`, and what follows it. */
function commandIn(
  words: readonly string[],
): { name: string; rest: readonly string[] } | undefined {
  const [first = "", ...more] = words.map((word) => word.replace(/[.,;)]+$/, ""));
  if (first.startsWith("hdp:")) {
    const isRootTask = tasks.some(({ id }) => id.length === 1 && id[0] === first);
    const name = first.slice("hdp:".length).replaceAll(":", " ");
    return isRootTask ? { name, rest: words.slice(1) } : undefined;
  }
  for (const taken of [2, 1]) {
    const name = more.slice(0, taken).join(" ");
    if (COMMANDS[name] !== undefined) return { name, rest: words.slice(1 + taken) };
  }
  return undefined;
}

/** Reads `npx hardhat hdp:check tasks/fee.json --json` as Hardhat does. */
export function parseCommand(line: string): ParsedCommand {
  const words = [...line.matchAll(/"[^"]*"|'[^']*'|<[^>]*>|\[[^\]]*\]|\S+/g)].map(([word]) =>
    word.replace(/^(["'])(.*)\1$/, "$2"),
  );
  const typed = words.slice(2);
  const isOwn = typed[0]?.startsWith("hdp") === true;
  const found = isOwn ? commandIn(typed) : undefined;
  const errors: string[] = [];
  const options: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  if (found === undefined && isOwn && typed.length + Number(typed[0] !== "hdp") > 1) {
    if (!PARENTS.test(typed.filter((word) => !word.startsWith("--")).join(" ")))
      errors.push(`${line}: no such command`);
  }
  const rest = [...(found?.rest ?? typed.slice(1))];
  const known = new Map(
    Object.values(COMMANDS[found?.name ?? ""]?.options ?? {}).map((one) => [dashed(one.name), one]),
  );
  // What follows `--` is another program's.
  if (rest.includes("--")) rest.length = rest.indexOf("--");
  while (rest.length > 0) {
    const word = (rest.shift() ?? "").replace(/[.,;)]+$/, "");
    const flags = [...word.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag);
    for (const flag of flags) {
      const option = known.get(flag);
      if (option === undefined && !HARDHATS.includes(flag))
        errors.push(`${line}: no option ${flag}`);
      const isFlag =
        option === undefined
          ? flag !== "--network" && flag !== "--config"
          : option.type === ArgumentType.FLAG;
      options[option?.name ?? flag.slice(2)] =
        isFlag || word.startsWith("[") ? true : (rest.shift() ?? "");
    }
    if (flags.length === 0) positionals.push(word);
  }
  return { ...(found === undefined ? {} : { name: found.name }), options, positionals, errors };
}

const dashed = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

interface Place {
  /** The project that the pages' snippets share. */
  readonly project: string;
  /** What the block shows besides commands. */
  readonly shown: string;
  /** The commands that the block tells to type. */
  readonly commands: readonly string[];
}

export interface DocumentedRun {
  /** Where the command stands above its screen, in a block of its own. */
  readonly command?: string;
  readonly run: (place: Place) => Promise<void>;
}

/** Runs a line as it is typed in a project, and gives what it writes. */
async function type(line: string, folder: string): Promise<string> {
  const { name, options, positionals } = parseCommand(line);
  const { network, ...own } = options;
  const hre = await environment(folder, typeof network === "string" ? network : undefined);
  const named = Object.fromEntries(
    (COMMANDS[name ?? ""]?.positionalArguments ?? []).map(
      ({ name: argument, isVariadic }, index) => [
        argument,
        isVariadic
          ? positionals.length > index
            ? positionals.slice(index)
            : undefined
          : positionals[index],
      ],
    ),
  );
  const cwd = process.cwd();
  process.chdir(folder);
  try {
    const given = Object.fromEntries(
      Object.entries({ ...named, ...own }).filter(([, value]) => value !== undefined),
    );
    const { stdout, stderr, error } = await runCommand(name ?? "", given, hre);
    if (error !== undefined)
      throw new Error(`${line}: ${error instanceof Error ? error.message : "failed"}${stderr}`);
    return stdout.replaceAll(/^ +$/gm, "").trim();
  } finally {
    process.chdir(cwd);
  }
}

/** `sepolia` is a chain in this process that stands for the public one. */
async function environment(folder: string, network?: string): Promise<HardhatRuntimeEnvironment> {
  return await createHardhatRuntimeEnvironment(
    { plugins: [hardhatHdp], networks: { sepolia: { type: "edr-simulated" } } },
    network === undefined ? {} : { network },
    folder,
  );
}

const example = join(root, "examples", "module-balance");
const same = (folder: (place: Place) => string, line: string): DocumentedRun => ({
  command: line,
  run: async (place) => {
    expect(await type(line, folder(place)), line).to.equal(place.shown);
  },
});

/** Commands and screens that are run, by the key of their block. */
export const RUNNERS: Readonly<Record<string, DocumentedRun>> = {
  "docs/modules.md: npx hardhat hdp module new my_module": {
    run: async ({ commands: [line = ""] }) => {
      const folder = await mkdtemp(join(tmpdir(), "hdp-docs-"));
      try {
        await writeFile(join(folder, "package.json"), '{ "type": "module" }');
        expect(await type(line, folder)).to.match(/✔ my_module\/\s+Scarb\.toml/);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
  "docs/modules.md: npx hardhat hdp module build my_module": {
    // The build is Scarb's, which test/program/module-templates.tools.test.ts runs where it is installed: here its classes lie ready.
    run: async ({ project, commands: [, line = ""] }) => {
      await rm(join(project, "my_module", "tasks"), { recursive: true });
      await cp(
        join(example, "tasks", "balance.json"),
        join(project, "my_module", "tasks", "my_module.json"),
      );
      await cp(join(example, "compiled"), join(project, "my_module", "compiled"), {
        recursive: true,
      });
      expect(await type(line, project)).to.include("✔ returned, 388 steps");
    },
  },
  "docs/modules.md: cd examples/module-balance": {
    run: async ({ commands: [line = ""] }) => {
      expect(await type(line, example)).to.include("✔ returned");
    },
  },
  "docs/modules.md: Task 1  module 0x2732acfa21f0e25d14fde0605d9db1313937e8d97d721c228731212d7ad987c":
    same(() => example, "npx hardhat hdp module run tasks/balance.json"),
  "docs/modules.md: npx hardhat hdp module run tasks/balance.json --profile flame.json": {
    run: async ({ project, commands: [line = ""] }) => {
      const copy = join(project, "profiled");
      await cp(example, copy, { recursive: true });
      expect(await type(line, copy)).to.match(
        /Profile\s+388 steps in \d+ functions[\s\S]*npx speedscope flame\.json/,
      );
    },
  },
  "docs/modules.md: npx hardhat hdp:submit tasks/balance.json": {
    run: async ({ commands: [line = ""] }) => {
      expect(await type(line, example)).to.match(/Finalized[\s\S]*Result/);
    },
  },
  "docs/modules.md: npx hardhat hdp record tasks/balance.json --out tests/balance.recording.json": {
    run: async ({ project, commands: [line = ""] }) => {
      const copy = join(project, "recorded");
      await cp(example, copy, { recursive: true });
      expect(await type(line, copy)).to.include("tests/balance.recording.json");
    },
  },
  "docs/modules.md: ✔ one block's balance  tests/balance.test.json, 388 steps": {
    run: async ({ shown }) => {
      expect(await type("npx hardhat hdp module test", example)).to.equal(shown);
    },
  },
  "docs/verify.md: npx hardhat hdp record tasks/fee.json --out fixtures/fees.json --network sepolia":
    {
      run: async ({ project, commands: [line = ""] }) => {
        expect(await type(line, project)).to.include("fixtures/fees.json");
      },
    },
};

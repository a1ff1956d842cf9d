import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatUserConfig } from "hardhat/types/config";
import ts from "typescript";

import { printedTemplate } from "../../src/errors/catalogue-entry.js";
import { CATALOGUE } from "../../src/errors/catalogue.js";
import hardhatHdp from "../../src/index.js";
import { scaffoldModule } from "../../src/entries/program.js";
import { addToScarbToml } from "../../src/tasks/starknet.js";
import { parseCommand, RUNNERS } from "../support/documented-commands.js";
import { fixtureProject, hardhat, root } from "../support/hardhat-cli.js";
import { type Block, blocksOf, commandsOf } from "../support/markdown-blocks.js";
import { runCommand } from "../support/run-command.js";

/** Blocks that this file does not run, by their page and first line, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "docs/requests.md: ! there is no account 0x…f00d5 before block 3: check the address and the chain":
    "lines of screens; test/compute/empty-samples.test.ts has what they say",
  "docs/submissions.md: npx hardhat hdp list --requests 0x396b…b88f --network sepolia":
    "a service on a live network; test/plugin/contract-requests.test.ts runs the commands",
  'docs/README.md: const fee = header("base_fee_per_gas");': "three lines of the README's test",
  "docs/README.md: npm install --save-dev hardhat-hdp viem":
    "installs from npm; test/package/pack.tools.test.ts installs the packed package",
  "docs/consuming-results.md: // FeeGate.tsx":
    "test/package/browser.tools.test.ts bundles the page and looks at it in Chromium",
  "docs/concepts.md: task file or builder -> task hash -> recorded -> sent -> states of the service -> finalized in the store -> read":
    "a diagram",
  "docs/recipes.md: npx hardhat hdp:init --example gas-insurance": "test/cli/recipes.tools.test.ts",
  "docs/get-started.md: npx hardhat hdp:check tasks/fee.json --network sepolia":
    "a service on a live network; test/cli/remote.test.ts runs the commands against a service that is played",
  "docs/commands.md: $ npx hardhat hdp:submit tasks/fee.json --network sepolia":
    "the screen of a service on a live network; test/cli/remote.test.ts runs the command against a service that is played",
  "docs/commands.md: $ npx hardhat hdp deliver tasks/fee.json FeeGate@0x5FbD…0aa3 update --network sepolia":
    "the screen of a live network; test/plugin/deliver.test.ts runs the command",
  "docs/commands.md: submit          { processor: { kind, description }, networkName, rehearsals: [{ taskHash, result? | reason, advice? }], submission: { id, destinationChainId, taskHashes, parts },":
    "the shapes of documents; the tests of each command parse its own",
  "docs/commands.md: $ npx hardhat hdp why 0xa631…5415 --network localhost":
    "the screen of a node that runs; test/plugin/read-failures.test.ts has what it prints",
  "docs/testing-failures.md: hdp: no result of task 0xa631…5415: avg of header.base_fee_per_gas, blocks 0..10, step 1, chain 11155111, in the datalake form":
    "what a failed read logs; test/store/solidity-helper.test.ts has it",
  "docs/testing-failures.md: hdp: asked was store 0x3b02…, that of the HdpTest 0x5615…":
    "what a failed read logs of two mocks; test/plugin/read-failure-prints.test.ts has it",
  "docs/testing-failures.md: hdp: values that are not the result":
    "what is printed below failed Solidity tests; test/plugin/read-failure-prints.test.ts has it",
  "docs/testing-failures.md: hdp: tasks without a result":
    "what is printed below failed Solidity tests of a derived hash; test/plugin/read-failure-prints.test.ts has it",
  "docs/testing-failures.md: hdp: accounts that are no store":
    "what is printed below failed Solidity tests of another account; test/plugin/read-failure-prints.test.ts has it",
  'docs/testing-failures.md: The contract function "isOpen" reverted.':
    "what a failed read prints; test/plugin/read-failures.test.ts has it",
  "docs/testing-failures.md: Asked:      module 0x1a7f…3c4c, inputs: feed 0x2, first_block 0x0, key private":
    "what a failed read prints of modules; test/submission/explain-read.test.ts has it",
  "docs/testing-failures.md: Contract 0x5fbd… asked store 0x7351… for task 0xa631…, which is not finalized there.":
    "what a failed read prints of a call; test/plugin/read-failures.test.ts has it",
  "docs/testing-failures.md: The asked hash is written in hdp-tasks.ts:25 as tasks.busy, which hdp types wrote: it stays as it is when a task file changes. Write it again: npx hardhat hdp types":
    "what a failed read prints of a hash that no known task has; test/plugin/read-failures.test.ts has it",
  "docs/testing-failures.md: Difference: slot (asked: 0xadb5…3d92, there: 0xa3c1…9502)":
    "what a failed read prints of mappings; test/submission/explain-read.test.ts has it",
  "docs/commands.md: $ npx hardhat hdp doctor --network sepolia":
    "the screen of a live network; test/plugin/doctor.test.ts has what each line says",
  "docs/dashboard.md: npx hardhat hdp:node":
    "a server that runs until Ctrl-C; test/dev-server/dashboard.tools.test.ts",
  "docs/dashboard.md: npx hardhat hdp explain tasks/fee.json --open":
    "opens a browser; test/cli/inspection.test.ts and modules.test.ts run both without one",
  "docs/dev-server.md: npx hardhat hdp:node --network localhost     # beside a node that runs already":
    "servers that run until Ctrl-C; test/cli/node.test.ts",
  "docs/dev-server.md: SERVER=http://127.0.0.1:8546":
    "the ids are those of one run; test/dev-server has each endpoint, and contributing/one-task-everywhere.md the same calls with answers",
  "docs/dev-server.md: npx hardhat hdp:node --fault http-burst:503:3,stuck-at:CachedMmrRoot":
    "a server that runs until Ctrl-C; test/cli/node.tools.test.ts and test/dev-server have its faults",
  "docs/module-reads.md: use hardhat_hdp_module::{EventBitsTrait, event_bits};":
    "two lines of a module; the template for events, which is built and tested, asks so",
  "docs/module-reads.md: #[starknet::contract]":
    "test/program/module-templates.tools.test.ts builds the module, runs it, and runs its tests",
  "docs/modules.md: Profile  388 steps in 7 functions":
    "of a class that was built with names; test/compute/module-profile.test.ts has such figures, the command is run",
  'docs/modules.md: npx hardhat hdp eth-call 0x5FbDB2315678afecb367f032d93F642f64180aa3 "balanceOf(address)(uint256)" 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266':
    "needs the class of proven calls, whose library Scarb fetches; test/plugin/eth-call.test.ts runs it where the class is",
  "docs/modules.md: Call         ✔ returned, block 1, 21,360 gas": "the same",
  "docs/modules.md: npx hardhat hdp module new eth_call --template eth-call": "the same",
  'docs/modules.md: import { parseAbi } from "viem";': "the same; its types are checked here",
  "docs/modules.md: start_mock_call(1.try_into().unwrap(), 1, (7_felt252, 0_felt252)); // every account's balance is 7":
    "two lines of a test over the package hdp_cairo, which Scarb would fetch",
  "docs/nodes.md: geth --dev --http --http.api eth,net,web3 --gcmode archive --state.scheme hash":
    "a node of another program; test/support/geth.ts starts it",
  'docs/projects.md: docker run --rm -v "$PWD":/app -w /app node:24 npx hardhat test':
    "needs Docker and its registry",
  "docs/projects.md: npx hardhat hdp:node --hostname 0.0.0.0 --host 0.0.0.0":
    "a server that runs until Ctrl-C; test/cli/node.test.ts",
  "docs/service.md: k < 10:  500 ms · 1.35^k                                0.5 s … 7.4 s":
    "a formula; test/service/await-submission.test.ts holds the pauses",
  "docs/cairo-packages.md: #[test]":
    "needs a public node; test/starknet/cairo-projects.tools.test.ts runs #[fork] against a devnet",
  'docs/starknet.md: import { openStarknetExecutionStore } from "hardhat-hdp/store";':
    "needs a node of Starknet; test/plugin/starknet-reader.test.ts reads from one that is played. Its types are checked here",
  'docs/starknet.md: import { deployStarknetMock, finalizeTasksOnStarknet } from "hardhat-hdp/store";':
    "needs a devnet; test/starknet/devnet.tools.test.ts does the same. Its types are checked here",
  "docs/verify.md: $ npx hardhat hdp verify tasks/fee.json --network sepolia":
    "a public chain; test/cli/inspection.test.ts",
  "README.md: npm install --save-dev hardhat-hdp hardhat @nomicfoundation/hardhat-viem viem @nomicfoundation/hardhat-mocha mocha chai":
    "installs from npm; test/package/pack.tools.test.ts installs the packed package",
};

/** What a page's snippets need that no page can show. */
const BEFORE: Readonly<Record<string, string>> = {
  // A service to speak to, at an address that is known only now.
  "docs/service.md": `
    const { network } = await import("hardhat");
    const { LocalDataProcessor, startDevServer } = await import("hardhat-hdp/local");
    const { deployExecutionStoreMock, finalizeTasks } = await import("hardhat-hdp/store");
    const { provider } = await network.create();
    const { address: store } = await deployExecutionStoreMock({ provider });
    const finalize = async (results) => ({ store, ...(await finalizeTasks({ provider, store, results })) });
    const local = new LocalDataProcessor({ providerFor: () => provider, sink: { finalize } });
    const server = await startDevServer({ processor: local, providerFor: () => provider });
    Object.assign(process.env, { HDP_URL: server.url, HDP_API_KEY: "local" });
    after(async () => { await server.close(); local.close(); });`,
};

const SKILL = "skills/hardhat-hdp/SKILL.md";
const PAGES = [
  "README.md",
  SKILL,
  ...(await markdown("docs")),
  ...(await markdown("docs/errors")),
  ...(await markdown("docs/coming-from")),
];
// test/cli/foundry.tools.test.ts runs the page With Foundry in a project of forge.
const BLOCKS = PAGES.filter((page) => page !== "docs/foundry.md").flatMap((page) => blocksOf(page));
const isListed = ({ key }: Block): boolean => NOT_RUN[key] !== undefined;
const isConfig = ({ text }: Block): boolean => text.includes("defineConfig(");
const COMMAND_LANGUAGES = ["sh", "console", "text", ""];

async function markdown(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder));
  return names.filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);
}

/** Who runs a block; undefined where nobody does. */
function runnerOf(block: Block): string | undefined {
  const { page, language, file } = block;
  if (page === "README.md" || page === SKILL) {
    return file !== undefined || COMMAND_LANGUAGES.includes(language)
      ? "test/cli/pages.tools.test.ts"
      : undefined;
  }
  if (page.startsWith("docs/errors/") && language === "text") return "its catalogue entry";
  if (page === "docs/get-started.md" && file === "scripts/deploy.ts")
    return "test/conformance/first-project.tools.test.ts";
  if (page === "docs/get-started.md" && language === "")
    return "test/package/get-started.tools.test.ts";
  if (page === "docs/api.md") return "test/package/api-page.tools.test.ts";
  if (page === "docs/projects.md" && file?.endsWith(".ts") === true)
    return "test/cli/pages.tools.test.ts";
  if (page === "docs/starknet.md" && language === "sh")
    return "test/starknet/docs-commands.tools.test.ts";
  if (["ts", "json", "solidity", "cairo", "toml"].includes(language)) return "this file";
  return RUNNERS[block.key] === undefined ? undefined : "this file";
}

describe("the snippets of docs/", function () {
  this.timeout(240_000);
  let cwd: string;

  before(async () => {
    // Inside the repository, so that packages resolve as in a user's project.
    cwd = await mkdtemp(join(root, "test", ".docs-"));
    await write("package.json", '{ "type": "module" }');
    await write("hardhat.config.ts", CONFIG);
    await write("tsconfig.json", TSCONFIG);
    for (const { file, text } of [...blocksOf("README.md"), ...BLOCKS]) {
      if (file !== undefined && /\.sol$|^(?:ignition|rocketh|deploy)\//.test(file)) {
        await write(file, text);
      }
    }
    await write(
      "tasks/fee.json",
      await readFile(join(fixtureProject, "tasks", "fee.json"), "utf8"),
    );
    expect((await hardhat(["hdp", "types"], { cwd })).code).to.equal(0);
    const storage = await hardhat(["hdp", "storage", "Vault"], { cwd });
    expect(storage.code, storage.stdout + storage.stderr).to.equal(0);
    const modules = [
      ["my_module", join("examples", "module-balance", "compiled", "module_balance")],
      ["votes", join("test", "program", "templates", "m_injected_state")],
    ] as const;
    for (const [name, from] of modules) {
      const block = BLOCKS.find(
        ({ language, text }) => language === "json" && text.includes(`dev/${name}_Module`),
      );
      await write(`${name}/tasks/${name}.json`, block?.text ?? "");
      for (const kind of ["compiled_contract_class", "contract_class"]) {
        const to = join(cwd, name, "target", "dev", `${name}_Module.${kind}.json`);
        await mkdir(dirname(to), { recursive: true });
        await cp(join(root, `${from}_Module.${kind}.json`), to);
      }
    }
  });
  after(async () => await rm(cwd, { recursive: true, force: true }));

  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(cwd, file)), { recursive: true });
    await writeFile(join(cwd, file), text);
  }

  it("runs every snippet of docs/, or lists it here with the reason why not", () => {
    const neither = BLOCKS.filter((block) => runnerOf(block) === undefined && !isListed(block));
    expect(neither.map(({ page, line, key }) => `${page}:${String(line)} ${key}`)).to.deep.equal(
      [],
    );
    const keys = new Set(BLOCKS.map(({ key }) => key));
    expect(Object.keys({ ...NOT_RUN, ...RUNNERS }).filter((key) => !keys.has(key))).to.deep.equal(
      [],
    );
    expect(Object.keys(RUNNERS).filter((key) => NOT_RUN[key] !== undefined)).to.deep.equal([]);
  });

  it("in the pages of errors are the messages of the catalogue", () => {
    const shown = BLOCKS.filter(
      ({ page, language }) => page.startsWith("docs/errors/") && language === "text",
    ).map(({ text }) => text.trimEnd());
    expect(shown.toSorted()).to.deep.equal(
      Object.entries(CATALOGUE)
        .map(([code, entry]) => printedTemplate(code, entry).trimEnd())
        .toSorted(),
    );
  });

  it("on the command line say what the commands say", async () => {
    for (const [key, { command, run }] of Object.entries(RUNNERS)) {
      const block = BLOCKS.find((one) => one.key === key);
      expect(block, key).not.to.equal(undefined);
      const shown = (block?.text ?? "")
        .split("\n")
        .filter((line) => !/^(\$ )?(npx hardhat|cd) /.test(line));
      if (command !== undefined) expect(commandsOf(block?.page ?? ""), key).to.include(command);
      await run({
        project: cwd,
        shown: shown.join("\n").trim(),
        commands: commandLines(block?.text ?? ""),
      });
    }
  });

  it("in TypeScript run from the top of a page to its end, pass their types, and Solidity beside them", async () => {
    for (const page of PAGES.filter(
      (name) => /^docs\/(coming-from\/)?[^/]+$/.test(name) && name !== "docs/README.md",
    )) {
      const blocks = BLOCKS.filter(
        (block) => block.page === page && block.language === "ts" && !isConfig(block),
      );
      const free = blocks.filter(({ file }) => file === undefined);
      if (free.length > 0)
        await write(`test/${page.slice(5).replace(".md", ".ts")}`, testOf(page, free));
    }
    const { code, stdout, stderr } = await hardhat(["test"], { cwd });
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.include("31 passing (13 solidity, 18 mocha)");
    expect(typeErrors(cwd)).to.deep.equal([]);
  });

  it("of configurations are taken by Hardhat", async () => {
    const configs = BLOCKS.filter((block) => block.page !== "README.md" && isConfig(block));
    expect(configs.length).to.be.at.least(8);
    for (const [index, { text, key, line }] of configs.entries()) {
      const file = join(cwd, `config-${String(index)}.config.ts`);
      await writeFile(file, text);
      const { default: config } = (await import(file)) as { default: HardhatUserConfig };
      const { plugins = [], ...rest } = config;
      expect(plugins.length, `${key} (${String(line)})`).to.be.at.least(1);
      const hre = await createHardhatRuntimeEnvironment({ ...rest, plugins }, {}, cwd);
      expect(hre.config, key).to.have.property("hdp");
      for (const name of Object.keys(config.networks ?? {}))
        expect(hre.config.networks).to.have.property(name);
    }
  });

  it("in JSON are task files without an error, tests of modules, and settings", async () => {
    const hre = await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] }, {}, cwd);
    const found = { tasks: 0, tests: 0, settings: 0 };
    const module = JSON.parse(
      await readFile(join(root, "examples/module-balance/tests/balance.test.json"), "utf8"),
    ) as {
      tests: object[];
    };
    for (const { page, line, text, language } of BLOCKS) {
      if (language !== "json" || page === "README.md") continue;
      const json = JSON.parse(text) as Record<string, unknown>;
      if ("destinationChainId" in json) {
        found.tasks += 1;
        const name = /dev\/(\w+)_Module/.exec(text)?.[1] ?? ".";
        const file = join(name, "tasks", `line-${String(line)}.json`);
        await write(file, text);
        const { error, stdout } = await runCommand(
          "check",
          { file: join(cwd, file), files: [] },
          hre,
        );
        expect(error, `${page}:${String(line)}`).to.equal(undefined);
        expect(stdout).to.match(/1 task, valid/);
      } else if ("tests" in json) {
        found.tests += 1;
        for (const one of json["tests"] as object[]) expect(module.tests).to.deep.include(one);
      } else {
        found.settings += 1;
        const [{ url }] = json["json.schemas"] as [{ url: string }];
        expect(
          JSON.parse(
            await readFile(join(root, url.replace("./node_modules/hardhat-hdp/", "")), "utf8"),
          ),
        ).to.have.property("$schema");
      }
    }
    expect(found).to.deep.equal({ tasks: 5, tests: 1, settings: 1 });
  });

  it("in Cairo and in Scarb.toml are those of packages that are built and tested", async () => {
    const files = [
      "examples/one-task-three-tests/cairo/src/fee_gate.cairo",
      "examples/one-task-three-tests/cairo/tests/fee_gate_test.cairo",
      "examples/one-task-three-tests/cairo/tests/fixtures.cairo",
      "contracts/starknet/hardhat_hdp_testing/tests/helpers_test.cairo",
      "examples/module-balance/src/lib.cairo",
      "examples/module-balance/src/tests.cairo",
    ];
    const built = (
      await Promise.all(files.map(async (file) => await readFile(join(root, file), "utf8")))
    ).map(flat);
    for (const block of BLOCKS.filter(({ language }) => language === "cairo")) {
      if (isListed(block)) continue;
      for (const paragraph of block.text.split("\n\n")) {
        expect(
          built.some((text) => text.includes(flat(paragraph))),
          `${block.page}: ${paragraph}`,
        ).to.equal(true);
      }
    }
    for (const { text } of BLOCKS.filter(({ language }) => language === "toml")) {
      const cairoPath = "../node_modules/hardhat-hdp/contracts/starknet";
      if (/hardhat_hdp_module|code-locations/.test(text)) {
        // Of a module: lines of what the command writes.
        const written = (scaffoldModule("trial").get("Scarb.toml") ?? "").split("\n");
        expect(written).to.include.members(text.trimEnd().split("\n"));
        continue;
      }
      const whole = `[package]\nname = "trial"\nversion = "0.1.0"\n\n${text}`;
      expect(addToScarbToml(whole, cairoPath)).to.equal(whole);
    }
  });

  it("name commands and options that exist", async () => {
    const examples = (await readdir(join(root, "examples"))).map(
      (name) => `examples/${name}/README.md`,
    );
    const errors = [...PAGES, ...examples].flatMap((page) =>
      commandsOf(page)
        .map((line) => parseCommand(line))
        .flatMap((parsed) => parsed.errors.map((error) => `${page}: ${error}`)),
    );
    expect(errors).to.deep.equal([]);
  });
});

const flat = (text: string): string => text.replace(/\s+/g, " ").trim();
const commandLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/^\$ /, ""))
    .filter((line) => line.startsWith("npx hardhat"));

const CONFIG = `import { createRequire } from "node:module";

import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import hardhatEthersChaiMatchers from "@nomicfoundation/hardhat-ethers-chai-matchers";
import hardhatIgnitionViem from "@nomicfoundation/hardhat-ignition-viem";
import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatTypechain from "@nomicfoundation/hardhat-typechain";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import hardhatViemAssertions from "@nomicfoundation/hardhat-viem-assertions";
import hardhatDeploy from "hardhat-deploy";
import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [
    hardhatHdp,
    hardhatViem,
    hardhatViemAssertions,
    hardhatEthers,
    hardhatEthersChaiMatchers,
    hardhatTypechain,
    hardhatIgnitionViem,
    hardhatDeploy,
    hardhatMocha,
  ],
  solidity: {
    version: "0.8.28",
    path: createRequire(import.meta.url).resolve("solc/soljson.js"),
    settings: { outputSelection: { "*": { "*": ["storageLayout"] } } },
  },
  hdp: { local: { edition: "module-tasks" } },
});
`;

const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2023", "lib": ["ES2023"], "module": "NodeNext", "moduleResolution": "NodeNext",
    "types": ["node", "mocha"], "strict": true, "noEmit": true, "skipLibCheck": true
  },
  "include": ["hardhat.config.ts", "test", "ignition", "rocketh", "deploy", "artifacts/**/*.d.ts"]
}
`;

/** A test that runs a page's snippets in order: each sees what those above it made, and may use their names anew. */
function testOf(page: string, blocks: readonly Block[]): string {
  const imports = new Map<string, Set<string>>();
  const bodies = blocks.map((block) => {
    const source = ts.createSourceFile("block.ts", block.text, ts.ScriptTarget.ES2023);
    let body = block.text;
    for (const statement of source.statements
      .filter((one) => ts.isImportDeclaration(one))
      .toReversed()) {
      body = body.slice(0, statement.getFullStart()) + body.slice(statement.getEnd());
      const names = imports.get(statement.moduleSpecifier.getText(source)) ?? new Set();
      imports.set(statement.moduleSpecifier.getText(source), names);
      const clause = statement.importClause; // none where a module is imported for what it does
      if (clause?.name !== undefined) names.add(`default as ${clause.name.text}`);
      if (clause?.namedBindings !== undefined && ts.isNamedImports(clause.namedBindings)) {
        for (const { name } of clause.namedBindings.elements) names.add(name.text);
      }
    }
    return isListed(block) ? `void (async () => {\n${body}\n});` : body;
  });
  const head = [...imports].map(([from, names]) =>
    names.size === 0 ? `import ${from};` : `import { ${[...names].join(", ")} } from ${from};`,
  );
  const before =
    BEFORE[page] === undefined ? "" : `before(async () => { // @ts-ignore\n${BEFORE[page]}\n});\n`;
  return `${head.join("\n")}
describe(${JSON.stringify(page)}, () => {
${before.replaceAll(/\n(?=.*\(results\))/g, "\n// @ts-ignore\n")}it("runs", async () => {
${bodies.join("\n{\n")}
${"}".repeat(bodies.length - 1)}
});
});
`;
}

/** What the compiler says of the project's files. */
function typeErrors(folder: string): string[] {
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), (path) =>
    ts.sys.readFile(path),
  ) as {
    config: object;
  };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    return `${file?.fileName ?? ""}:${String(line + 1)} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

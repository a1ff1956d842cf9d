import { join } from "node:path";

import { expect } from "chai";
import ts from "typescript";

import { type TypesWithField, listFields } from "../../src/entries/request.js";
import { root } from "../support/hardhat-cli.js";

/** What a user writes, and what the compiler says of it. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["await hdp.run({ anything: 1 });", /'anything' does not exist in type/],
  [
    'await hdp.run({ destinationChainID: "SN_SEPOLIA", task: [] });',
    /'destinationChainID' does not exist in type/,
  ],
  [
    'await hdp.run({ destinationChainId: "SN_SEPOLIA" });',
    /not assignable to parameter of type 'TaskInput'/,
  ],
  ["await hdp.run({ tasks: [fee] });", /not assignable to parameter of type 'TaskInput'/],
  ['await hdp.submit({ type: "DatalakeCompute", datalake: {} });', /Property 'compute' is missing/],
  ['await hdp.run({ type: "DatalakeCompute", compute: {} });', /Property 'datalake' is missing/],
  ["await hdp.run(blocks);", /not assignable to parameter of type 'TaskInput'/],
  ["await hdp.run([fee, blocks]);", /not assignable to type 'TaskDocument'/],
  ["await hdp.verify({ anything: 1 });", /'anything' does not exist in type/],
  ["await hdp.program.run({ anything: 1 });", /'anything' does not exist in type/],
  ["await hdp.preflight({ anything: 1 });", /'anything' does not exist in type/],
  ["await hdp.program.run(blocks);", /not assignable to parameter of type 'TaskInput'/],
  ["hdp.onFinalized({ anything: 1 }, () => undefined);", /'anything' does not exist in type/],
  [
    'transactionsInBlock({ ...at, types: [], property: tx("nonce") }).max();',
    /no transaction type is included/,
  ],
  [
    'transactionsInBlock({ ...at, types: ["legacy"], property: tx("max_fee_per_gas") }).max();',
    /none of these transaction types has the sampled field/,
  ],
  ["taskRequest({ tasks: [] });", /tasks is empty: give at least one task/],
  ["taskHash(open);", /not assignable to parameter of type 'Task'/],
];

const TAKEN = [
  "await hdp.run(fee);",
  "await hdp.run([fee, open]);",
  'await hdp.run("tasks/fee.json");',
  'await hdp.run(["tasks/fee.json", fee]);',
  "await hdp.run(taskRequest({ tasks: [fee] }));",
  'await hdp.run({ destinationChainId: "SN_SEPOLIA", tasks: [fee] });',
  "const list: Task[] = [fee]; await hdp.run(list); taskRequest({ tasks: list });",
  'await hdp.run(JSON.parse("{}"));',
  'transactionsInBlock({ ...at, types: ["legacy", "eip1559"], property: tx("max_fee_per_gas") }).max();',
  'const types: TransactionType[] = []; transactionsInBlock({ ...at, types, property: tx("nonce") }).max();',
  'await hdp.program.run({ type: "Module", programHash: "0x1", inputs: [] });',
  'await hdp.program.run(["tasks/module.json", fee]);',
  'await hdp.run({ type: "Module", programHash: "0x1", inputs: [] });',
];

const HEAD = `
import type { HdpConnection } from "../../src/plugin/hdp.js";
import { blockSampled, header, last, type Task, taskHash, taskRequest, type TransactionType, transactionsInBlock, tx } from "../../src/entries/request.js";
declare const hdp: HdpConnection;
const blocks = blockSampled({ from: 0, to: 1, property: header("number") });
const fee = blocks.avg();
const open = blockSampled({ ...last(9), property: header("number") }).avg();
const at = { block: 1, from: 0, to: 1 } as const;
void [hdp, fee, open, at, taskHash, taskRequest, transactionsInBlock, tx];
export type Used = Task | TransactionType;
`;

describe("types that refuse", function () {
  this.timeout(180_000);
  let messages: ReadonlyMap<number, string>;

  before(() => {
    const lines = [...REFUSED.map(([code]) => code), ...TAKEN];
    const file = join(import.meta.dirname, "written-by-a-user.ts");
    const text = `${HEAD}${lines.map((line) => `{ ${line} }`).join("\n")}\n`;
    const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), (path) =>
      ts.sys.readFile(path),
    ) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson(
      { ...config.compilerOptions, types: ["node"] },
      root,
    );
    const host = ts.createCompilerHost({ ...options, noEmit: true });
    const [read, exists] = [host.getSourceFile.bind(host), host.fileExists.bind(host)];
    host.fileExists = (path) => path === file || exists(path);
    host.getSourceFile = (path, version) =>
      path === file ? ts.createSourceFile(path, text, version) : read(path, version);
    const program = ts.createProgram([file], { ...options, noEmit: true }, host);
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error("the snippets were not read");
    const before = HEAD.split("\n").length - 1;
    const found = new Map<number, string>();
    for (const { start, messageText } of program.getSemanticDiagnostics(source)) {
      const line = source.getLineAndCharacterOfPosition(start ?? 0).line - before;
      found.set(
        line,
        `${found.get(line) ?? ""}${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
      );
    }
    messages = found;
  });

  REFUSED.forEach(([code, sentence], line) => {
    it(`refuse ${code}`, () => {
      expect(messages.get(line) ?? "nothing was said").to.match(sentence);
    });
  });

  TAKEN.forEach((code, index) => {
    it(`take ${code}`, () => {
      expect(messages.get(REFUSED.length + index)).to.equal(undefined);
    });
  });

  it("say nothing of the snippets' head", () => {
    expect([...messages.keys()].filter((line) => line < 0)).to.deep.equal([]);
  });

  it("know the transaction types of each field as they are encoded", () => {
    const types = {
      gas_price: ["legacy", "eip2930"] satisfies TypesWithField<"gas_price">[],
      access_list: ["eip2930", "eip1559", "eip4844"] satisfies TypesWithField<"access_list">[],
      max_fee_per_gas: ["eip1559", "eip4844"] satisfies TypesWithField<"max_fee_per_gas">[],
      max_priority_fee_per_gas: [
        "eip1559",
        "eip4844",
      ] satisfies TypesWithField<"max_priority_fee_per_gas">[],
      max_fee_per_blob_gas: ["eip4844"] satisfies TypesWithField<"max_fee_per_blob_gas">[],
      blob_versioned_hashes: ["eip4844"] satisfies TypesWithField<"blob_versioned_hashes">[],
    };
    const all = listFields("tx").map(
      ({ field, transactionTypes }) => [field, transactionTypes] as const,
    );
    const restricted = all.filter(([, known]) => known?.length !== 4);
    expect(Object.fromEntries(restricted)).to.deep.equal(types);
  });
});

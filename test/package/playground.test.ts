import { runInNewContext } from "node:vm";

import { expect } from "chai";
import fc from "fast-check";
import ts from "typescript";
import { encodeDeployData } from "viem";

import { writeTaskCode } from "../../dashboard/task-code.js";
import { parseDraft, FIRST_DRAFT, draftQuery } from "../../dashboard/task-draft.js";
import { compileTexts } from "../../scripts/solidity-compiler.js";
import * as request from "../../src/entries/request.js";
import { playgroundTasks } from "../support/playground-tasks.js";
import { callContract, createChain, deploy } from "../store/harness.js";

const { HDP_FORM, inForm, parseTaskRequestText, taskHash } = request;
const TASKS = playgroundTasks().map(({ task, form }) => ({
  task,
  form,
  hash: taskHash(inForm(task, form)),
  code: writeTaskCode(task, form),
}));

describe("the code that the playground writes", () => {
  it("makes in JSON a task file with the task, which names its schema", () => {
    for (const { task, code } of TASKS) {
      expect(parseTaskRequestText(code.JSON).tasks).to.deep.equal([task]);
      expect(JSON.parse(code.JSON)).to.have.property(
        "$schema",
        "../node_modules/hardhat-hdp/task.schema.json",
      );
    }
  });

  it("makes in TypeScript a module that exports the task", () => {
    for (const { task, code } of TASKS) {
      const { outputText } = ts.transpileModule(code.TypeScript, {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
      });
      const exported: { task?: unknown } = {};
      runInNewContext(outputText, { exports: exported, require: () => request });
      expect(exported.task).to.deep.equal(task);
    }
  });

  it("makes in Solidity a contract whose task has the hash and the form that are shown", async () => {
    const texts = TASKS.map(({ code }, index) => [`${index}.sol`, code.Solidity] as const);
    const compiled = compileTexts(Object.fromEntries(texts), { evmVersion: "prague" });
    const chain = await createChain();
    for (const [index, { hash, form }] of TASKS.entries()) {
      const consumer = compiled[`${index}.sol`]?.["Consumer"];
      if (consumer === undefined) throw new Error("the contract was not compiled");
      const { abi, bytecode } = consumer;
      const args = [`0x${"aa".repeat(20)}`];
      const address = await deploy(chain.provider, encodeDeployData({ abi, bytecode, args }));
      expect(await callContract(chain, { address, abi }, "task", [])).to.deep.equal([
        hash,
        HDP_FORM[form],
      ]);
    }
  });
});

describe("the address of the playground", () => {
  it("keeps every member of a draft, and nothing of the first one", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 12 });
    const draft = fc.record(
      Object.fromEntries(Object.keys(FIRST_DRAFT).map((name) => [name, text])),
    ) as unknown as fc.Arbitrary<typeof FIRST_DRAFT>;
    fc.assert(
      fc.property(draft, (one) => {
        expect(parseDraft(draftQuery(one))).to.deep.equal(one);
      }),
    );
    expect(draftQuery(FIRST_DRAFT)).to.equal("");
    expect(parseDraft("?to=63&unknown=1")).to.deep.equal(
      Object.assign({}, FIRST_DRAFT, { to: "63" }),
    );
  });
});

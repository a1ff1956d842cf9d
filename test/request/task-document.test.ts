import { expect } from "chai";

import { blockSampled, header, isHdpError, parseTask } from "../../src/entries/request.js";
import { parseTaskDocument, taskDocument } from "../../src/request/task-document.js";

const task = blockSampled({ from: 1, to: 2, property: header("gas_limit") }).sum();

/** The code of what an action throws; undefined if it returns. */
function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return isHdpError(error) ? error.code : String(error);
  }
}

describe("documents of tasks", () => {
  it("reads a request with its destination, and a task or a list of tasks without one", () => {
    const request = { destinationChainId: "ETHEREUM_MAINNET", tasks: [task] };
    const parsed = [request, task, [task, task]].map((value) => {
      const document = taskDocument(value);
      return [document.form, parseTaskDocument(document)];
    });
    expect(parsed).to.deep.equal([
      ["request", { destinationChainId: "ETHEREUM_MAINNET", tasks: [task] }],
      ["task", { destinationChainId: undefined, tasks: [task] }],
      ["list", { destinationChainId: undefined, tasks: [task, task] }],
    ]);
  });

  it("refuses values that are no task, lists without tasks, and datalakes without a function", () => {
    const unfinished = blockSampled({ from: 1, to: 2, property: header("gas_limit") });
    const codes = [null, 7, [], unfinished, [task, unfinished], { tasks: [unfinished] }].map(
      (value) => codeOf(() => taskDocument(value)),
    );
    const noTask = "HDP-6018";
    expect(codes).to.deep.equal([noTask, noTask, "HDP-1120", noTask, noTask, noTask]);
  });

  it("parses what was parsed before, with the fields that it was parsed with, and never in files", () => {
    const text = "header.extra_data";
    const written = { ...task, datalake: { ...task.datalake, sampledProperty: text } };
    const encodable = parseTask(written, { fields: "encodable" });
    expect(parseTask(encodable)).to.deep.equal(encodable);
    const codes = [
      codeOf(() => parseTask(encodable, { fields: "supported" })),
      codeOf(() => parseTask(written)),
      codeOf(() => parseTask(task, { source: "tasks/sum.json" })),
    ];
    expect(codes).to.deep.equal(["HDP-1106", "HDP-1106", "HDP-1103"]);
  });
});

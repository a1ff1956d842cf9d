import { resolve } from "node:path";

import { expect } from "chai";

import { HdpError, type HdpErrorCode, parseTaskRequest } from "../../src/entries/request.js";
import { annotation } from "../../src/tasks/annotation.js";
import { exitCode, failureDocument, reportFailure } from "../../src/tasks/failure.js";
import { printTable, terminalScreen } from "../../src/tasks/ui/screen.js";

const failing = (code: HdpErrorCode): HdpError => new HdpError({ code, message: "no." });

function thrownBy(call: () => unknown): HdpError {
  try {
    call();
  } catch (error) {
    if (error instanceof HdpError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("a command's failure", () => {
  for (const [code, kind, expected] of [
    ["HDP-1104", "invalid input", 1],
    ["HDP-2022", "a request that the service finds wrong", 1],
    ["HDP-2063", "no connection", 2],
    ["HDP-2080", "no answer in time", 2],
    ["HDP-2091", "a task that failed", 2],
    ["HDP-4103", "a node that refuses", 2],
    ["HDP-2081", "a wait that ended", 3],
    ["HDP-3001", "a task that is not finalized", 3],
    ["HDP-2090", "an unknown outcome", 4],
    ["HDP-5005", "an earlier unknown outcome", 4],
    ["HDP-5008", "an unknown outcome that was recorded", 4],
  ] as const) {
    it(`ends with ${expected} for ${kind} (${code})`, () => {
      expect(exitCode(failing(code))).to.equal(expected);
    });
  }

  it("ends with 1 for errors of other packages", () => {
    expect(exitCode(new Error("no"))).to.equal(1);
    expect(exitCode("no")).to.equal(1);
  });

  it("prints one document with code, message, path and hints", () => {
    const error = new HdpError({
      code: "HDP-6003",
      path: "--timeout",
      message: "no number.",
      hints: ["A number"],
    });
    expect(failureDocument(error)).to.deep.equal({
      error: { code: "HDP-6003", message: "no number.", path: "--timeout", hints: ["A number"] },
    });
    const hardhats = Object.assign(new Error("HHE705: no network"), { errorCode: "HHE705" });
    expect(failureDocument(hardhats)).to.deep.equal({
      error: { code: "HHE705", message: "HHE705: no network", path: null, hints: [] },
    });
    expect(failureDocument("broken").error).to.include({ code: null, message: "broken" });
  });

  it("names every error of a file, in the document and beside the file on GitHub", () => {
    const module = { type: "Module", programHash: "nothing", inputs: [] };
    const error = thrownBy(() =>
      parseTaskRequest(
        { destinationChainId: "ETHEREUM_SEPOLIA", tasks: [module, { ...module, inputs: "no" }] },
        { source: "tasks/a,b:50%.json" },
      ),
    );
    const errors = failureDocument(error).error.errors ?? [];
    expect(errors.map(({ path }) => path)).to.deep.equal([
      "tasks/a,b:50%.json, tasks[0].programHash",
      "tasks/a,b:50%.json, tasks[1].programHash",
      "tasks/a,b:50%.json, tasks[1].inputs",
    ]);
    const line = annotation(
      new HdpError({
        code: "HDP-1104",
        source: "tasks/a,b:50%.json",
        path: "x",
        message: "1\n2 50%.",
      }),
    );
    expect(line).to.equal("::error file=tasks/a%2Cb%3A50%25.json,title=HDP-1104::x: 1%0A2 50%25.");
  });

  it("points GitHub at the line of a file that is not JSON, where the repository has the file", () => {
    const error = new HdpError({
      code: "HDP-1001",
      source: "tasks/a.json:12:3",
      message: "Not JSON.",
    });
    expect(annotation(error)).to.equal(
      "::error file=tasks/a.json,line=12,col=3,title=HDP-1001::Not JSON.",
    );

    let written = "";
    const screen = terminalScreen(false, {
      stdout: { write: () => undefined },
      stderr: { write: () => undefined },
    });
    const github = {
      env: { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: resolve("/repository") },
      argv: ["node", "hardhat", "test"],
      stderr: { write: (text: string) => (written += text) },
    };
    reportFailure(error, screen, resolve("/repository/packages/gates"), github as never);
    expect(written).to.equal(
      "::error file=packages/gates/tasks/a.json,line=12,col=3,title=HDP-1001::Not JSON.\n",
    );
  });

  it("ends with 2 where Hardhat finds no node, with 1 where the configuration names another chain", () => {
    for (const [errorCode, expected] of [
      ["HHE702", 2],
      ["HHE703", 2],
      ["HHE704", 2],
      ["HHE705", 1],
      ["HHE708", 1],
    ] as const) {
      expect(exitCode(Object.assign(new Error(errorCode), { errorCode })), errorCode).to.equal(
        expected,
      );
    }
  });
});

describe("a screen", () => {
  it("leaves one empty line between what was printed and an error, and none before the first line", () => {
    const printedBy = (...lines: readonly string[]): string => {
      let text = "";
      const stream = { write: (part: string) => (text += part) };
      const screen = terminalScreen(false, { stdout: stream, stderr: stream });
      for (const line of lines) screen.line(line);
      screen.endOutput();
      return text;
    };
    expect([printedBy(), printedBy("a"), printedBy("a", "")]).to.deep.equal(["", "a\n\n", "a\n\n"]);
  });

  it("shows a table of a hundred and thirty thousand rows", () => {
    const lines: string[] = [];
    const stream = { write: (text: string) => lines.push(text) };
    const rows = Array.from({ length: 130_000 }, (_, row) => [row.toString(), "x"]);
    printTable(terminalScreen(false, { stdout: stream, stderr: stream }), ["ROW", "WHAT"], rows);
    expect(lines.length).to.equal(130_002);
    expect([lines[1], lines[2], lines.at(-1)].map((line) => line?.trimEnd())).to.deep.equal([
      "     ROW  WHAT",
      "       0  x",
      "  129999  x",
    ]);
  });

  it("writes a document as JSON that means the same and acts on no terminal", () => {
    let written = "";
    const screen = terminalScreen(true, {
      stdout: { write: (text) => (written += text) },
      stderr: { write: () => undefined },
    });
    const value = { text: "a\u001b[2J\u202e\u{e0001}\u009b\u007f\nb é €", number: 1n << 80n };
    screen.document(value);
    expect(written).not.to.match(/(?!\n)[\p{C}]/u);
    expect(written).to.include("é €");
    expect(JSON.parse(written)).to.deep.equal({ ...value, number: (1n << 80n).toString() });
  });
});

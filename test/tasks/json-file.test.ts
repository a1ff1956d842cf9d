import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { readBodyFile } from "../../src/tasks/services/request-body.js";
import { failure } from "../support/failure.js";

describe("JSON files that are sent as they are", () => {
  let folder: string;

  before(async () => (folder = await mkdtemp(join(tmpdir(), "hdp-json-file-"))));
  after(async () => await rm(folder, { recursive: true, force: true }));

  it("reads a body, relative to the project", async () => {
    await writeFile(join(folder, "body.json"), '{ "amount": 3 }\n');
    expect(await readBodyFile("body.json", folder)).to.deep.equal({ amount: 3 });
  });

  it("says on one line where a file stops being JSON", async () => {
    await writeFile(join(folder, "bad.json"), '{\n  "tasks": [ }\n');
    const message = await failure(readBodyFile("bad.json", folder));
    expect(message.split("\n")).to.deep.equal([
      `HDP-6001 in bad.json: the request body can't be read (not JSON: line 2, column 14: unexpected "}").`,
      `  Looked for ${join(folder, "bad.json")}. Paths are relative to the project.`,
      "  Nothing was sent.",
    ]);
  });

  it("refuses an integer that would be rounded", async () => {
    await writeFile(
      join(folder, "large.json"),
      '{ "fee": [9007199254740991, 12345678901234567890] }',
    );
    const message = await failure(readBodyFile("large.json", folder));
    expect(message.split("\n")).to.deep.equal([
      "HDP-6047 in large.json: the integer 12345678901234567890 in the request body would be rounded.",
      "  Write integers from 2^53 on as text, in quotes. Nothing was sent.",
    ]);
  });

  it("refuses half a million values by their number, before they are read", async () => {
    await writeFile(join(folder, "many.json"), `[1${",1".repeat(499_999)}]`);
    expect(await readBodyFile("many.json", folder)).to.have.length(500_000);
    await writeFile(join(folder, "many.json"), `[1${",1".repeat(500_000)}]`);
    const message = await failure(readBodyFile("many.json", folder));
    expect(message).to.contain(
      "HDP-6001 in many.json: the request body can't be read (not JSON: line 1, column 1: it has more than 500,000 values).",
    );
  });

  it("names the reason why a file can't be read", async () => {
    const message = await failure(readBodyFile("none.json", folder));
    expect(message).to.contain("HDP-6001 in none.json: the request body can't be read (ENOENT).");
  });
});

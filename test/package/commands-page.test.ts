import { readFile } from "node:fs/promises";

import { expect } from "chai";

import { tasks } from "../../src/tasks/index.js";

describe("docs/commands.md", () => {
  it("has every command in a heading, and no other", async () => {
    const page = await readFile(new URL("../../docs/commands.md", import.meta.url), "utf8");
    const headings = page.split("\n").filter((line) => line.startsWith("#"));
    const described = headings.flatMap((line) => line.match(/hdp:[a-z:-]+/g) ?? []);
    const commands = tasks.map(({ id }) => id.join(" ")).filter((name) => name.startsWith("hdp:"));
    expect(described.toSorted()).to.deep.equal(commands.toSorted());
  });
});

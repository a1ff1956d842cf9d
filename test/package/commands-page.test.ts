import { readFile } from "node:fs/promises";

import { expect } from "chai";

import { commands } from "../../src/tasks/generated/commands.js";

describe("docs/commands.md", () => {
  it("has every command in a heading, and no other", async () => {
    const page = await readFile(new URL("../../docs/commands.md", import.meta.url), "utf8");
    const headings = page.split("\n").filter((line) => line.startsWith("#"));
    const described = headings.flatMap((line) => line.match(/hdp:[a-z:-]+/g) ?? []);
    const shown = (name: string): string => `hdp:${name.replaceAll(" ", ":")}`;
    const names = commands.filter(({ name }) => name !== "").map(({ name }) => shown(name));
    expect(described.toSorted()).to.deep.equal(names.toSorted());
    for (const alias of commands.flatMap(({ aliases }) => aliases).map(shown)) {
      if (!names.includes(alias)) expect(page).to.include(`\`${alias}\``);
    }
  });
});

import { readFile } from "node:fs/promises";

import { expect } from "chai";

import { tasks } from "../../src/tasks/commands.js";
import { COMMANDS } from "../support/run-command.js";

describe("docs/commands.md", () => {
  it("names every command in a heading, and no other", async () => {
    const page = await readFile(new URL("../../docs/commands.md", import.meta.url), "utf8");
    const headings = page.split("\n").filter((line) => line.startsWith("#"));
    const described = headings.flatMap(
      (line) => line.match(/hdp [a-z-]+(?: [a-z-]+)?(?=[ ,`]|$)/g) ?? [],
    );
    expect(described.toSorted()).to.deep.equal(
      Object.keys(COMMANDS)
        .map((name) => `hdp ${name}`)
        .toSorted(),
      "give each command of src/tasks/commands.ts a heading in docs/commands.md",
    );
  });

  it("names every option of a command in the command's section", async () => {
    const page = await readFile(new URL("../../docs/commands.md", import.meta.url), "utf8");
    const sections = page.split(/^### /m);
    const sectionOf = (name: string): string =>
      sections.find((section) => new RegExp(`^hdp ${name}[ \\n]`).test(section)) ?? "";
    const flagOf = (option: string): string =>
      `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const left = Object.entries(COMMANDS).flatMap(([name, { options }]) =>
      Object.keys(options)
        .filter((option) => option !== "json" && !sectionOf(name).includes(flagOf(option)))
        .map((option) => `hdp ${name} ${flagOf(option)}`),
    );
    expect(left, "give each of them a row or a sentence in docs/commands.md").to.deep.equal([]);
  });

  it("names every command that is a root task too", async () => {
    const page = await readFile(new URL("../../docs/commands.md", import.meta.url), "utf8");
    for (const { id } of tasks.filter((task) => task.id.length === 1 && task.id[0] !== "hdp")) {
      expect(page).to.include(`\`${id.join()}\``);
    }
  });
});

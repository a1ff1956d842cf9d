import { readFile } from "node:fs/promises";

import { expect } from "chai";

import { commandManifest } from "../../scripts/command-manifest.js";
import { tasks } from "../../src/tasks/definitions.js";
import { commands } from "../../src/tasks/generated/commands.js";

describe("the manifest of commands", () => {
  it("is what npm run commands writes", async () => {
    const committed = await readFile(new URL("../../src/tasks/generated/commands.ts", import.meta.url), "utf8");
    expect(committed).to.equal(await commandManifest());
  });

  it("loads for each command the action that was defined under its name", async () => {
    for (const { name, action } of commands) {
      expect((await action()).default).to.have.nested.property("definition.name", name);
    }
  });

  it("gives every command its names in both forms, each once, parents first", () => {
    const names = tasks.map(({ id }) => id.join(" "));
    expect(new Set(names).size).to.equal(names.length);
    for (const { name, aliases } of commands.filter((one) => one.name !== "")) {
      for (const each of [name, ...aliases]) {
        expect(names).to.include(`hdp:${each.replaceAll(" ", ":")}`);
        expect(names).to.include(`hdp ${each}`);
      }
    }
    for (const { id } of tasks.filter((one) => one.id.length > 1)) {
      expect(names.indexOf(id.slice(0, -1).join(" ")), id.join(" "))
        .to.be.at.least(0)
        .and.below(names.indexOf(id.join(" ")));
    }
  });

  it("names commands by a verb, or by a thing and a verb", () => {
    for (const { name } of commands) expect(name).to.match(/^$|^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)?$/);
  });
});

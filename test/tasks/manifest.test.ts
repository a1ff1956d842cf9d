import { readFile } from "node:fs/promises";

import { expect } from "chai";

import { commandManifest } from "../../scripts/command-manifest.js";
import { tasks } from "../../src/tasks/index.js";
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

  it("gives every command both of its names, each once", () => {
    const names = tasks.map(({ id }) => id.join(" "));
    expect(new Set(names).size).to.equal(names.length);
    for (const { name } of commands) {
      expect(names).to.include(`hdp:${name.replaceAll(" ", ":")}`);
      expect(names).to.include(`hdp ${name}`);
    }
  });
});

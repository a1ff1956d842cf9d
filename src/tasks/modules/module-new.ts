import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { systemErrorWord } from "../../base/files.js";
import { HdpError } from "../../errors/hdp-error.js";
import { MODULE_TEMPLATES, type ModuleTemplate, scaffoldModule } from "../../program/module-scaffold.js";
import { text, word } from "../shared-options.js";
import { command } from "../command.js";
import { suggested } from "../../errors/suggested.js";
import { style } from "../ui/screen.js";

export default command({
  name: "module new",
  description: "Write a new module: a Scarb package with a task file",
  positional: { name: word("Name of the package, and of its folder") },
  options: { template: text("What it does: balance, logs, injected-state, bridge or eth-call", "balance") },
  run: async ({ name, template }, { hre, screen }) => {
    const files = scaffoldModule(name, templateOf(template));
    const folder = resolve(hre.config.paths.root, name);
    await makeFolder(folder, name);
    for (const [path, content] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    screen.line();
    screen.line(`  ${style.good("✔")} ${style.strong(`${name}/`)}`);
    for (const path of files.keys()) screen.line(`      ${path}`);
    screen.line();
    screen.line(`  Build it:  ${style.command(suggested("hdp:module:build", [name]))}`);
    const task = `tasks/${name}.json`;
    const run = files.has(task)
      ? suggested("hdp:module:run", [`${name}/${task}`])
      : 'npx hardhat hdp:eth-call <contract> "<function>" …';
    screen.line(`  Run it:    ${style.command(run)}`);
    screen.document({ folder, files: [...files.keys()] });
  },
});

function templateOf(name: string): ModuleTemplate {
  const template = MODULE_TEMPLATES.find((known) => known === name);
  if (template !== undefined) return template;
  throw new HdpError({
    code: "HDP-6077",
    path: "--template",
    message: `there is no template "${name}".`,
    hints: [`One of: ${MODULE_TEMPLATES.join(", ")}.`],
  });
}

/** Fails where there is anything by that name, so that nothing is ever overwritten. */
async function makeFolder(folder: string, name: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    throw new HdpError({
      code: "HDP-6072",
      path: "name",
      message: `the folder "${name}" can't be made (${systemErrorWord(error)}).`,
      hints: [`It would be ${folder}. Nothing is overwritten: choose another name, or move what is there.`],
      cause: error,
    });
  }
}

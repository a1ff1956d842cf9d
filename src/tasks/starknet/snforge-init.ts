import { shellWord } from "../../base/untrusted-text.js";
import { initSnforgeProject } from "../../plugin/snforge-project.js";
import { word } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

export default command({
  name: "snforge init",
  aliases: ["snforge:init"],
  description: "Add what a Starknet Foundry test needs, and a first test, to a folder",
  positional: { dir: word("The Scarb package's folder", ".") },
  run: async ({ dir }, { hre, screen }) => {
    const files = await initSnforgeProject(dir, hre.config.paths.root);
    screen.line();
    for (const { path, change } of files) screen.line(`  ${change.padEnd(9)}  ${path}`);
    for (const { warning } of files) if (warning !== undefined) screen.line(`  ${style.bad("!")} ${warning}`);
    screen.line();
    screen.line(
      `  Run the test: ${style.command(dir === "." ? "snforge test" : `cd ${shellWord(dir)} && snforge test`)}`,
    );
    screen.document({ dir, files });
  },
});

import { word } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

export default command({
  name: "program show",
  aliases: ["program"],
  description: "Print what the program registry knows of a program hash",
  positional: { programHash: word("The program hash") },
  run: async ({ programHash }, { hre, screen }) => {
    const record = await hre.hdp.program.metadata(programHash);
    screen.line();
    screen.line(`  ${style.strong("Program")}  ${programHash}`);
    screen.line(`           layout ${record.layout}, Cairo ${String(record.version)}`);
    screen.document({ programHash, ...record });
  },
});

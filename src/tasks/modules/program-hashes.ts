import { word } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

export default command({
  name: "program hash",
  aliases: ["program-hash"],
  description: "Print the program hash of a compiled class, without any network",
  positional: { file: word("A compiled class: *.compiled_contract_class.json") },
  run: async ({ file }, { hre, screen }) => {
    const hashes = await hre.hdp.program.hash(file);
    screen.line();
    screen.line(`  ${style.strong("Program hash")}  ${hashes.programHash}   (bytecode by segments: the registry's)`);
    screen.line(
      `  ${style.strong("Flat hash")}     ${hashes.flatProgramHash}   (bytecode as one list: the newer prover's)`,
    );
    screen.document({ file, ...hashes });
  },
});

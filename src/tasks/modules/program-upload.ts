import type { CallRecord } from "../../plugin/actions/storage-proof-actions.js";
import { printEarlier } from "../journal/print-submissions.js";
import { forceSending, word } from "../shared-options.js";
import { command } from "../command.js";
import { style } from "../ui/screen.js";

export default command({
  name: "program upload",
  aliases: ["upload"],
  description: "Store a compiled class in the program registry",
  positional: { file: word("A compiled class: *.compiled_contract_class.json") },
  options: { force: forceSending },
  run: async ({ file, force }, { hre, screen }) => {
    const before: CallRecord[] = [];
    const onEarlier = (earlier: CallRecord): void => {
      before.push(earlier);
      printEarlier(screen)(earlier);
    };
    const uploaded = await hre.hdp.program.upload(file, { force, onEarlier });
    if (before.length === 0) {
      screen.line();
      screen.line(`  ${style.good("✔")} Stored ${file}`);
    }
    screen.line(`  ${style.strong("Program hash")}  ${uploaded.programHash}`);
    if (!uploaded.matches) {
      screen.line(
        `  ${style.bad("!")} The hash computed here is ${uploaded.computedHash}: not what the registry answered.`,
      );
      screen.line(
        "    Tasks have to name the registry's hash. Check that the registry hashes compiled classes (CASM).",
      );
    }
    screen.document({ file, ...uploaded });
  },
});

import { plural } from "../../base/text.js";
import { suggested } from "../../errors/suggested.js";
import { shellWord } from "../../base/untrusted-text.js";
import { readLayout } from "../../plugin/actions/storage-of.js";
import { requireOutput, writeOutput } from "../../plugin/output-file.js";
import { command } from "../command.js";
import { flag, text, words } from "../shared-options.js";
import { style } from "../ui/screen.js";
import { renderStorage, storageLibraries } from "./render-storage.js";

/** What the file is made from. */
const SAID = "the compiler's layout says";

export default command({
  name: "storage",
  description: "Write a Solidity library of contracts' storage slots, from the compiler's layout",
  positional: { contracts: words("Contracts, by name or source:name") },
  options: {
    out: text("File to write", "contracts/HdpStorage.sol"),
    check: flag("Write nothing, and fail where the file is not what would be written"),
  },
  run: async ({ contracts, out, check }, { hre, screen }) => {
    const { root } = hre.config.paths;
    // Tests may import the file that is not there yet; the contracts do not.
    await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
    await hre.artifacts.clearCache();
    const layouts = await Promise.all(contracts.map(async (contract) => await readLayout(hre.artifacts, contract)));
    const libraries = storageLibraries(layouts);
    const written = renderStorage(libraries, contracts);
    const again = suggested("hdp:storage", contracts, { after: `--out ${shellWord(out)}` });
    if (check) await requireOutput(out, root, written, { code: "HDP-6088", said: SAID, again });
    else await writeOutput(out, root, written);
    screen.line(`  ${style.good("✔")} ${out}  ${check ? `is what ${SAID}` : "written"}`);
    for (const { library, functions, without } of libraries) {
      screen.line(`    ${library}  ${plural(functions.length, "function")}`);
      for (const { path, why } of without) screen.line(`      without ${path}: ${why}`);
    }
    const told = libraries.map(({ contract, library, functions, without }) => {
      return { contract, library, functions: functions.length, without };
    });
    screen.document({ out, libraries: told });
  },
});

import { HdpError } from "../../base/errors.js";
import { suggested } from "../../base/suggested.js";
import { shellWord } from "../../base/untrusted-text.js";
import { readLayout } from "../../plugin/actions/storage-of.js";
import { compareOutput, writeOutput } from "../../plugin/output-file.js";
import { command } from "../command.js";
import { flag, text, words } from "../shared-options.js";
import { style } from "../ui/screen.js";
import { libraryName, renderStorage, slotFunctions } from "./render-storage.js";

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
    const written = renderStorage(layouts, contracts);
    if (check) await requireSame(out, root, written, contracts);
    else await writeOutput(out, root, written);
    screen.line(`  ${style.good("✔")} ${out}  ${check ? "is what the compiler's layout says" : "written"}`);
    const libraries = layouts.map(({ contractName, layout }) => {
      const { functions, without } = slotFunctions(contractName, layout);
      return { contract: contractName, library: libraryName(contractName), functions: functions.length, without };
    });
    for (const { library, functions, without } of libraries) {
      screen.line(`    ${library}  ${functions.toString()} ${functions === 1 ? "function" : "functions"}`);
      for (const { path, why } of without) screen.line(`      without ${path}: ${why}`);
    }
    screen.document({ out, libraries });
  },
});

async function requireSame(out: string, root: string, wanted: string, contracts: readonly string[]): Promise<void> {
  const found = await compareOutput(out, root, wanted);
  if (found === "same") return;
  throw new HdpError({
    code: "HDP-6088",
    path: "--check",
    message: `"${out}" ${found === "missing" ? "is not there" : "is not what the compiler's layout says"}.`,
    hints: [`Write it again: ${suggested("hdp:storage", contracts, { after: `--out ${shellWord(out)}` })}`],
  });
}

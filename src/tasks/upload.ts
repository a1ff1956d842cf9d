import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ file: string; json: boolean }> = async ({ file, json }, hre) => {
  const uploaded = await hre.hdp.program.upload(file);
  const screen = terminalScreen(json);
  screen.line();
  screen.line(`  ${style.good("✔")} Stored ${file}`);
  screen.line(`  ${style.strong("Program hash")}  ${uploaded.programHash}`);
  if (!uploaded.matches) {
    screen.line(
      `  ${style.bad("!")} The hash computed here is ${uploaded.computedHash}: not what the registry answered.`,
    );
    screen.line("    Tasks have to name the registry's hash. Check that the registry hashes compiled classes (CASM).");
  }
  screen.document({ file, ...uploaded });
};

export default action;

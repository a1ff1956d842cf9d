import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { style, terminalScreen } from "./ui/screen.js";

const action: NewTaskActionFunction<{ file: string; json: boolean }> = async ({ file, json }, hre) => {
  const hashes = await hre.hdp.program.hash(file);
  const screen = terminalScreen(json);
  screen.line();
  screen.line(`  ${style.strong("Program hash")}  ${hashes.programHash}   (bytecode by segments: the registry's)`);
  screen.line(
    `  ${style.strong("Flat hash")}     ${hashes.flatProgramHash}   (bytecode as one list: the newer prover's)`,
  );
  screen.document({ file, ...hashes });
};

export default action;

import { programHashes } from "../../plugin/known-programs.js";
import type { SubmissionRecord } from "../../submission/model.js";
import { command } from "../run-command.js";
import { printEarlier } from "../submissions/list.js";
import { printFields, style } from "../ui/screen.js";

export const hash = command(async ({ file }: { file: string }, { hre, screen }) => {
  const hashes = await programHashes(file, hre.config.paths.root);
  printFields(screen, [
    ["Program hash", `${hashes.programHash}   (bytecode by segments: the registry's)`],
    ["Flat hash", `${hashes.flatProgramHash}   (bytecode as one list: the newer prover's)`],
  ]);
  return { file, ...hashes };
});

export const show = command(async ({ programHash }: { programHash: string }, { hre, screen }) => {
  const record = await hre.hdp.program.metadata(programHash);
  printFields(screen, [
    ["Program", programHash],
    ["Layout", record.layout],
    ["Cairo", String(record.version)],
  ]);
  return { programHash, ...record };
});

export const upload = command(async ({ file, force }: { file: string; force: boolean }, { hre, screen }) => {
  const before: SubmissionRecord[] = [];
  const onEarlier = (earlier: SubmissionRecord): void => {
    before.push(earlier);
    printEarlier(screen, earlier);
  };
  const uploaded = await hre.hdp.program.upload(file, { force, onEarlier });
  if (before.length === 0) {
    screen.line();
    screen.line(`  ${style.good("✔")} Stored ${file}`);
  }
  printFields(screen, [["Program hash", uploaded.programHash]]);
  if (!uploaded.matches) {
    screen.line(
      `  ${style.bad("!")} The hash computed here is ${uploaded.computedHash}: not what the registry answered.`,
    );
    screen.line("    Tasks have to name the registry's hash. Check that the registry hashes compiled classes (CASM).");
  }
  return { file, ...uploaded };
});

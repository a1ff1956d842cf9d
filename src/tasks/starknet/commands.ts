import { shellWord } from "../../base/text.js";
import { initSnforgeProject } from "./snforge-project.js";
import { declareMock, deployMock as deploy, isOnDevnet, type MockAccountChoice } from "../../plugin/starknet-mock.js";
import { command } from "../run-command.js";
import { confirmed } from "../ui/confirm.js";
import { printFields, style } from "../ui/screen.js";

export const init = command(async ({ dir }: { dir: string }, { hre, screen }) => {
  const files = await initSnforgeProject(dir, hre.config.paths.root);
  screen.line();
  for (const { path, change } of files) screen.line(`  ${change.padEnd(9)}  ${path}`);
  for (const { warning } of files) if (warning !== undefined) screen.line(`  ${style.bad("!")} ${warning}`);
  screen.line();
  const test = dir === "." ? "snforge test" : `cd ${shellWord(dir)} && snforge test`;
  screen.line(`  Run the test: ${style.command(test)}`);
  return { dir, files };
});

export const deployMock = command(
  async ({ declareOnly, yes, ...choice }: MockAccountChoice & { declareOnly: boolean; yes: boolean }, context) => {
    const { hre, screen } = context;
    const question = `The node is not a devnet, and this costs fees. ${declareOnly ? "Declare the mock's class" : "Deploy a mock"}?`;
    const isFree = yes || (await isOnDevnet(choice, hre.config.hdp));
    if (!(await confirmed(question, isFree, context))) return undefined;
    if (declareOnly) {
      const declared = await declareMock(choice, hre.config.hdp);
      printFields(screen, [
        ["Class", declared.classHash],
        ["Transaction", declared.transactionHash ?? "none: it was declared before"],
      ]);
      return declared;
    }
    const deployed = await deploy(choice, hre.config.hdp);
    printFields(screen, [["Execution store", `${deployed.address}  (mock, on Starknet)`]]);
    screen.line("  To use it, configure it for its chain in hardhat.config.ts:");
    screen.line(`    hdp: { starknet: { <chain>: { rpcUrl, executionStore: "${deployed.address}" } } }`);
    return deployed;
  },
);

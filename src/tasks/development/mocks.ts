import { Session } from "../../plugin/session.js";
import { accountFor, type MockAccountChoice } from "../../plugin/stores/starknet-stores.js";
import { declareStarknetMock, deployStarknetMock, starknetChain } from "../../store/starknet/mock.js";
import { command, oneOf, type Optional } from "../run-command.js";
import { confirmed } from "../ui/confirm.js";
import { printFields } from "../ui/screen.js";

const KINDS = ["satellite", "execution-store"] as const;

export const deployStore = command(async ({ yes, ...given }: { yes: boolean } & Optional<"kind">, context) => {
  const what = "a kind of store";
  const kind = given.kind === undefined ? undefined : oneOf(given.kind, KINDS, { what, path: "--kind" });
  const { hre, screen, asker } = context;
  const connection = await hre.network.getOrCreate();
  const { hdp, networkName } = connection;
  const session = Session.of(connection);
  let onLiveChain = yes;
  // Where nobody can answer, deployExecutionStore refuses and names the chain.
  if (!yes && asker.canAnswer && !(await session.isDevelopment())) {
    const chain = `Network "${networkName}" is chain ${await session.chainId()}, not a development chain`;
    onLiveChain = await confirmed(`${chain}: deploy a mock store there, which costs gas?`, yes, context);
    if (!onLiveChain) return { networkName, address: null };
  }
  const { address, mock } = await hdp.deployExecutionStore({ onLiveChain, kind });
  printFields(screen, [["Execution store", `${address}  (mock, network "${networkName}")`]]);
  screen.line("  To use it from other commands, configure it for the network in hardhat.config.ts:");
  screen.line(`    hdp: { executionStore: { address: "${address}" } }`);
  return { networkName, address, mock };
});

export const deployMock = command(
  async ({ declareOnly, yes, ...choice }: MockAccountChoice & { declareOnly: boolean; yes: boolean }, context) => {
    const { hre, screen } = context;
    const question = `The node is not a devnet, and this costs fees. ${declareOnly ? "Declare the mock's class" : "Deploy a mock"}?`;
    const account = await accountFor(choice, hre.config.hdp);
    const isFree = yes || (await starknetChain(account.rpcUrl)).startsAnew;
    if (!(await confirmed(question, isFree, context))) return undefined;
    if (declareOnly) {
      const declared = await declareStarknetMock(account);
      printFields(screen, [
        ["Class", declared.classHash],
        ["Transaction", declared.transactionHash ?? "none: it was declared before"],
      ]);
      return declared;
    }
    const deployed = await deployStarknetMock(account);
    printFields(screen, [["Execution store", `${deployed.address}  (mock, on Starknet)`]]);
    screen.line("  To use it, configure it for its chain in hardhat.config.ts:");
    screen.line(`    hdp: { starknet: { <chain>: { rpcUrl, executionStore: "${deployed.address}" } } }`);
    return deployed;
  },
);

import { hdpError, suggested } from "../../errors/hdp-error.js";
import type { ConnectedNetwork } from "../../plugin/connected-network.js";
import { Session } from "../../plugin/session.js";
import { rememberedStore } from "../../plugin/project-database.js";
import { EvmStores, type StoreInUse } from "../../plugin/stores/evm-stores.js";
import {
  accountFor,
  findMockChains,
  type MockAccountChoice,
} from "../../plugin/stores/starknet-stores.js";
import { MOCK_KINDS } from "../../store/execution-store.js";
import {
  declareStarknetMock,
  deployNextStarknetMock,
  starknetChain,
} from "../../store/starknet/mock.js";
import { StoreRpcError } from "../../store/node-requests.js";
import { type Flags, parseChoice, type Optional } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { confirmed } from "../ui/confirm.js";
import { printFields, type Screen, style } from "../ui/screen.js";

type StoreArguments = { action: string; yes: boolean } & Optional<"kind" | "address">;

/** Runs `hdp store`: shows, deploys or chooses the execution store. */
export const store = command(async (args: StoreArguments, context) => {
  const what = "an action on the store in use";
  const action = parseChoice(args.action, ["show", "deploy", "use"], { what, path: "action" });
  if (action === "deploy") return await deployStore(args, context);
  if (action === "show") return await showStore(context);
  if (args.address !== undefined) return await useStore(args.address, context);
  const example = "npx hardhat hdp store use 0x… --network localhost";
  throw hdpError("HDP-6016", { what: "execution store", example }, { path: "address" });
});

async function showStore({ hre, screen }: CommandContext): Promise<object> {
  const connection = await hre.network.getOrCreate();
  const { networkName } = connection;
  const used = await Session.of(connection).part(EvmStores).existing();
  if (used === undefined)
    screen.line(
      `  Network "${networkName}" has no execution store yet: its first use deploys a mock.`,
    );
  else printStore(screen, used, networkName);
  return { networkName, address: null, ...used };
}

/** Deploys a mock, on a live chain after a question, and prints which store is in use afterwards. */
async function deployStore(
  { yes, ...args }: StoreArguments,
  context: CommandContext,
): Promise<object> {
  const what = "a kind of store";
  const kind =
    args.kind === undefined
      ? undefined
      : parseChoice(args.kind, MOCK_KINDS, { what, path: "--kind" });
  const { hre, screen, asker } = context;
  const connection = await hre.network.getOrCreate();
  const { hdp, networkName } = connection;
  const session = Session.of(connection);
  let onLiveChain = yes;
  // Without a user to answer, deployExecutionStore refuses and names the chain.
  if (!yes && asker.canAnswer && !(await session.isDevelopment())) {
    const chain = `Network "${networkName}" is chain ${await session.chainId()}, not a development chain`;
    onLiveChain = await confirmed(
      `${chain}: deploy a mock store there, which costs gas?`,
      yes,
      context,
    );
    if (!onLiveChain) return { networkName, address: null };
  }
  const before = await storeBefore(session, session.part(EvmStores));
  const { address, mock } = await hdp.deployExecutionStore({ onLiveChain, kind });
  printStore(screen, { address, mock }, networkName);
  if (session.isSimulated) {
    screen.line(
      "  The in-process chain ends with this command, and the store on it too. Name a node with --network.",
    );
    return { networkName, address, mock };
  }
  const isKept = (await rememberedStore(session)) === address;
  const stays = session.config.executionStore.address ?? (isKept ? undefined : before);
  if (stays === undefined) printKept(screen, before, networkName);
  else printOther(screen, { stays, address }, networkName);
  return { networkName, address, mock };
}

/** Prints that another store than the deployed mock stays the one in use, and how to choose the mock. */
function printOther(
  screen: Screen,
  { stays, address }: { readonly stays: string; readonly address: string },
  network: string,
): void {
  const use = suggested("hdp store use", [address], { network });
  screen.line(`  The store ${stays} stays the one in use. For the mock: ${style.command(use)}`);
}

async function useStore(address: string, { hre, screen }: CommandContext): Promise<object> {
  const connection = await hre.network.getOrCreate();
  const { networkName } = connection;
  const session = Session.of(connection);
  const before = await storeBefore(session, session.part(EvmStores));
  const used = await session.part(EvmStores).keep(address);
  printStore(screen, used, networkName);
  printKept(screen, before === used.address ? undefined : before, networkName);
  return { networkName, ...used, before: before ?? null };
}

/** Returns the store that other processes use so far; undefined where there is none, or the node does not answer. */
async function storeBefore(
  network: ConnectedNetwork,
  stores: EvmStores,
): Promise<string | undefined> {
  const found = rememberedStore(network).then(
    async (kept) => kept ?? (await stores.existing())?.address,
  );
  return await found.catch(() => undefined);
}

function printStore(screen: Screen, { address, mock }: StoreInUse, network: string): void {
  printFields(screen, [
    ["Execution store", `${address}  (${mock ? "mock, " : ""}network "${network}")`],
  ]);
}

function printKept(screen: Screen, before: string | undefined, network: string): void {
  screen.line(
    "  It is in use on this chain from now on, for every command and script of this project.",
  );
  if (before === undefined) return;
  const back = style.command(suggested("hdp store use", [before], { network }));
  screen.line(`  The one before, ${before}, keeps its results. To use it again: ${back}`);
}

type MockArguments = MockAccountChoice & Flags<"declareOnly" | "yes">;

/** Runs `hdp starknet deploy-mock`: declares the Cairo mock's class and deploys it. */
export const deployMock = command(
  async ({ declareOnly, yes, ...choice }: MockArguments, context) => {
    const { hre, screen } = context;
    const question = `The node is not a devnet, and this costs fees. ${declareOnly ? "Declare the mock's class" : "Deploy a mock"}?`;
    const account = await accountFor(choice, hre.config.hdp);
    const { genesis, startsAnew } = await starknetChain(account.rpcUrl);
    if (genesis === undefined && !startsAnew) {
      throw new StoreRpcError("starknet_getBlockWithTxHashes", "the Starknet node does not answer");
    }
    if (!(await confirmed(question, yes || startsAnew, context))) return undefined;
    if (declareOnly) {
      const declared = await declareStarknetMock(account);
      printFields(screen, [
        ["Class", declared.classHash],
        ["Transaction", declared.transactionHash ?? "none: it was declared before"],
      ]);
      return declared;
    }
    const deployed = await deployNextStarknetMock(account);
    printFields(screen, [["Execution store", `${deployed.address}  (mock, on Starknet)`]]);
    const chains = await findMockChains(account, hre.config.hdp);
    if (chains.length > 0) {
      const which = chains.join(" and ");
      screen.line(`  It is in use for ${which} from now on, for every command and script.`);
      return deployed;
    }
    screen.line("  To use it, configure it for its chain in hardhat.config.ts:");
    const chain = choice.destination ?? "STARKNET_SEPOLIA";
    screen.line(
      `    hdp: { starknet: { ${chain}: { rpcUrl, executionStore: "${deployed.address}" } } }`,
    );
    return deployed;
  },
);

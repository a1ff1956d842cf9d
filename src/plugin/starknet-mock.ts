import { hdpError } from "../errors/hdp-error.js";
import type { StarknetAccountOptions } from "../store/starknet/starknet-js.js";
import {
  type DeclaredMock,
  declareStarknetMock,
  type DeployedStarknetMock,
  deployStarknetMock,
  starknetChain,
} from "../store/starknet/mock.js";
import type { HdpConfig, StarknetAccountConfig, StarknetConfig } from "./config/config-types.js";
import { parseDestination } from "./destination.js";

/** Environment variable with the key of an account that is named on the command line. */
const PRIVATE_KEY_VARIABLE = "HDP_STARKNET_PRIVATE_KEY";

/** What a command names; what is missing comes from `starknet` in the configuration. */
export interface MockAccountChoice {
  readonly rpcUrl: string | undefined;
  readonly account: string | undefined;
  readonly destination: string | undefined;
}

/** Declares the mock's class with the chosen account. */
export async function declareMock(choice: MockAccountChoice, config: HdpConfig): Promise<DeclaredMock> {
  return await declareStarknetMock(await accountFor(choice, config));
}

/** Declares the mock's class where needed and deploys it with the chosen account, its owner. */
export async function deployMock(choice: MockAccountChoice, config: HdpConfig): Promise<DeployedStarknetMock> {
  return await deployStarknetMock(await accountFor(choice, config));
}

/** Returns whether the chosen node is a devnet, where nothing costs fees. */
export async function isOnDevnet(choice: MockAccountChoice, config: HdpConfig): Promise<boolean> {
  const { rpcUrl } = await accountFor(choice, config);
  return (await starknetChain(rpcUrl)).startsAnew;
}

/** Returns the chosen account. @throws HdpError HDP-8017 where the node, the account or its key is missing */
export async function accountFor(
  choice: MockAccountChoice,
  { starknet }: HdpConfig,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<StarknetAccountOptions> {
  const configured = sectionOf(choice.destination, starknet);
  const rpcUrl = choice.rpcUrl ?? (await configured?.rpcUrl.getUrl());
  if (rpcUrl === undefined) throw hdpError("HDP-8017", { what: "the Starknet node" }, { path: "--rpc-url" });
  // A configured key belongs to the configured account, not to another one that is named.
  if (choice.account === undefined && configured?.account !== undefined) {
    return { rpcUrl, ...configuredAccount(configured.account) };
  }
  const accountAddress = choice.account;
  if (accountAddress === undefined) throw hdpError("HDP-8017", { what: "the account" }, { path: "--account" });
  const key = environment[PRIVATE_KEY_VARIABLE];
  if (key === undefined) throw hdpError("HDP-8017", { what: "the account's key" }, { path: PRIVATE_KEY_VARIABLE });
  return { rpcUrl, accountAddress, privateKey: () => key };
}

/** Returns the account of the configuration. Its keys are read when something is to be signed. */
export function configuredAccount({
  address,
  privateKey,
  signer,
  guardianKey,
}: StarknetAccountConfig): Omit<StarknetAccountOptions, "rpcUrl"> {
  return {
    accountAddress: address,
    privateKey: async () => await privateKey.get(),
    signer,
    guardianKey: guardianKey && (async () => await guardianKey.get()),
  };
}

/** The named chain's section, or the only one with an account. */
function sectionOf(
  destination: string | undefined,
  starknet: Readonly<Record<string, StarknetConfig>>,
): StarknetConfig | undefined {
  if (destination !== undefined) return starknet[parseDestination(destination)];
  const withAccount = Object.values(starknet).filter(({ account }) => account !== undefined);
  return withAccount.length === 1 ? withAccount[0] : undefined;
}

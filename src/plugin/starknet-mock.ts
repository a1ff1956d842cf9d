import { HdpError } from "../errors/hdp-error.js";
import type { StarknetAccountOptions } from "../store/starknet/account.js";
import {
  type DeclaredMock,
  declareStarknetMock,
  type DeployedStarknetMock,
  deployStarknetMock,
  starknetChain,
} from "../store/starknet/devnet.js";
import type { HdpConfig, StarknetAccountConfig, StarknetConfig } from "./config/config-types.js";
import { parseDestination } from "./destination.js";

/** Environment variable with the key of an account that was named on the command line. */
export const PRIVATE_KEY_VARIABLE = "HDP_STARKNET_PRIVATE_KEY";

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

/** Whether the chosen node is a devnet, where nothing costs anything. */
export async function isOnDevnet(choice: MockAccountChoice, config: HdpConfig): Promise<boolean> {
  const { rpcUrl } = await accountFor(choice, config);
  return (await starknetChain(rpcUrl)).startsAnew;
}

/** @throws HDP-8017 where the node, the account or its key is neither named nor configured */
export async function accountFor(
  choice: MockAccountChoice,
  { starknet }: HdpConfig,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<StarknetAccountOptions> {
  const configured = chosen(choice.destination, starknet);
  const rpcUrl = choice.rpcUrl ?? (await configured?.rpcUrl.getUrl());
  const accountAddress = choice.account ?? configured?.account?.address;
  if (rpcUrl === undefined) throw missing("--rpc-url", "the node");
  if (accountAddress === undefined) throw missing("--account", "the account");
  const given = environment[PRIVATE_KEY_VARIABLE];
  // A configured key belongs to the configured account, not to another one that is named.
  const own = choice.account === undefined ? configured?.account : undefined;
  if (given === undefined && own === undefined) throw missing(PRIVATE_KEY_VARIABLE, "the account's private key");
  if (own !== undefined) return { rpcUrl, ...configuredAccount(own) };
  return { rpcUrl, accountAddress, privateKey: () => given ?? "" };
}

/** The account of the configuration, whose keys are read when something is to be signed. */
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
    guardianKey: guardianKey === undefined ? undefined : async () => await guardianKey.get(),
  };
}

/** The named chain's section, or the only one with an account. */
function chosen(
  destination: string | undefined,
  starknet: Readonly<Record<string, StarknetConfig>>,
): StarknetConfig | undefined {
  if (destination !== undefined) return starknet[parseDestination(destination)];
  const withAccount = Object.values(starknet).filter(({ account }) => account !== undefined);
  return withAccount.length === 1 ? withAccount[0] : undefined;
}

function missing(name: string, what: string): HdpError {
  return new HdpError({
    code: "HDP-8017",
    path: name,
    message: `${what} to put the mock on Starknet with is not known.`,
    hints: [
      "Configure it: hdp: { starknet: { STARKNET_SEPOLIA: { rpcUrl, account: { address, privateKey } } } },",
      `or give --rpc-url and --account, and the key in the environment variable ${PRIVATE_KEY_VARIABLE}.`,
    ],
  });
}

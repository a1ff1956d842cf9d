import type { HardhatUserConfig } from "hardhat/types/config";

/** The first three of Hardhat's twenty development accounts: a project derives each address anew, and most tests use two. */
const accounts = [
  "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
].map((privateKey) => ({ privateKey, balance: 10_000n * 10n ** 18n }));

/** A project's networks, of which the in-process ones have few accounts unless they say which. */
export function fewAccounts(
  networks: HardhatUserConfig["networks"] = {},
): NonNullable<HardhatUserConfig["networks"]> {
  const withDefault: NonNullable<HardhatUserConfig["networks"]> = {
    default: { type: "edr-simulated" },
    ...networks,
  };
  return Object.fromEntries(
    Object.entries(withDefault).map(([name, network]) => [
      name,
      network.type === "edr-simulated" ? { accounts, ...network } : network,
    ]),
  );
}

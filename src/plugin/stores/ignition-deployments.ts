import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";
import type { Address } from "viem";
import { getAddress, isAddress } from "viem/utils";

import { isRecord } from "../../base/collections.js";
import { isMockStore } from "../../store/finalize.js";
import type { ConnectedNetwork } from "../connected-network.js";

/**
 * Returns the mock that Ignition deployed on a network's chain, by `ignition/deployments`: of several existing ones,
 * the last of the chain's own deployment. Skips deployments that are not on the chain or cannot be read.
 */
export async function mockOfIgnition(
  network: ConnectedNetwork,
  { paths }: HardhatConfig,
): Promise<Address | undefined> {
  const ignition =
    "ignition" in paths && typeof paths.ignition === "string" ? paths.ignition : "ignition";
  const deployments = resolve(paths.root, ignition, "deployments");
  const own = `chain-${await network.chainId()}`;
  const names = await readdir(deployments).catch(() => []);
  for (const name of names.sort((a, b) => Number(b === own) - Number(a === own))) {
    const mocks = await mocksIn(join(deployments, name, "deployed_addresses.json"));
    for (const address of mocks.reverse())
      if (await isMockStore(network.provider, address)) return address;
  }
  return undefined;
}

/** Returns the mocks in a list of deployed addresses, oldest first. */
async function mocksIn(path: string): Promise<Address[]> {
  try {
    const futures: unknown = JSON.parse(await readFile(path, "utf8"));
    return Object.entries(isRecord(futures) ? futures : {}).flatMap(([id, address]) =>
      id.endsWith("#HdpExecutionStoreMock") && typeof address === "string" && isAddress(address)
        ? [getAddress(address)]
        : [],
    );
  } catch {
    return [];
  }
}

import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import type { Address } from "viem";
import { getAddress, isAddress } from "viem/utils";

import { isRecord } from "../../base/collections.js";
import { isMockStore } from "../../store/finalize.js";
import type { Session } from "../session.js";

/**
 * Returns the mock that Ignition deployed on a session's chain, by `ignition/deployments`: of several existing ones,
 * the last of the chain's own deployment. Skips deployments that are not on the chain or cannot be read.
 */
export async function mockOfIgnition(session: Session): Promise<Address | undefined> {
  const { paths } = session.project.config;
  const ignition =
    "ignition" in paths && typeof paths.ignition === "string" ? paths.ignition : "ignition";
  const deployments = resolve(session.root, ignition, "deployments");
  const own = `chain-${await session.chainId()}`;
  const names = await readdir(deployments).catch(() => []);
  for (const name of names.sort((a, b) => Number(b === own) - Number(a === own))) {
    const mocks = await mocksIn(join(deployments, name, "deployed_addresses.json"));
    for (const address of mocks.reverse())
      if (await isMockStore(session.provider, address)) return address;
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

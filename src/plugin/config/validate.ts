import { validateUserConfigZodType } from "@nomicfoundation/hardhat-zod-utils";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatUserConfigValidationError } from "hardhat/types/hooks";

import { findChainIdentifier } from "../../request/chains.js";
import { userConfigSchema } from "./schema.js";
import type { HdpUserConfig } from "./config-types.js";

/** Every mistake in `hdp`, globally and under each network, with its path. */
export function validateHdpConfig(userConfig: HardhatUserConfig): HardhatUserConfigValidationError[] {
  const mistakes = validateUserConfigZodType(userConfig, userConfigSchema);
  if (mistakes.length > 0) return mistakes;
  const places: [(string | number)[], HdpUserConfig | undefined][] = [
    [["hdp"], userConfig.hdp],
    ...Object.entries(userConfig.networks ?? {}).map(([name, network]): [string[], HdpUserConfig | undefined] => [
      ["networks", name, "hdp"],
      network.hdp,
    ]),
  ];
  return places.flatMap(([path, hdp]) =>
    hdp === undefined ? [] : chainMistakes(hdp, new Set(Object.keys(userConfig.networks ?? {})), path),
  );
}

/** Networks that Hardhat defines by itself. */
const BUILT_IN_NETWORKS = ["default", "node", "localhost"];

function chainMistakes(
  hdp: HdpUserConfig,
  networks: ReadonlySet<string>,
  path: (string | number)[],
): HardhatUserConfigValidationError[] {
  const unknownChains = (["chains", "sources", "starknet"] as const).flatMap((section) =>
    Object.keys(hdp[section] ?? {})
      .filter((chain) => findChainIdentifier(chain) === undefined)
      .map((chain) => ({
        path: [...path, section, chain],
        message: `"${chain}" is not a chain identifier, for instance ETHEREUM_SEPOLIA or SN_SEPOLIA`,
      })),
  );
  const unknownNetworks = (["chains", "sources"] as const).flatMap((section) =>
    Object.entries(hdp[section] ?? {})
      .filter(([, network]) => !networks.has(network) && !BUILT_IN_NETWORKS.includes(network))
      .map(([chain, network]) => ({
        path: [...path, section, chain],
        message: `there is no network "${network}" in this configuration`,
      })),
  );
  return [...unknownChains, ...unknownNetworks, ...wrongSecondNode(hdp, networks, path)];
}

/** A second node is another one: a network's own name there would only ask the same node twice. */
function wrongSecondNode(
  { local }: HdpUserConfig,
  networks: ReadonlySet<string>,
  path: (string | number)[],
): HardhatUserConfigValidationError[] {
  const name = local?.secondNode;
  if (name === undefined) return [];
  const place = [...path, "local", "secondNode"];
  if (!networks.has(name) && !BUILT_IN_NETWORKS.includes(name)) {
    return [{ path: place, message: `there is no network "${name}" in this configuration` }];
  }
  return name === path[1]
    ? [{ path: place, message: "this is the network itself: name another node of its chain" }]
    : [];
}

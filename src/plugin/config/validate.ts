import { validateUserConfigZodType } from "@nomicfoundation/hardhat-zod-utils";
import type { HardhatUserConfig } from "hardhat/types/config";
import type { HardhatUserConfigValidationError } from "hardhat/types/hooks";

import { CHAIN_IDS, findChainIdentifier } from "../../request/chains.js";
import { meant, userConfigSchema } from "./schema.js";

type Mistake = HardhatUserConfigValidationError;
type Path = readonly (string | number)[];

/** Every mistake in `hdp`, globally and under each network, with its path: of form, and of names that do not exist. */
export function validateHdpConfig(userConfig: HardhatUserConfig): Mistake[] {
  const { networks } = userConfig;
  const names = [...new Set([...Object.keys(membersOf(networks)), ...BUILT_IN_NETWORKS])];
  const places: [Path, unknown][] = [
    [["hdp"], userConfig.hdp],
    ...Object.entries(membersOf(networks)).map(([name, network]): [Path, unknown] => [
      ["networks", name, "hdp"],
      membersOf(network)["hdp"],
    ]),
  ];
  return [
    ...validateUserConfigZodType(userConfig, userConfigSchema),
    ...places.flatMap(([path, hdp]) => wrongNames(membersOf(hdp), names, path)),
  ];
}

/** Networks that Hardhat defines by itself. */
const BUILT_IN_NETWORKS = ["default", "node", "localhost"];

/** Of what may have any form: what has the wrong one is a mistake of its own. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function wrongNames(hdp: Readonly<Record<string, unknown>>, networks: readonly string[], path: Path): Mistake[] {
  const unknownChains = (["chains", "sources", "starknet"] as const).flatMap((section) =>
    Object.keys(membersOf(hdp[section]))
      .filter((chain) => findChainIdentifier(chain) === undefined)
      .map((chain) => ({
        path: [...path, section, chain],
        message: `"${chain}" is not a chain identifier, for instance ETHEREUM_SEPOLIA or SN_SEPOLIA${meant(chain, Object.keys(CHAIN_IDS))}`,
      })),
  );
  const unknownNetworks = (["chains", "sources"] as const).flatMap((section) =>
    Object.entries(membersOf(hdp[section])).flatMap(([chain, network]) =>
      typeof network !== "string" || networks.includes(network)
        ? []
        : [{ path: [...path, section, chain], message: noNetwork(network, networks) }],
    ),
  );
  return [...unknownChains, ...unknownNetworks, ...wrongSecondNode(hdp, networks, path)];
}

function noNetwork(name: string, networks: readonly string[]): string {
  return `there is no network "${name}" in this configuration${meant(name, networks)}`;
}

/** A second node is another one: a network's own name there would only ask the same node twice. */
function wrongSecondNode(
  { local }: Readonly<Record<string, unknown>>,
  networks: readonly string[],
  path: Path,
): Mistake[] {
  const name = membersOf(local)["secondNode"];
  if (typeof name !== "string" || name === "") return [];
  const place = [...path, "local", "secondNode"];
  if (!networks.includes(name)) return [{ path: place, message: noNetwork(name, networks) }];
  return name === path[1]
    ? [{ path: place, message: "this is the network itself: name another node of its chain" }]
    : [];
}

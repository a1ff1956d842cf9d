import type { HdpConfig } from "../config/config.js";
import { findChainIdentifier } from "../../request/chains.js";
import { secretName } from "../services.js";
import type { NodeIo } from "./node-io.js";
import { type Check, type Found, asFinding, green, red, yellow } from "./finding.js";

/** The configuration of a network, and the check of its sources. */
export interface ConfigurationIo {
  readonly networkName: string;
  readonly config: HdpConfig;
  readonly requireSource: NodeIo["requireSource"];
}

/** The checks of the configuration, as it is resolved for the network. */
export const CONFIGURATION_CHECKS: readonly Check<ConfigurationIo>[] = [
  { name: "computes", run: ({ config }) => Promise.resolve(green(computes(config))) },
  { name: "tests", run: ({ config }) => Promise.resolve(tests(config)) },
  { name: "secrets", run: ({ config }) => Promise.resolve(secrets(config)) },
  { name: "sources", run: sources },
  { name: "proofs", run: ({ config }) => Promise.resolve(proofs(config)) },
  { name: "stores", run: ({ config }) => Promise.resolve(green(stores(config))) },
  { name: "timeouts", run: ({ config }) => Promise.resolve(green(timeouts(config))) },
];

function computes({ dataProcessor, dataProcessorIsOwn, local }: HdpConfig): string {
  if (dataProcessor === undefined) return "this process on development chains, else nothing";
  if (dataProcessor === "local")
    return local.edition === undefined ? "this process" : `this process, as ${local.edition}`;
  const where = dataProcessorIsOwn ? "" : ", and this process on development chains";
  return `a service of API version ${dataProcessor.edition}${where}`;
}

/** Compares what the local data processor of tests takes with what the service does. */
function tests({ dataProcessor, local: { edition } }: HdpConfig): Found | undefined {
  if (dataProcessor === undefined || dataProcessor === "local") return undefined;
  const { edition: served } = dataProcessor;
  if (edition === served) return green(`take the tasks of API version ${served}, as the service`);
  const taken = edition === undefined ? "every task" : `the tasks of API version ${edition}`;
  return yellow(
    `take ${taken}, and the service those of ${served}: what is green there may be refused`,
    `Set hdp: { local: { edition: "${served}" } }.`,
  );
}

/** Names the secrets; a missing one has its own line beside its service. */
function secrets(config: HdpConfig): Found | undefined {
  const { dataProcessor, programRegistry, storageProof, starknet } = config;
  const service = dataProcessor === "local" ? undefined : dataProcessor;
  const ofStarknet = Object.values(starknet).flatMap(({ account }) =>
    account !== undefined && "privateKey" in account ? [account.privateKey] : [],
  );
  const all = [service?.apiKey, programRegistry?.apiKey, storageProof?.apiKey, ...ofStarknet];
  const given = all.filter((secret) => secret !== undefined);
  if (given.length === 0) return undefined;
  const names = [...new Set(given.map(secretName))].join(", ");
  return green(`${names}; values are not shown`);
}

/** Names the networks that stand for chains, and finds one that is another chain, or none. */
async function sources({ config, requireSource }: ConfigurationIo): Promise<Found | undefined> {
  const named = { ...config.chains, ...config.sources };
  const chains = Object.keys(named).flatMap((name) => findChainIdentifier(name) ?? []);
  if (chains.length === 0) return undefined;
  for (const chain of chains) {
    const problem = await requireSource(chain).then(() => undefined, asFinding);
    if (problem !== undefined) return red(problem.found, `Correct hdp.sources.${chain}.`);
  }
  return green(chains.map((chain) => `${chain} by network "${named[chain] ?? ""}"`).join(", "));
}

function proofs({ local }: HdpConfig): Found {
  const { prove, checkpoint, secondNode, finalize } = local;
  const anchors = [
    ...(checkpoint === undefined ? [] : [`checkpoint ${checkpoint}`]),
    ...(secondNode === undefined ? [] : [`second node "${secondNode}"`]),
  ];
  const trust = anchors.length === 0 ? "the node's own chain" : anchors.join(" and ");
  const found = `prove ${prove}, resting on ${trust}, finalized ${finalize}`;
  if (prove !== "never") return green(found);
  return yellow(found, 'Nothing is checked: set hdp: { local: { prove: "when-possible" } }.');
}

function stores({ executionStore }: HdpConfig): string {
  const { address, kind } = executionStore;
  return `results in ${address ?? "the chain's own store"} (kind ${kind})`;
}

function timeouts({ timeouts: { request, rpc, await: wait } }: HdpConfig): string {
  const seconds = (milliseconds: number): string => `${milliseconds / 1_000} s`;
  return `a service's call ${seconds(request)}, a node's ${seconds(rpc)}, a wait ${seconds(wait)}`;
}

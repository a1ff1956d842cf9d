import type { Hex } from "viem";
import { resolve } from "node:path";

import type {
  ConfigurationVariableResolver,
  HardhatConfig,
  HardhatUserConfig,
  ResolvedConfigurationVariable,
  SensitiveString,
} from "hardhat/types/config";

import { findChainIdentifier } from "../../request/chains.js";
import type {
  StarknetAccountConfig,
  StarknetAccountUserConfig,
  CairoConfig,
  CairoUserConfig,
  DataProcessorConfig,
  HdpConfig,
  HdpUserConfig,
  StarknetConfig,
  StarknetUserConfig,
} from "./config-types.js";

/** The resolved configuration with `hdp` filled in, globally and for each network. No variable is read here. */
export function resolveHdpConfig(
  userConfig: HardhatUserConfig,
  resolved: HardhatConfig,
  resolveVariable: ConfigurationVariableResolver,
): HardhatConfig {
  const root = resolved.paths.root;
  const global = userConfig.hdp ?? {};
  const networks = Object.fromEntries(
    Object.entries(resolved.networks).map(([name, network]) => {
      const own = userConfig.networks?.[name]?.hdp ?? {};
      return [name, { ...network, hdp: resolveOne(global, own, root, resolveVariable) }];
    }),
  );
  return { ...resolved, networks, hdp: resolveOne(global, {}, root, resolveVariable) };
}

/** A network's own sections stand whole over the global ones; records (chains, sources, starknet) are joined. */
function resolveOne(
  global: HdpUserConfig,
  own: HdpUserConfig,
  root: string,
  resolveVariable: ConfigurationVariableResolver,
): HdpConfig {
  const user = { ...global, ...own };
  const variable = (value: SensitiveString): ResolvedConfigurationVariable => resolveVariable(value);
  const optional = (value: SensitiveString | undefined): ResolvedConfigurationVariable | undefined =>
    value === undefined ? undefined : resolveVariable(value);

  const dataProcessor = (): "local" | DataProcessorConfig | undefined => {
    const given = user.dataProcessor;
    if (given === undefined || given === "local") return given;
    return { url: variable(given.url), apiKey: optional(given.apiKey), edition: given.edition ?? "tasks" };
  };
  const { programRegistry, storageProof } = user;
  return {
    dataProcessor: dataProcessor(),
    dataProcessorIsOwn: own.dataProcessor !== undefined,
    programRegistry:
      programRegistry === undefined
        ? undefined
        : {
            submitUrl: variable(programRegistry.submitUrl),
            metadataUrl: variable(programRegistry.metadataUrl ?? programRegistry.submitUrl),
            apiKey: optional(programRegistry.apiKey),
          },
    storageProof:
      storageProof === undefined
        ? undefined
        : { url: variable(storageProof.url), apiKey: optional(storageProof.apiKey) },
    executionStore: {
      address: user.executionStore?.address,
      kind: user.executionStore?.kind ?? "auto",
      operator: user.executionStore?.operator,
    },
    chains: { ...byIdentifier(global.chains), ...byIdentifier(own.chains) },
    sources: { ...byIdentifier(global.sources), ...byIdentifier(own.sources) },
    starknet: Object.fromEntries(
      Object.entries({ ...byIdentifier(global.starknet), ...byIdentifier(own.starknet) }).map(([chain, starknet]) => [
        chain,
        resolveStarknet(starknet, resolveVariable, root),
      ]),
    ),
    cairo: resolveCairo(user.cairo, root),
    local: {
      prove: user.local?.prove ?? "when-possible",
      concurrency: user.local?.concurrency ?? 16,
      checkpoint: blockHash(user.local?.checkpoint),
      secondNode: user.local?.secondNode,
      finalize: user.local?.finalize ?? "plain",
      programs: (user.local?.programs ?? []).map((path) => resolve(root, path)),
      ethCallModule: user.local?.ethCallModule ?? "eth_call",
      stateServer: optional(user.local?.stateServer),
      moduleResult: user.local?.moduleResult ?? "output-root",
      generation: user.local?.generation ?? "auto",
    },
    timeouts: {
      request: user.timeouts?.request ?? 30_000,
      await: user.timeouts?.await ?? 3_600_000,
      rpc: user.timeouts?.rpc ?? 30_000,
    },
    dataDir: resolve(root, user.dataDir ?? "hdp"),
  };
}

function resolveCairo(user: CairoUserConfig | undefined, root: string): CairoConfig | undefined {
  if (user === undefined) return undefined;
  const { fixtures } = user;
  return {
    package: resolve(root, user.package),
    fixtures: fixtures === undefined ? undefined : { format: "cairo", ...fixtures },
    snforge: user.snforge ?? "snforge",
  };
}

function resolveStarknet(
  user: StarknetUserConfig,
  resolveVariable: ConfigurationVariableResolver,
  root: string,
): StarknetConfig {
  const { rpcUrl, executionStore, entrypoint, account } = user;
  return {
    rpcUrl: resolveVariable(rpcUrl),
    executionStore,
    entrypoint,
    account: account === undefined ? undefined : resolveAccount(account, resolveVariable, root),
  };
}

function resolveAccount(
  { address, privateKey, keystore, signer = "stark", guardianKey }: StarknetAccountUserConfig,
  resolveVariable: ConfigurationVariableResolver,
  root: string,
): StarknetAccountConfig {
  return {
    address,
    privateKey:
      keystore === undefined
        ? // Validation has seen to it that one of both is given.
          resolveVariable(privateKey ?? "")
        : keystoreKey(resolve(root, keystore.file), resolveVariable(keystore.password)),
    signer,
    guardianKey: guardianKey === undefined ? undefined : resolveVariable(guardianKey),
  };
}

/** Opened when the key is asked for, and not kept. */
function keystoreKey(file: string, password: ResolvedConfigurationVariable): StarknetAccountConfig["privateKey"] {
  return {
    get: async () => {
      const { readKeystore } = await import("../../store/starknet/keystore.js");
      return await readKeystore(file, await password.get());
    },
  };
}

/** The record under canonical identifiers: `SN_SEPOLIA` and `STARKNET_SEPOLIA` are one chain. */
function byIdentifier<T>(record: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).map(([chain, value]) => [findChainIdentifier(chain) ?? chain, value]),
  );
}

function blockHash(text: string | undefined): Hex | undefined {
  return text === undefined ? undefined : `0x${text.slice(2).toLowerCase()}`;
}

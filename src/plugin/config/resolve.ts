import type { Hex } from "viem";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

import type { ConfigurationVariableResolver, HardhatConfig, HardhatUserConfig } from "hardhat/types/config";
import type { ResolvedConfigurationVariable, SensitiveString } from "hardhat/types/config";

import { findChainIdentifier } from "../../request/chains.js";
import type { HdpUserConfig, StarknetAccountUserConfig } from "./config-types.js";

/** Where sncast keeps accounts. */
export const SNCAST_ACCOUNTS = join(homedir(), ".starknet_accounts", "starknet_open_zeppelin_accounts.json");

/** Returns the resolved configuration with `hdp` filled in, globally and for each network. Reads no variable. */
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

/** `hdp` after resolution: the global values, or a network's own values over them. */
export type HdpConfig = Readonly<ReturnType<typeof resolveOne>>;
export type DataProcessorConfig = Exclude<HdpConfig["dataProcessor"], "local" | undefined>;
export type StarknetConfig = HdpConfig["starknet"][string];
export type CairoConfig = NonNullable<HdpConfig["cairo"]>;

/** Resolves one `hdp`: a network's own sections replace the global ones; records (chains, starknet) are merged. */
function resolveOne(global: HdpUserConfig, own: HdpUserConfig, root: string, variable: ConfigurationVariableResolver) {
  const { dataProcessor, programRegistry, storageProof, executionStore, cairo, local, timeouts, dataDir } = {
    ...global,
    ...own,
  };
  const optional = (value: SensitiveString | undefined) => (value === undefined ? undefined : variable(value));
  const account = (user: StarknetAccountUserConfig) => {
    const { address, privateKey = "", keystore, signer = "stark", guardianKey } = user;
    // Validation guarantees that `privateKey` or `keystore` is given.
    const key = keystore && keystoreKey(resolve(root, keystore.file), variable(keystore.password));
    return { address, privateKey: key ?? variable(privateKey), signer, guardianKey: optional(guardianKey) };
  };
  const starknet = Object.entries({ ...byIdentifier(global.starknet), ...byIdentifier(own.starknet) });
  return {
    dataProcessor:
      dataProcessor === undefined || dataProcessor === "local"
        ? dataProcessor
        : {
            url: variable(dataProcessor.url),
            apiKey: optional(dataProcessor.apiKey),
            edition: dataProcessor.edition ?? "tasks",
            webhookUrl: optional(dataProcessor.webhookUrl),
          },
    /** Whether `dataProcessor` was configured under this network itself. */
    dataProcessorIsOwn: own.dataProcessor !== undefined,
    programRegistry: programRegistry && {
      submitUrl: variable(programRegistry.submitUrl),
      metadataUrl: variable(programRegistry.metadataUrl ?? programRegistry.submitUrl),
      apiKey: optional(programRegistry.apiKey),
    },
    storageProof: storageProof && { url: variable(storageProof.url), apiKey: optional(storageProof.apiKey) },
    executionStore: { ...executionStore, kind: executionStore?.kind ?? "auto" },
    /** By canonical chain identifier, as are `sources` and `starknet`. */
    chains: { ...byIdentifier(global.chains), ...byIdentifier(own.chains) },
    sources: { ...byIdentifier(global.sources), ...byIdentifier(own.sources) },
    starknet: Object.fromEntries(
      starknet.map(([chain, { rpcUrl, executionStore: address, entrypoint, account: user, accountsFile }]) => {
        const file = accountsFile === undefined ? SNCAST_ACCOUNTS : resolve(root, accountsFile);
        const who = typeof user === "string" ? { name: user, accountsFile: file } : user && account(user);
        return [chain, { rpcUrl: variable(rpcUrl), executionStore: address, entrypoint, account: who }] as const;
      }),
    ),
    cairo: cairo && {
      package: resolve(root, cairo.package),
      fixtures: cairo.fixtures && { format: "cairo" as const, ...cairo.fixtures },
      snforge: cairo.snforge ?? "snforge",
      snforgeArgs: cairo.snforgeArgs ?? [],
    },
    local: {
      prove: local?.prove ?? "when-possible",
      concurrency: local?.concurrency ?? 16,
      checkpoint: blockHash(local?.checkpoint),
      secondNode: local?.secondNode,
      finalize: local?.finalize ?? "plain",
      programs: (local?.programs ?? []).map((path) => resolve(root, path)),
      ethCallModule: local?.ethCallModule ?? "eth_call",
      stateServer: optional(local?.stateServer),
      moduleResult: local?.moduleResult ?? "output-root",
      generation: local?.generation ?? "auto",
    },
    timeouts: {
      await: timeouts?.await ?? 3_600_000,
      request: timeouts?.request ?? 30_000,
      rpc: timeouts?.rpc ?? 30_000,
    },
    dataDir: resolve(root, dataDir ?? "hdp"),
  };
}

/** Returns a variable that opens the keystore each time the key is asked for, and does not keep the key. */
function keystoreKey(file: string, password: ResolvedConfigurationVariable): { get: () => Promise<string> } {
  return {
    get: async () => {
      const { readKeystore } = await import("../../store/starknet/keystore.js");
      return await readKeystore(file, await password.get());
    },
  };
}

/** Returns the record keyed by canonical identifiers: `SN_SEPOLIA` and `STARKNET_SEPOLIA` are one chain. */
function byIdentifier<T>(record: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).map(([chain, value]) => [findChainIdentifier(chain) ?? chain, value]),
  );
}

function blockHash(text: string | undefined): Hex | undefined {
  return text === undefined ? undefined : `0x${text.slice(2).toLowerCase()}`;
}

import type { Hex } from "viem";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

import { configVariable } from "hardhat/config";
import type {
  ConfigurationVariableResolver,
  HardhatConfig,
  HardhatUserConfig,
  SensitiveString,
} from "hardhat/types/config";

import { findChainIdentifier } from "../../request/chains.js";
import type { GenerationName } from "../../cairo/module-read.js";
import type { WireEditionName } from "../../service/data-processor/edition.js";
import { KNOWN_SERVICES, type KnownServiceName } from "../../service/known-services.js";
import { KEY_VARIABLE, resolveStorageProof } from "./hosted-services.js";

export type { WireEditionName } from "../../service/data-processor/edition.js";

/** `hdp` in hardhat.config.ts: for all networks, or under a network for that one (section by section). */
export interface HdpUserConfig {
  /**
   * Processor that computes tasks: `"local"`, a hosted service by name (`"herodotus-staging"`, with the configuration
   * variable `HDP_API_KEY` as its key), or the service's address. Default: local on development chains
   * (in-process, or a node that reports itself as a development node), else none. A service that is configured globally
   * is not used on development chains; configure it under the network.
   */
  dataProcessor?: "local" | KnownServiceName | DataProcessorUserConfig;
  programRegistry?: ProgramRegistryUserConfig;
  /**
   * Storage proof interface: a hosted service by name (`"herodotus-staging"`, with the configuration variable `HDP_API_KEY` as
   * its key), or its address.
   */
  storageProof?: KnownServiceName | StorageProofUserConfig;
  executionStore?: ExecutionStoreUserConfig;
  /** Hardhat network that stands for a chain, to read it and to deliver results. Default: the connected one, for all. */
  chains?: Record<string, string>;
  /** Hardhat network that a chain is read from, if its results go elsewhere. Takes precedence over `chains`. */
  sources?: Record<string, string>;
  /** Starknet destinations, by chain identifier. */
  starknet?: Record<string, StarknetUserConfig>;
  /** The Cairo package that `npx hardhat test` tests with snforge. Default: none. */
  cairo?: CairoUserConfig;
  /** Whether the network's node is a development node, at whatever address. Default: asked, of nodes of this machine. */
  development?: boolean;
  local?: LocalUserConfig;
  timeouts?: TimeoutsUserConfig;
  /** Folder of the database of submissions, relative to the project. Default `hdp`; keep it out of git. */
  dataDir?: string;
}

/** The service that computes tasks, as `networks.<name>.hdp.dataProcessor` or `hdp.dataProcessor` configures it. */
export interface DataProcessorUserConfig {
  /** Base address, without the endpoint's path. */
  url: SensitiveString;
  /** A configuration variable, `configVariable("HDP_API_KEY")`; read only when a request is about to be sent. */
  apiKey?: SensitiveString;
  /** API version. Default `tasks`, the current form of the specification. */
  edition?: WireEditionName;
  /** Base address of the service's login, for `hdp login`. Default: none; hosted services by name have theirs. */
  loginUrl?: SensitiveString;
  /**
   * Base address of the indexer, which is asked whether blocks can be proven on their destination. Default: none, and
   * nothing is asked; hosted services by name have theirs.
   */
  indexerUrl?: SensitiveString;
  /**
   * Address that the service calls when a task has ended, sent with each task. For API version `module-tasks` only, which
   * publishes it. May be a configuration variable, as it often holds a token. Default: none.
   */
  webhookUrl?: SensitiveString;
  /**
   * Whether tasks are sent as mock tasks (`is_mock`), which the service does not prove. For API version `module-tasks`
   * only. Default: left to the service.
   */
  isMock?: boolean;
  /** `schedule_mode` of each task, for API version `module-tasks` only; published: `onchain`, `offchain`. Default: none. */
  scheduleMode?: string;
  /**
   * Address of the server that keeps the tries of injected state, sent with each task: the service has to reach it. For
   * API version `module-tasks` only. Default: the service's own.
   */
  injectedStateServer?: SensitiveString;
}

/** The registry that compiled classes are uploaded to. */
export interface ProgramRegistryUserConfig {
  /** Base address of program submission. */
  submitUrl: SensitiveString;
  /** Base address of program metadata. Default: `submitUrl`. */
  metadataUrl?: SensitiveString;
  apiKey?: SensitiveString;
}

/** The interface for storage proof requests. */
export interface StorageProofUserConfig {
  url: SensitiveString;
  apiKey?: SensitiveString;
}

/** The execution store that results are read from. */
export interface ExecutionStoreUserConfig {
  /** Default: the published address for the chain's id; on development chains a mock is deployed on first use. */
  address?: string;
  /** Kind of the store, which determines its functions. Default `auto`: detected from the contract. */
  kind?: "auto" | "execution-store" | "satellite";
  /** The account that deploys mocks and finalizes in them. Default: in-process the last one, elsewhere the first. */
  operator?: string;
}

/** A Starknet chain to read, or to finalize results on. */
export interface StarknetUserConfig {
  rpcUrl: SensitiveString;
  /** Address of the execution store. Default: the published one; with `account`, a mock deployed on first use. */
  executionStore?: string;
  /** Read entry point. Default: the known ones in order. */
  entrypoint?: string;
  /**
   * Account that finalizes the results of the local data processor, for devnets: the store must be a mock that the
   * account operates. A string names an account of sncast, or `devnet-1` and so on.
   */
  account?: StarknetAccountUserConfig | string;
  /** File in which an `account` given by name is looked up. Default: sncast's accounts file in the home folder. */
  accountsFile?: string;
}

/** The Starknet account that signs transactions. */
export interface StarknetAccountUserConfig {
  address: string;
  /** A configuration variable, read only when a transaction is about to be signed. Give either this or `keystore`. */
  privateKey?: SensitiveString;
  /** A file of sncast or starkli that holds the key, relative to the project, and its password. */
  keystore?: { file: string; password: SensitiveString };
  /** Signature that the account's contract checks. Default `stark`; `ethereum` for OpenZeppelin's EthAccount. */
  signer?: "stark" | "ethereum";
  /** The guardian's key of an Argent or Ready account that has one. */
  guardianKey?: SensitiveString;
}

/** The Scarb package whose tests `hardhat test cairo` runs. */
export interface CairoUserConfig {
  /** Folder of the Scarb package, relative to the project. */
  package: string;
  /** Fixtures that are computed before each run. Default: none. */
  fixtures?: {
    /** Task files (JSON), relative to the project. */
    tasks: string[];
    /** File to write, relative to the project. */
    out: string;
    /** Default `cairo`, constants. */
    format?: "cairo" | "json" | "txt";
    /** File that `hdp record` wrote, relative to the project: the chains are read from it alone. Default: none. */
    recording?: string;
  };
  /** Command to run. Default `snforge`, searched on the PATH. */
  snforge?: string;
  /** Arguments of `snforge test`: `["--workspace", "--gas-report"]`. Default: none. */
  snforgeArgs?: string[];
}

/** The local data processor and the development server. */
export interface LocalUserConfig {
  /**
   * API version of the service that the local data processor stands for: it takes tasks in the same form and refuses what
   * that service refuses. Default: none; it takes every task, datalake tasks in the datalake form.
   */
  edition?: WireEditionName;
  /** Whether chain data must be checked by proofs. Default `when-possible`; results report which values are proven. */
  prove?: "require" | "when-possible" | "never";
  /** Maximum number of concurrent reads. Default 16. */
  concurrency?: number;
  /**
   * Hash of a block that you trust, under the network of the block: every block that is read must be it or an ancestor
   * of it. Without a checkpoint, proofs rest on the node's own report of its chain.
   */
  checkpoint?: string;
  /** Another network, a second node of this chain: every block that is read must have the same hash there. */
  secondNode?: string;
  /**
   * How results reach a mock store: `plain` (default), one transaction without a proof, or `proven`, the published flow
   * with batch roots, fact and inclusion proofs, which a store that accepts proven results only always gets.
   */
  finalize?: "plain" | "proven";
  /** Compiled classes, or folders of them, of modules that tasks name by program hash only. Relative to the project. */
  programs?: string[];
  /**
   * The class of proven calls: its path relative to the project, or the name of a Scarb package or contract whose
   * class lies in a target folder of the project. Default `eth_call`.
   */
  ethCallModule?: string;
  /**
   * Base address of the state server that keeps the tries of injected state, with the published endpoints. Its answers
   * are checked against the roots. Default: none; a trie then starts from the root 0, or from a file of leaves.
   */
  stateServer?: SensitiveString;
  /**
   * Value that is stored for a module: `output-root` (the default, as today's service stores), `value` (as the service
   * of 2024 stored), or `auto`: by the module's generation.
   */
  moduleResult?: "auto" | "value" | "output-root";
  /** The calling convention of modules whose task names none. Default `auto`: by the felts of the data handle. */
  generation?: GenerationName | "auto";
}

/** Timeouts in milliseconds. */
export interface TimeoutsUserConfig {
  /** Timeout of one HTTP attempt, in milliseconds. Default 30,000. */
  request?: number;
  /** Timeout of a whole wait for a result, in milliseconds. Default 3,600,000 (an hour). */
  await?: number;
  /** Timeout of one call to a node, in milliseconds. Default 30,000. */
  rpc?: number;
}

/** Path of sncast's file of accounts, which it uses where no other is named. */
export const SNCAST_ACCOUNTS = join(
  homedir(),
  ".starknet_accounts",
  "starknet_open_zeppelin_accounts.json",
);

/** A value for each field of a section: one that is missing does not compile. */
type Resolved<Section> = Readonly<Record<keyof Section, unknown>>;

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
/** The resolved configuration of a service that computes tasks. */
export type DataProcessorConfig = Exclude<HdpConfig["dataProcessor"], "local" | undefined>;
/** The resolved configuration of one Starknet chain. */
export type StarknetConfig = HdpConfig["starknet"][string];
/** The resolved configuration of the Scarb package. */
export type CairoConfig = NonNullable<HdpConfig["cairo"]>;

/** Resolves the configuration of a service, or a hosted service by its name. */
function namedOr<T>(
  config: KnownServiceName | DataProcessorUserConfig | undefined,
  resolveService: (config: DataProcessorUserConfig) => T,
): T | undefined {
  if (config === undefined) return undefined;
  if (typeof config === "object") return resolveService(config);
  const { url, edition, loginUrl, indexerUrl } = KNOWN_SERVICES[config];
  const apiKey = configVariable(KEY_VARIABLE);
  return resolveService({ url, edition, loginUrl, indexerUrl, apiKey });
}

/** Resolves one `hdp`: a network's own sections replace the global ones; records (chains, starknet) are merged. */
function resolveOne(
  global: HdpUserConfig,
  own: HdpUserConfig,
  root: string,
  variable: ConfigurationVariableResolver,
) {
  const merged = { ...global, ...own };
  const {
    dataProcessor,
    programRegistry,
    storageProof,
    executionStore,
    cairo,
    local,
    timeouts,
    dataDir,
  } = merged;
  // Of the network itself: no value for all networks can be true.
  const { development } = own;
  const optional = (value: SensitiveString | undefined) =>
    value === undefined ? undefined : variable(value);
  const service = (user: DataProcessorUserConfig) => {
    const { url, apiKey, edition = "tasks", loginUrl, webhookUrl, injectedStateServer } = user;
    return {
      url: variable(url),
      apiKey: optional(apiKey),
      edition,
      loginUrl: optional(loginUrl),
      indexerUrl: optional(user.indexerUrl),
      webhookUrl: optional(webhookUrl),
      isMock: user.isMock,
      scheduleMode: user.scheduleMode,
      injectedStateServer: optional(injectedStateServer),
    } satisfies Resolved<DataProcessorUserConfig>;
  };
  const account = (user: StarknetAccountUserConfig) => {
    const { address, privateKey = "", keystore, signer = "stark", guardianKey } = user;
    // Opens the keystore each time the key is asked for, and does not keep the key.
    const opened = keystore && {
      get: async () => {
        const { readKeystore } = await import("../../store/starknet/keystore.js");
        return await readKeystore(
          resolve(root, keystore.file),
          await variable(keystore.password).get(),
        );
      },
    };
    // Validation guarantees that `privateKey` or `keystore` is given.
    return {
      address,
      privateKey: opened ?? variable(privateKey),
      signer,
      guardianKey: optional(guardianKey),
    };
  };
  const starknet = Object.entries({
    ...byIdentifier(global.starknet),
    ...byIdentifier(own.starknet),
  });
  return {
    dataProcessor: dataProcessor === "local" ? dataProcessor : namedOr(dataProcessor, service),
    dataProcessorIsOwn: own.dataProcessor !== undefined,
    programRegistry:
      programRegistry &&
      ({
        submitUrl: variable(programRegistry.submitUrl),
        metadataUrl: variable(programRegistry.metadataUrl ?? programRegistry.submitUrl),
        apiKey: optional(programRegistry.apiKey),
      } satisfies Resolved<ProgramRegistryUserConfig>),
    storageProof: resolveStorageProof(storageProof, ({ url, apiKey }) => {
      return {
        url: variable(url),
        apiKey: optional(apiKey),
      } satisfies Resolved<StorageProofUserConfig>;
    }),
    executionStore: { ...executionStore, kind: executionStore?.kind ?? "auto" },
    /** By canonical chain identifier, as are `sources` and `starknet`. */
    chains: { ...byIdentifier(global.chains), ...byIdentifier(own.chains) },
    sources: { ...byIdentifier(global.sources), ...byIdentifier(own.sources) },
    starknet: Object.fromEntries(
      starknet.map(
        ([chain, { rpcUrl, executionStore: address, entrypoint, account: user, accountsFile }]) => {
          const file = accountsFile === undefined ? SNCAST_ACCOUNTS : resolve(root, accountsFile);
          const who =
            typeof user === "string" ? { name: user, accountsFile: file } : user && account(user);
          return [
            chain,
            { rpcUrl: variable(rpcUrl), executionStore: address, entrypoint, account: who },
          ] as const;
        },
      ),
    ),
    cairo:
      cairo &&
      ({
        package: resolve(root, cairo.package),
        fixtures: cairo.fixtures && { format: "cairo" as const, ...cairo.fixtures },
        snforge: cairo.snforge ?? "snforge",
        snforgeArgs: cairo.snforgeArgs ?? [],
      } satisfies Resolved<CairoUserConfig>),
    local: {
      edition: local?.edition,
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
    } satisfies Resolved<LocalUserConfig>,
    timeouts: {
      await: timeouts?.await ?? 3_600_000,
      request: timeouts?.request ?? 30_000,
      rpc: timeouts?.rpc ?? 30_000,
    } satisfies Resolved<TimeoutsUserConfig>,
    dataDir: resolve(root, dataDir ?? "hdp"),
    development,
  } satisfies Resolved<HdpUserConfig & { readonly dataProcessorIsOwn: boolean }>;
}

/** Returns the record keyed by canonical identifiers: `SN_SEPOLIA` and `STARKNET_SEPOLIA` are one chain. */
function byIdentifier<T>(record: Readonly<Record<string, T>> = {}): Record<string, T> {
  const entries = Object.entries(record).map(
    ([chain, value]) => [findChainIdentifier(chain) ?? chain, value] as const,
  );
  return Object.fromEntries(entries);
}

function blockHash(text: string | undefined): Hex | undefined {
  return text === undefined ? undefined : `0x${text.slice(2).toLowerCase()}`;
}

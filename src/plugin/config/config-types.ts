import type { Hex } from "viem";
import type { GenerationName } from "../../cairo/module-read.js";
import type { WireEditionName } from "../../service/data-processor/edition.js";
import type { ResolvedConfigurationVariable, SensitiveString } from "hardhat/types/config";

export type { WireEditionName } from "../../service/data-processor/edition.js";

/** `hdp` in hardhat.config.ts: for all networks, or under a network for that one (section by section). */
export interface HdpUserConfig {
  /**
   * Who computes tasks: `"local"`, or the service's address. Default: local on development chains (in-process, or
   * a node that says it is for development), else nothing. A service given globally is not used on development chains; give it to the network.
   */
  dataProcessor?: "local" | DataProcessorUserConfig;
  programRegistry?: ProgramRegistryUserConfig;
  storageProof?: StorageProofUserConfig;
  executionStore?: ExecutionStoreUserConfig;
  /**
   * Which Hardhat network stands for a chain identifier, to read it and to deliver results there. Default: the connected
   * one stands for all of them.
   */
  chains?: Record<string, string>;
  /** Which Hardhat network a chain is read from, where results for it go elsewhere. Goes before `chains`. */
  sources?: Record<string, string>;
  /** Starknet destinations, by chain identifier. */
  starknet?: Record<string, StarknetUserConfig>;
  /** The Cairo package that `npx hardhat test` tests with snforge. Default: none. */
  cairo?: CairoUserConfig;
  local?: LocalUserConfig;
  timeouts?: TimeoutsUserConfig;
  /** Folder of the database of submissions, relative to the project. Default `hdp`; keep it out of git. */
  dataDir?: string;
}

export interface DataProcessorUserConfig {
  /** Base address, without the endpoint's path. */
  url: SensitiveString;
  /** A configuration variable, `configVariable("HDP_API_KEY")`; read only when a request is about to be sent. */
  apiKey?: SensitiveString;
  /** Wire edition. Default `tasks`, the specification's current shape. */
  edition?: WireEditionName;
  /**
   * Address that the service calls when a task has ended, sent with each task; of edition `module-tasks` only, the one
   * that publishes it. May be a configuration variable, as it often holds a token. Default: none.
   */
  webhookUrl?: SensitiveString;
}

export interface ProgramRegistryUserConfig {
  /** Base address of program submission. */
  submitUrl: SensitiveString;
  /** Base address of program metadata. Default: `submitUrl`. */
  metadataUrl?: SensitiveString;
  apiKey?: SensitiveString;
}

export interface StorageProofUserConfig {
  url: SensitiveString;
  apiKey?: SensitiveString;
}

export interface ExecutionStoreUserConfig {
  /** Default: the published address for the chain's id; on development chains a mock is deployed on first use. */
  address?: string;
  /** Which family of functions it has. Default `auto`: asked of the contract. */
  kind?: "auto" | "execution-store" | "satellite";
  /** The account that deploys mocks and finalizes in them. Default: in-process the last one, elsewhere the first. */
  operator?: string;
}

export interface StarknetUserConfig {
  rpcUrl: SensitiveString;
  /** Address of the execution store. Default: the published one; with `account`, a mock deployed on first use. */
  executionStore?: string;
  /** Read entry point. Default: the known ones in order. */
  entrypoint?: string;
  /**
   * Who finalizes what the local data processor computes. For devnets: the store must be a mock it operates. A name is that
   * of an account of sncast's, or `devnet-1` and so on.
   */
  account?: StarknetAccountUserConfig | string;
  /** Where an `account` that is a name is looked up. Default: sncast's file of accounts in the home folder. */
  accountsFile?: string;
}

export interface StarknetAccountUserConfig {
  address: string;
  /** A configuration variable; read only when a transaction is about to be signed. One of this and `keystore`. */
  privateKey?: SensitiveString;
  /** A file of sncast or starkli that holds the key, relative to the project, and its password. */
  keystore?: { file: string; password: SensitiveString };
  /** What the account's contract checks. Default `stark`; `ethereum` for OpenZeppelin's EthAccount. */
  signer?: "stark" | "ethereum";
  /** The guardian's key of an Argent or Ready account that has one. */
  guardianKey?: SensitiveString;
}

export interface CairoUserConfig {
  /** Folder of the Scarb package, relative to the project. */
  package: string;
  /** Fixtures that are computed anew before each run. Default: none. */
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
  /** The command. Default `snforge`, looked for on the PATH. */
  snforge?: string;
  /** Arguments of `snforge test`: `["--workspace", "--gas-report"]`. Default: none. */
  snforgeArgs?: string[];
}

export interface LocalUserConfig {
  /** Whether what is read must be checked by proofs. Default `when-possible`; results say which they are. */
  prove?: "require" | "when-possible" | "never";
  /** Reads under way at once. Default 16. */
  concurrency?: number;
  /**
   * Hash of a block that you trust. Everything read must be that block or an ancestor of it, by parent hashes. Without
   * one, proofs rest on the node's own word for what its chain is. Belongs under the network it is a block of.
   */
  checkpoint?: string;
  /**
   * Name of another network of the configuration, a second node of this network's chain: every block that is read must
   * have the same hash there. Default: none.
   */
  secondNode?: string;
  /**
   * How results reach a mock store: `plain`, one transaction without a proof, or `proven`, the published flow with
   * batch roots, fact and inclusion proofs. Default `plain`; a store that accepts proven results only gets those.
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
   * Base address of the state server that keeps the tries of injected state, with the published endpoints. What it says
   * is checked against the roots. Default: none; a trie then starts from the root 0, or from a file of leaves.
   */
  stateServer?: SensitiveString;
  /**
   * Which word of a module is stored: `output-root` (the default, as today's service does), `value` (as the service of
   * 2024 did), or `auto`: by the generation the module is of.
   */
  moduleResult?: "auto" | "value" | "output-root";
  /** The calling convention of modules whose task names none. Default `auto`: by the felts of the data handle. */
  generation?: ModuleGenerationName | "auto";
}

/** Generations of the data processor that modules were compiled for. */
export type ModuleGenerationName = GenerationName;

export interface TimeoutsUserConfig {
  /** One HTTP attempt, in milliseconds. Default 30,000. */
  request?: number;
  /** A whole wait for a result, in milliseconds. Default 3,600,000 (an hour). */
  await?: number;
  /** One call to a node, in milliseconds. Default 30,000. */
  rpc?: number;
}

/** `hdp` after resolution: global values, or a network's own over them. */
export interface HdpConfig {
  readonly dataProcessor: "local" | DataProcessorConfig | undefined;
  /** Whether `dataProcessor` was given for this network itself. */
  readonly dataProcessorIsOwn: boolean;
  readonly programRegistry: ProgramRegistryConfig | undefined;
  readonly storageProof: StorageProofConfig | undefined;
  readonly executionStore: ExecutionStoreConfig;
  /** By canonical chain identifier, as `sources` and `starknet`. */
  readonly chains: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, string>>;
  readonly starknet: Readonly<Record<string, StarknetConfig>>;
  readonly cairo: CairoConfig | undefined;
  readonly local: Required<Omit<LocalUserConfig, "checkpoint" | "secondNode" | "stateServer">> & {
    readonly checkpoint: Hex | undefined;
    readonly secondNode: string | undefined;
    readonly stateServer: ResolvedConfigurationVariable | undefined;
  };
  readonly timeouts: Required<TimeoutsUserConfig>;
  /** Absolute path of the folder with the database of submissions. */
  readonly dataDir: string;
}

export interface CairoConfig {
  /** Absolute path. */
  readonly package: string;
  readonly fixtures:
    | {
        readonly tasks: readonly string[];
        readonly out: string;
        readonly format: "cairo" | "json" | "txt";
        readonly recording?: string | undefined;
      }
    | undefined;
  readonly snforge: string;
  readonly snforgeArgs: readonly string[];
}

export interface DataProcessorConfig {
  readonly url: ResolvedConfigurationVariable;
  readonly apiKey: ResolvedConfigurationVariable | undefined;
  readonly edition: WireEditionName;
  readonly webhookUrl: ResolvedConfigurationVariable | undefined;
}

export interface ProgramRegistryConfig {
  readonly submitUrl: ResolvedConfigurationVariable;
  readonly metadataUrl: ResolvedConfigurationVariable;
  readonly apiKey: ResolvedConfigurationVariable | undefined;
}

export interface StorageProofConfig {
  readonly url: ResolvedConfigurationVariable;
  readonly apiKey: ResolvedConfigurationVariable | undefined;
}

export interface ExecutionStoreConfig {
  readonly address: string | undefined;
  readonly kind: "auto" | "execution-store" | "satellite";
  readonly operator: string | undefined;
}

export interface StarknetConfig {
  readonly rpcUrl: ResolvedConfigurationVariable;
  readonly executionStore: string | undefined;
  readonly entrypoint: string | undefined;
  readonly account: StarknetAccountConfig | StarknetNamedAccountConfig | undefined;
}

export interface StarknetNamedAccountConfig {
  readonly name: string;
  /** Absolute path. */
  readonly accountsFile: string;
}

export interface StarknetAccountConfig {
  readonly address: string;
  /** From its variable, or from the keystore; read when it is asked for. */
  readonly privateKey: Pick<ResolvedConfigurationVariable, "get">;
  readonly signer: "stark" | "ethereum";
  readonly guardianKey: Pick<ResolvedConfigurationVariable, "get"> | undefined;
}

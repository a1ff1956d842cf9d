import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type {
  Artifact,
  ContractAtFuture,
  ContractDeploymentFuture,
  IgnitionModule,
  IgnitionModuleBuilder,
} from "@nomicfoundation/ignition-core";
import type { NetworkConnection } from "hardhat/types/network";
import type { Address } from "viem";

import { Session } from "../plugin/session.js";
import { EvmStores } from "../plugin/stores/evm-stores.js";
import { refuseLiveMock } from "../plugin/stores/live-mock.js";
import { CHAIN_IDS } from "../request/chains.js";
import { type MockKind, mockKindNumber } from "../store/execution-store.js";
import { MOCK_PROGRAM_HASH } from "../store/finalize.js";
import { hdpExecutionStoreAbi } from "../store/generated/hdp-execution-store.js";
import { hdpExecutionStoreMockAbi } from "../store/generated/hdp-execution-store-mock.js";
import { hdpExecutionStoreMockBytecode } from "../store/generated/hdp-execution-store-mock-bytecode.js";
import { hdpSatelliteAbi } from "../store/generated/hdp-satellite.js";
import type { ConnectedNetwork } from "../plugin/connected-network.js";

type MockAbi = typeof hdpExecutionStoreMockAbi;
type StoreAbi = readonly [...typeof hdpExecutionStoreAbi, ...typeof hdpSatelliteAbi];

/** An execution store as a future of Ignition: one to deploy, or an existing one. */
export type ExecutionStoreFuture = ContractDeploymentFuture<MockAbi> | ContractAtFuture<StoreAbi>;

/** Options of the execution store in Ignition modules. */
export interface ExecutionStoreOptions {
  /** Kind of a mock that is deployed. Default as in `hdp.deployExecutionStore`. */
  readonly kind?: MockKind | undefined;
}

/** Ignition deploys the bytecode and does not look at the deployed one. */
const COMMON = {
  _format: "hh3-artifact-1",
  deployedBytecode: "0x",
  linkReferences: {},
  deployedLinkReferences: {},
} as const;

const MOCK: Artifact<MockAbi> = {
  ...COMMON,
  contractName: "HdpExecutionStoreMock",
  sourceName: "hardhat-hdp/contracts/mocks/HdpExecutionStoreMock.sol",
  abi: hdpExecutionStoreMockAbi,
  bytecode: hdpExecutionStoreMockBytecode,
};

const STORE: Artifact<StoreAbi> = {
  ...COMMON,
  contractName: "IHdpExecutionStore",
  sourceName: "hardhat-hdp/contracts/interfaces/IHdpExecutionStore.sol",
  abi: [...hdpExecutionStoreAbi, ...hdpSatelliteAbi],
  bytecode: "0x",
};

/**
 * Returns the execution store of a network for Ignition modules: the configured one, or on live chains the published
 * one. On a development node without a configured store, Ignition deploys a mock with the operator that `hdp` finalizes
 * with, even if the node has a store: redeployed modules must have the same futures. In-process, an existing store is
 * used. Await the function once, before modules are built.
 *
 * To send results to the mock in the process of its deployment, call `hdp.store.use(address)`. Other processes find it
 * in `ignition/deployments`.
 *
 * @param connection default: the one that scripts share, on the network of `--network`
 * @throws HdpError HDP-6010 on a live chain for which no store is known, HDP-6027 where the store of one is a mock
 * @example
 * const store = await executionStore();
 * export default buildModule("FeeGate", (m) => ({ gate: m.contract("FeeGate", [store(m)]) }));
 */
export async function executionStore(
  connection?: NetworkConnection<string>,
  { kind }: ExecutionStoreOptions = {},
): Promise<(m: IgnitionModuleBuilder) => ExecutionStoreFuture> {
  const session = Session.of(connection ?? (await (await import("hardhat")).network.getOrCreate()));
  const stores = session.part(EvmStores);
  const isNode = !session.isSimulated && (await session.isDevelopment());
  const existing = isNode
    ? (session.config.executionStore.address ?? (await stores.published()))
    : await existingForDeployment(session, stores);
  const operators = existing === undefined ? [await stores.usualOperator()] : [];
  const kindNumber = mockKindNumber(kind ?? (await stores.mockKind()));
  const args = [MOCK_PROGRAM_HASH, CHAIN_IDS.ETHEREUM_SEPOLIA, operators, kindNumber];
  const make = (m: IgnitionModuleBuilder): ExecutionStoreFuture =>
    existing === undefined
      ? m.contract(MOCK.contractName, MOCK, args)
      : m.contractAt("ExecutionStore", STORE, existing);
  // A module may declare each future once, and several of its contracts may use the store.
  const made = new WeakMap<IgnitionModuleBuilder, ExecutionStoreFuture>();
  return (m) => {
    const future = made.get(m) ?? make(m);
    made.set(m, future);
    return future;
  };
}

async function existingForDeployment(
  network: ConnectedNetwork,
  stores: EvmStores,
): Promise<Address | undefined> {
  const store = await stores.existing();
  if (store !== undefined) await refuseLiveMock(network, store);
  return store?.address;
}

/**
 * Returns a module with only the store, for modules that use it: `const { store } = m.useModule(ExecutionStore)`.
 *
 * @throws HdpError as `executionStore`
 * @example const ExecutionStore = await executionStoreModule();
 */
export async function executionStoreModule(
  connection?: NetworkConnection<string>,
  options?: ExecutionStoreOptions,
): Promise<IgnitionModule<"HdpExecutionStore", "store", { store: ExecutionStoreFuture }>> {
  const store = await executionStore(connection, options);
  return buildModule("HdpExecutionStore", (m) => ({ store: store(m) }));
}

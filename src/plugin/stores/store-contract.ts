import type {
  Abi,
  Account,
  Address,
  Chain,
  GetContractReturnType,
  PublicClient,
  Transport,
  WalletClient,
} from "viem";
import {
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  getContract,
  zeroAddress,
} from "viem";

import { hdpExecutionStoreAbi } from "../../store/generated/hdp-execution-store.js";
import { hdpExecutionStoreMockAbi } from "../../store/generated/hdp-execution-store-mock.js";
import { hdpSatelliteAbi } from "../../store/generated/hdp-satellite.js";
import type { ConnectedNetwork } from "../connected-network.js";

/** The functions and errors of both kinds of stores. A store or mock has the functions of one kind. */
const storeAbi = [...hdpExecutionStoreAbi, ...hdpSatelliteAbi] as const;

interface Clients {
  readonly public: PublicClient<Transport, Chain>;
  readonly wallet: WalletClient<Transport, Chain, Account>;
}

type ContractOf<AbiT extends Abi> = GetContractReturnType<AbiT, Clients>;

/** A store as a viem contract: `contract.read.getDataProcessorFinalizedTaskResult([taskHash])`. */
export type StoreContract = ContractOf<typeof storeAbi>;

/** The mock as a viem contract, with its additional functions: `contract.write.finalizeTask([taskHash, word])`. */
export type MockContract = ContractOf<typeof hdpExecutionStoreMockAbi>;

/**
 * Returns a store as a contract with the function names of both kinds. The operator sends its transactions; on a network
 * without accounts the node rejects them.
 */
export async function storeContract(
  network: ConnectedNetwork,
  address: Address,
  operator: Address = zeroAddress,
): Promise<StoreContract> {
  return getContract({ address, abi: storeAbi, client: await clients(network, operator) });
}

/** Returns viem's contract of a mock store, whose transactions the operator sends. */
export async function mockContract(
  network: ConnectedNetwork,
  address: Address,
  operator: Address,
): Promise<MockContract> {
  return getContract({
    address,
    abi: hdpExecutionStoreMockAbi,
    client: await clients(network, operator),
  });
}

async function clients(network: ConnectedNetwork, account: Address): Promise<Clients> {
  const chain = defineChain({
    id: Number(await network.chainId()),
    name: network.networkName,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  // A development chain mines at once; viem would poll every four seconds.
  const polling = (await network.isDevelopment()) ? { pollingInterval: 50, cacheTime: 0 } : {};
  const shared = { chain, transport: custom(network.provider), ...polling };
  return { public: createPublicClient(shared), wallet: createWalletClient({ ...shared, account }) };
}

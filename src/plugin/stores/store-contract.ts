import {
  type Account,
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  type Abi,
  getContract,
  type GetContractReturnType,
  type PublicClient,
  type Transport,
  type WalletClient,
  zeroAddress,
} from "viem";

import { hdpExecutionStoreAbi } from "../../store/generated/hdp-execution-store.js";
import { hdpExecutionStoreMockAbi } from "../../store/generated/hdp-execution-store-mock.js";
import { hdpSatelliteAbi } from "../../store/generated/hdp-satellite.js";
import type { Session } from "../session.js";

/** The functions and errors of both published families. A store answers to those of one, a mock to both. */
export const storeAbi = [...hdpExecutionStoreAbi, ...hdpSatelliteAbi] as const;

interface Clients {
  readonly public: PublicClient<Transport, Chain>;
  readonly wallet: WalletClient<Transport, Chain, Account>;
}

type ContractOf<AbiT extends Abi> = GetContractReturnType<AbiT, Clients>;

/** A store as a contract of viem: `contract.read.getFinalizedTaskResult([taskHash])`. */
export type StoreContract = ContractOf<typeof storeAbi>;

/** The mock as a contract of viem, with what only it has: `contract.write.finalizeTask([taskHash, word])`. */
export type MockContract = ContractOf<typeof hdpExecutionStoreMockAbi>;

/** A store by both families of names; writing is done by the operator. */
export async function storeContract(session: Session, address: Address, operator: Address): Promise<StoreContract> {
  return getContract({ address, abi: storeAbi, client: await clients(session, operator) });
}

/** A mock; writing is done by the operator. */
export async function mockContract(session: Session, address: Address, operator: Address): Promise<MockContract> {
  return getContract({ address, abi: hdpExecutionStoreMockAbi, client: await clients(session, operator) });
}

/** No account on a network: what writes then fails at the node, which has no such account. */
export const NO_ACCOUNT = zeroAddress;

async function clients(session: Session, account: Address): Promise<Clients> {
  const chain = defineChain({
    id: Number(await session.chainId()),
    name: session.networkName,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  const transport = custom(session.provider);
  // A development chain has mined at once: viem's own four seconds between two looks are for other chains.
  const soon = (await session.isDevelopment()) ? { pollingInterval: 50, cacheTime: 0 } : {};
  return {
    public: createPublicClient({ chain, transport, ...soon }),
    wallet: createWalletClient({ chain, transport, account, ...soon }),
  };
}

import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import type { Eip1193Provider } from "../../src/base/rpc.js";
import { fewAccounts } from "./few-accounts.js";

export const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
export const BOB = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const SLOT: Hex = `0x${"00".repeat(31)}01`;
/** The well-known first account of every development network. */
const signer = privateKeyToAccount(
  "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
);

let shared: Promise<Eip1193Provider> | undefined;

/** The simulated chain that all tests of a process share: they only read it. */
export async function sharedChain(): Promise<Eip1193Provider> {
  return await (shared ??= simulatedChain());
}

/**
 * A simulated chain: blocks 1-5 empty; in 6 BOB has 1 ether and slot 1 is 42; block 7 holds transactions of types
 * 0, 1, 2 and 4 of values 10, 11, 12 and 13; block 8 is empty.
 */
export async function simulatedChain(): Promise<Eip1193Provider> {
  const hre = await createHardhatRuntimeEnvironment({ networks: fewAccounts() });
  const { provider } = await hre.network.create();
  const call = (method: string, ...params: unknown[]): Promise<unknown> =>
    provider.request({ method, params });
  await call("hardhat_mine", "0x5");
  await call("hardhat_setBalance", BOB, "0xde0b6b3a7640000");
  await call("hardhat_setStorageAt", BOB, "0x1", `0x${"00".repeat(31)}2a`);
  await call("hardhat_mine", "0x1");
  await call("evm_setAutomine", false);
  const common = { chainId: 31337, gas: 100_000n, to: BOB } as const;
  const gasPrice = 10n ** 10n;
  const fees = { maxFeePerGas: gasPrice, maxPriorityFeePerGas: 7n } as const;
  const authorization = await signer.signAuthorization({ chainId: 31337, address: BOB, nonce: 9 });
  const accessList = [{ address: BOB, storageKeys: [SLOT] }] as const;
  const signed = [
    await signer.signTransaction({ ...common, type: "legacy", nonce: 0, value: 10n, gasPrice }),
    await signer.signTransaction({
      ...common,
      type: "eip2930",
      nonce: 1,
      value: 11n,
      gasPrice,
      accessList,
    }),
    await signer.signTransaction({ ...common, type: "eip1559", nonce: 2, value: 12n, ...fees }),
    await signer.signTransaction({
      ...common,
      type: "eip7702",
      nonce: 3,
      value: 13n,
      ...fees,
      authorizationList: [authorization],
    }),
  ];
  for (const transaction of signed) await call("eth_sendRawTransaction", transaction);
  await call("evm_mine");
  await call("evm_setAutomine", true);
  await call("evm_mine");
  return provider;
}

/** The provider with one method's answers changed. */
export function tampered(
  provider: Eip1193Provider,
  method: string,
  change: (answer: unknown, params: readonly unknown[]) => unknown,
): Eip1193Provider {
  return {
    request: async (args) => {
      const answer = await provider.request(args);
      return args.method === method ? change(structuredClone(answer), args.params ?? []) : answer;
    },
  };
}

/** The provider of a node that does not know some methods. */
export function without(provider: Eip1193Provider, ...methods: readonly string[]): Eip1193Provider {
  return {
    request: (args) =>
      methods.includes(args.method)
        ? Promise.reject(
            Object.assign(new Error(`the method ${args.method} does not exist/is not available`), {
              code: -32601,
            }),
          )
        : provider.request(args),
  };
}

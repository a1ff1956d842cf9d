import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import type { Provider } from "../../src/store/rpc.js";

/** A fresh in-process chain: 20 funded accounts, every transaction mined at once. */
export async function createChain() {
  const hre = await createHardhatRuntimeEnvironment({});
  const connection = await hre.network.create();
  const provider: Provider = connection.provider;
  const accounts = (await provider.request({ method: "eth_accounts" })) as `0x${string}`[];
  return { provider, accounts, close: () => connection.close() };
}

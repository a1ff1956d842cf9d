import type { Address, Hex } from "viem";

import { refusal } from "./reverts.js";
import { request, revertData, sender, transact } from "./rpc.js";
import type { Provider, Receipt, WaitOptions } from "./rpc.js";

/** Sends a transaction to a store's contract and waits for it; a revert becomes the error that explains it. */
export async function transactWithStore(
  provider: Provider,
  call: { readonly store: Address; readonly to?: Address; readonly from?: Address | undefined; readonly data: Hex },
  options: WaitOptions = {},
): Promise<Receipt> {
  const from = await sender(provider, call.from, options.signal);
  const transaction = { from, to: call.to ?? call.store, data: call.data };
  try {
    const receipt = await transact(provider, transaction, options);
    if (!receipt.reverted) return receipt;
    // Mined and reverted: the same call again says why. Where it succeeds now, the reason is lost.
    await request(provider, "eth_call", [transaction, "latest"], options.signal);
  } catch (error) {
    const reason = revertData(error);
    if (reason === undefined) throw error;
    throw refusal(reason, { store: call.store, from });
  }
  throw refusal("0x", { store: call.store, from });
}

import { AsyncLocalStorage } from "node:async_hooks";

import type { BoundedProvider } from "../base/node-reads.js";

/** Whether the plugin itself is calling: its errors say why a read failed, and it asks for results that may be missing. */
const calling = new AsyncLocalStorage<true>();

/** Returns a provider whose calls are the plugin's own. */
export function ownCalls(provider: BoundedProvider): BoundedProvider {
  return {
    readAhead: provider.readAhead,
    request: async (call) => await calling.run(true, async () => await provider.request(call)),
  };
}

/** Returns whether a call is one of the plugin's own. */
export function isOwnCall(): boolean {
  return calling.getStore() === true;
}

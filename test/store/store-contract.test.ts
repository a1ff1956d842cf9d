import { expect } from "chai";
import { numberToHex } from "viem";

import { isHdpError } from "../../src/entries/request.js";
import { finalizeTasks, openExecutionStore } from "../../src/entries/store.js";
import { createChain, deployMock, requestModule } from "./harness.js";
import { playStoreContract, STORE_CONTRACT } from "./store-contract.js";

const STORE_KINDS = ["satellite", "execution-store"] as const;

/** The same steps run against the Cairo mock: test/starknet/cairo-package.tools.test.ts and devnet.tools.test.ts. */
describe("the Solidity mock", () => {
  for (const kind of STORE_KINDS) {
    it(`behaves as every mock of the store by the names of the ${kind}`, async () => {
      const chain = await createChain();
      try {
        const { provider } = chain;
        const { address } = await deployMock(chain, kind);
        const store = await openExecutionStore({ provider, address });
        expect(store.kind).to.equal(kind);
        const stranger = chain.accounts[1];
        const answers = await playStoreContract(
          {
            store,
            schedule: (task) =>
              requestModule(provider, store, {
                type: "Module",
                programHash: numberToHex(task + 1),
                inputs: [],
              }),
            finalize: (taskHash, word) =>
              finalizeTasks({ provider, store: address, results: [{ taskHash, word }] }),
            finalizeAsStranger: (taskHash, word) =>
              finalizeTasks({
                provider,
                store: address,
                from: stranger,
                results: [{ taskHash, word }],
              }),
          },
          (error) => isHdpError(error) && ["HDP-3004", "HDP-3007"].includes(error.code),
        );
        expect(answers).to.deep.equal(STORE_CONTRACT.map(({ answer }) => answer));
      } finally {
        await chain.close();
      }
    });
  }
});

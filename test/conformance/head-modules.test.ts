import { existsSync, readFileSync } from "node:fs";

import { expect } from "chai";
import { z } from "zod";

import { verifyStateRead, verifyStateUpdate } from "../../src/entries/request.js";
import { runModule } from "../../src/entries/local.js";

const folder = new URL("../../../shared/vectors/modules/head/", import.meta.url);
const vectors = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      injectedState: z.record(z.string()),
      expected: z.object({ status: z.literal("returned"), retdata: z.array(z.string()) }),
      class: z.string(),
    }),
  ),
});

function json(name: string): unknown {
  const value: unknown = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  return value;
}

describe("published modules over injected state", () => {
  if (!existsSync(folder)) return;

  for (const { id, injectedState, expected, class: file } of vectors.parse(
    json("injected-state.json"),
  ).cases) {
    it(`${id} returns what was published, and all it read and wrote can be verified`, async () => {
      const roots = new Map(
        Object.entries(injectedState).map(([label, root]) => [BigInt(label), BigInt(root)]),
      );
      const run = await runModule(json(file), {
        inputs: [],
        generation: "head",
        read: () => expect.fail("no chain is read"),
        injectedState: { roots },
      });
      expect(run.status, run.status === "panicked" ? run.message : "").to.equal(expected.status);
      expect(run.retdata.map((felt) => `0x${felt.toString(16)}`)).to.deep.equal(expected.retdata);
      for (const { rootBefore, rootAfter, writes, reads } of run.injectedState) {
        let root = rootBefore;
        for (const proof of writes) {
          expect(proof.rootBefore).to.equal(root);
          expect(verifyStateUpdate(proof)).to.equal(true);
          root = proof.rootAfter;
        }
        expect(root).to.equal(rootAfter);
        for (const proof of reads) expect(verifyStateRead(proof)).to.equal(true);
      }
    });
  }
});

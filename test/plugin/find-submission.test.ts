import { expect } from "chai";

import { placeOf } from "../../src/journal/journal-entry.js";
import type { JournalLook } from "../../src/journal/journal-look.js";
import { findSubmission } from "../../src/plugin/processors/find-submission.js";
import { hashOf, journalOn, TARGET } from "../journal/support/fixtures.js";
import { hdpFailure } from "../support/failure.js";
import { MemoryDisk, memoryFs } from "../support/memory-disk.js";

const PROD = new URL("https://hdp.example.org/prod");
const STAGING = new URL("https://hdp.example.org/staging");

/** Accepted submissions, in this order: where, under which id, and of which task. */
async function accepted(
  ...list: readonly (readonly [endpoint: URL, serviceId: string, task: number, network?: string])[]
): Promise<JournalLook> {
  const journal = journalOn({ fs: memoryFs(new MemoryDisk()) });
  for (const [at, [endpoint, serviceId, task, network = "prod"]] of list.entries()) {
    const target = { ...TARGET, ...placeOf(endpoint), network };
    await journal.append({
      event: "accepted",
      id: `j${at}`,
      ...target,
      taskHashes: [hashOf(task)],
      serviceId,
      serviceProcessor: "tasks",
    });
  }
  return await journal.look();
}

describe("the submission that a person names", () => {
  it("is the one at the network's own service, although a newer one elsewhere has the same task or id", async () => {
    const records = await accepted([PROD, "1", 5], [STAGING, "1", 5], [STAGING, "2", 6]);
    expect(await findSubmission(records, "1", PROD, "prod")).to.deep.include({ id: "1", taskHashes: [hashOf(5)] });
    expect((await findSubmission(records, hashOf(5), PROD, "prod")).id).to.equal("1");
    const apart = await accepted([PROD, "1", 5], [STAGING, "9", 5], [STAGING, "1", 7]);
    expect(await findSubmission(apart, hashOf(5), PROD, "prod")).to.deep.include({ id: "1", taskHashes: [hashOf(5)] });
    expect((await findSubmission(apart, hashOf(5), STAGING, "staging")).id).to.equal("9");
    expect((await findSubmission(apart, "1", PROD, "prod")).taskHashes).to.deep.equal([hashOf(5)]);
    expect((await findSubmission(apart, "1", STAGING, "staging")).taskHashes).to.deep.equal([hashOf(7)]);
  });

  it("is refused where it is known elsewhere only, with a network that can be pasted", async () => {
    const records = await accepted([STAGING, "2", 6, "my staging; x"]);
    for (const name of ["2", hashOf(6), "j0"]) {
      const error = await hdpFailure(findSubmission(records, name, PROD, "prod"));
      expect(error.code).to.equal("HDP-6045");
      expect(error.hints[0]).to.equal(
        `It was made on network "my staging; x": add --network 'my staging; x', or configure that address again.`,
      );
    }
  });

  it("may have an id with commas, or this package's own word, or be several joined", async () => {
    const records = await accepted([PROD, "a,b", 1], [PROD, "finalized", 2], [PROD, "a", 3], [PROD, "b", 4]);
    const named = async (name: string): Promise<unknown> => {
      const { id, taskHashes } = await findSubmission(records, name, PROD, "prod");
      return [id, taskHashes];
    };
    expect(await named("a,b")).to.deep.equal(["a,b", [hashOf(1)]]);
    expect(await named("finalized")).to.deep.equal(["finalized", [hashOf(2)]]);
    expect(await named("b,a")).to.deep.equal(["b,a", [hashOf(4), hashOf(3)]]);
    expect(await named("a%2Cb,finalized")).to.deep.equal(["a%2Cb,finalized", [hashOf(1), hashOf(2)]]);
    expect((await hdpFailure(named("a,c"))).code).to.equal("HDP-5010");
    expect(await named(hashOf(9))).to.deep.equal([hashOf(9), [hashOf(9)]]);
  });
});

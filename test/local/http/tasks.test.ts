import { expect } from "chai";

import { parseTaskRequest } from "../../../src/request/index.js";
import { awaitSubmission } from "../../../src/service/index.js";
import { clients, frontChain, headerTask, type FrontChain, type TestFront, testFront } from "./fixture.js";

describe("local front: tasks", () => {
  let chain: FrontChain;
  let front: TestFront;

  before(async () => {
    chain = await frontChain();
    front = await testFront(chain);
  });
  after(async () => {
    await front.close();
  });

  for (const edition of ["tasks", "batch"] as const) {
    it(`finalizes a task of edition ${edition}`, async () => {
      const request = parseTaskRequest(headerTask(8));
      const processor = clients(front.url)[edition];
      const submission = await processor.submit(request);
      expect(submission.serviceTaskHashes).to.equal(undefined);
      const { status } = await awaitSubmission(processor, submission, { timeoutMs: 20_000 });
      expect(status.phase).to.equal("finalized");
      expect(await chain.read(submission.taskHashes[0] ?? "0x")).to.equal(36n);
    });
  }
});

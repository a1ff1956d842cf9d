import { expect } from "chai";

import { SERVER_SCHEDULES, serverHistories } from "./server-schedules.js";

describe("the simulated development server", () => {
  it("keeps what it answered, and nothing that it refused, over crashes, full disks and failed reads", async () => {
    const { count, failure } = await serverHistories({ pairs: false });
    expect(failure, failure).to.equal(undefined);
    expect(count).to.be.greaterThan(Object.keys(SERVER_SCHEDULES).length * 10);
  });
});

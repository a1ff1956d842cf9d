import { expect } from "chai";

import { isHdpError, type HdpError } from "../../src/base/errors.js";

/** The message a piece of work fails with; fails itself where the work succeeds. */
export async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing failed");
}

/** The catalogued error a piece of work fails with; fails itself where it succeeds, or fails with another. */
export async function hdpFailure(work: Promise<unknown>): Promise<HdpError> {
  return await work.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => (isHdpError(error) ? error : expect.fail(String(error))),
  );
}

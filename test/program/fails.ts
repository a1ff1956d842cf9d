import { expect } from "chai";

import { HdpError } from "../../src/base/errors.js";

/** The deliberate error that the call throws; fails where it throws none or another. */
export function failure(call: () => unknown): HdpError {
  try {
    call();
  } catch (error) {
    if (error instanceof HdpError) return error;
    throw error;
  }
  return expect.fail("no error was thrown");
}

/** Asserts code and place of the error, and that its text has each of the given parts. */
export function expectFailure(call: () => unknown, code: string, path: string | undefined, ...parts: string[]): void {
  const error = failure(call);
  expect(error.code, error.message).to.equal(code);
  expect(error.path, error.message).to.equal(path);
  for (const part of parts) expect(error.message).to.contain(part);
}

import { expect } from "chai";

import { isHdpError } from "../../src/base/errors.js";

/** Expects a promise to be rejected with a catalogued error whose sentence matches. */
export async function expectHdpError(promise: Promise<unknown>, code: string, text: RegExp): Promise<void> {
  let thrown: unknown;
  try {
    await promise;
  } catch (error) {
    thrown = error;
  }
  if (!(thrown instanceof Error)) throw new Error(`no error was thrown; ${code} was expected`);
  if (!isHdpError(thrown)) throw thrown;
  expect(thrown.code).to.equal(code);
  expect(thrown.shortMessage).to.match(text);
}

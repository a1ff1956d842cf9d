import { expect } from "chai";

import { type HdpError, isHdpError } from "../../src/errors/hdp-error.js";

/** What a piece of work is rejected with; fails where the work succeeds. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => expect.fail("nothing failed"),
    (error: unknown) => error,
  );
}

/** The message a piece of work fails with. */
export async function failure(work: Promise<unknown>): Promise<string> {
  const error = await rejection(work);
  return error instanceof Error ? error.message : String(error);
}

/** The catalogued error a piece of work fails with; any other failure passes through. */
export async function hdpFailure(work: Promise<unknown>): Promise<HdpError> {
  return catalogued(await rejection(work));
}

/** The catalogued error that a call throws; any other passes through. */
export function hdpThrown(call: () => unknown): HdpError {
  try {
    call();
  } catch (error) {
    return catalogued(error);
  }
  return expect.fail("nothing was thrown");
}

/** Expects a catalogued error whose sentence matches. */
export async function expectHdpError(
  work: Promise<unknown>,
  code: string,
  text: RegExp,
): Promise<void> {
  const error = await hdpFailure(work);
  expect(error.code).to.equal(code);
  expect(error.shortMessage).to.match(text);
}

/** Asserts code and place of the error that a call throws, and that its text has each of the given parts. */
export function expectThrown(
  call: () => unknown,
  code: string,
  path: string | undefined,
  ...parts: string[]
): void {
  const error = hdpThrown(call);
  expect(error.code, error.message).to.equal(code);
  expect(error.path, error.message).to.equal(path);
  for (const part of parts) expect(error.message).to.contain(part);
}

function catalogued(error: unknown): HdpError {
  if (isHdpError(error)) return error;
  throw error;
}

/// <reference types="chai" preserve="true" />
import { AssertionError } from "node:assert";

import { use } from "chai";

import type { AssertionActions } from "../plugin/actions/finalized-actions.js";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- chai's types are extended in this way
  namespace Chai {
    interface Assertion {
      /** Asserts on `hdp` that a task is finalized, with `value` where one is given. Await it. */
      finalized: AssertionActions["finalized"];
      /** Asserts on `hdp` that a task is not finalized. Await it. */
      notFinalized: AssertionActions["notFinalized"];
    }
  }
}

/**
 * Matchers for chai: `await expect(hdp).to.have.finalized(task, 7n)`, and `.notFinalized(task)`.
 *
 * @example import "hardhat-hdp/chai";
 */
export const hdpChai: Chai.ChaiPlugin = ({ Assertion }, utils) => {
  for (const name of ["finalized", "notFinalized"] as const) {
    Assertion.addMethod(
      name,
      async function (...args: Parameters<AssertionActions["finalized"]>): Promise<void> {
        const failure = await assertionFailure(requireAssertions(this._obj)[name](...args));
        const value = args[1] === undefined ? "" : ` with ${String(args[1])}`;
        const negated =
          name === "finalized" ? `the task is finalized${value}.` : "the task is not finalized.";
        // Chai would cut the stack at its own function, which is not on it after an await, and so all of it.
        utils.flag(this, "ssfi", undefined);
        this.assert(
          failure === undefined,
          failure?.message ?? "",
          negated,
          failure?.expected,
          failure?.actual,
        );
      },
    );
  }
};

use(hdpChai);

function requireAssertions(subject: unknown): AssertionActions {
  if (isHdp(subject)) return subject.assertions;
  throw new TypeError(
    "expect(…) was given a value other than hdp: write expect(hdp).to.have.finalized(task, value).",
  );
}

function isHdp(value: unknown): value is { readonly assertions: AssertionActions } {
  if (typeof value !== "object" || value === null || !("assertions" in value)) return false;
  const { assertions } = value;
  return typeof assertions === "object" && assertions !== null && "notFinalized" in assertions;
}

async function assertionFailure(assertion: Promise<void>): Promise<AssertionError | undefined> {
  try {
    await assertion;
    return undefined;
  } catch (error) {
    if (error instanceof AssertionError) return error;
    throw error;
  }
}

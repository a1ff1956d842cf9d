import { AssertionError } from "node:assert";

import type { AssertionActions } from "./actions/assertion-actions.js";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- chai's types are extended in this way
  namespace Chai {
    interface Assertion {
      /** Of `hdp`: the task is finalized, with this value where one is given. To be awaited. */
      finalized: AssertionActions["finalized"];
      /** Of `hdp`: the task is not finalized. To be awaited. */
      notFinalized: AssertionActions["notFinalized"];
    }
  }
}

/**
 * Matchers for chai: `await expect(hdp).to.have.finalized(task, 7n)`, and `.notFinalized(task)`.
 *
 * @example import "hardhat-hdp/chai";
 */
export const hdpChai: Chai.ChaiPlugin = ({ Assertion }) => {
  Assertion.addMethod("finalized", async function (...args: Parameters<AssertionActions["finalized"]>): Promise<void> {
    const said = await failureOf(assertionsOf(this._obj).finalized(...args));
    const so = args[1] === undefined ? "finalized" : `finalized with ${String(args[1])}`;
    this.assert(said === undefined, said?.message ?? "", `the task is ${so}.`, said?.expected, said?.actual);
  });
  Assertion.addMethod(
    "notFinalized",
    async function (...args: Parameters<AssertionActions["notFinalized"]>): Promise<void> {
      const said = await failureOf(assertionsOf(this._obj).notFinalized(...args));
      this.assert(said === undefined, said?.message ?? "", "the task is not finalized.", said?.expected, said?.actual);
    },
  );
};

function assertionsOf(subject: unknown): AssertionActions {
  if (typeof subject === "object" && subject !== null && "assertions" in subject) {
    const { assertions } = subject;
    if (isAssertions(assertions)) return assertions;
  }
  throw new TypeError("expect(…) was given something else than hdp: expect(hdp).to.have.finalized(task, value).");
}

async function failureOf(assertion: Promise<void>): Promise<AssertionError | undefined> {
  try {
    await assertion;
    return undefined;
  } catch (error) {
    if (error instanceof AssertionError) return error;
    throw error;
  }
}

function isAssertions(value: unknown): value is AssertionActions {
  return typeof value === "object" && value !== null && "finalized" in value && "notFinalized" in value;
}

import { expect } from "chai";
import fc from "fast-check";

import {
  awaitSubmission,
  isServiceFailure,
  type ServiceFailure,
  type ServiceCallOptions,
} from "../../src/entries/service.js";
import type { SubmissionPart, TaskStatus } from "../../src/entries/request.js";
import { systemClock } from "../../src/base/clock.js";
import { serviceFailure } from "../../src/service/http/service-errors.js";
import { pauseAfterPoll } from "../../src/base/polling.js";
import { pollService } from "../../src/service/http/service-polling.js";
import { fakeClock } from "../support/fake-clock.js";
import { rejection } from "../support/failure.js";

const HOUR = 3_600_000;
const submission: SubmissionPart = {
  id: "01JPJ03YJT",
  processor: "tasks",
  destinationChainId: "ETHEREUM_SEPOLIA",
  taskHashes: [`0x${"11".repeat(32)}`],
};
const pending: TaskStatus = { name: "Received", phase: "pending" };

const CALL = { service: "it", endpoint: "GET it" };

function limited(retryAfter?: number): ServiceFailure {
  return serviceFailure(
    "HDP-2050",
    { ...CALL, pause: undefined },
    { serviceWords: "slow down", retryAfter },
  );
}

/** Runs a wait that never finishes and returns when each look began, relative to the wait's start. */
async function looksOf(
  timeout: number,
  random: () => number,
  answer: (look: number) => TaskStatus | Error,
  callMs = 0,
) {
  const clock = fakeClock();
  const start = clock.now();
  const looks: number[] = [];
  const status = (
    _submission: SubmissionPart,
    options?: ServiceCallOptions,
  ): Promise<TaskStatus> => {
    expect(options?.attempts).to.equal(1);
    looks.push(clock.now() - start);
    clock.advance(callMs);
    const seen = answer(looks.length);
    return seen instanceof Error ? Promise.reject(seen) : Promise.resolve(seen);
  };
  const error = await rejection(
    awaitSubmission({ status }, submission, { timeout, clock, random }),
  );
  return { looks, error, ended: clock.now() - start };
}

describe("awaitSubmission", () => {
  it("reports before each pause the times of the next call and of the timeout", async () => {
    const clock = fakeClock();
    const start = clock.now();
    const told: number[][] = [];
    const looks: number[] = [];
    const status = (): Promise<TaskStatus> => {
      looks.push(clock.now() - start);
      return Promise.resolve(
        looks.length < 4 ? pending : { name: "Finalized", phase: "finalized" },
      );
    };
    await awaitSubmission({ status }, submission, {
      timeout: HOUR,
      clock,
      random: () => 0,
      onPause: ({ nextPollAt, timeoutAt }) => told.push([nextPollAt - start, timeoutAt - start]),
    });
    expect(looks).to.have.length(4);
    expect(told).to.deep.equal(looks.slice(1).map((look) => [look, HOUR]));
  });

  it("pauses from 0.5 s, through 10 s at the tenth, to 5 minutes, never shrinking", () => {
    expect(pauseAfterPoll(0)).to.equal(500);
    expect(pauseAfterPoll(1)).to.equal(675);
    expect(pauseAfterPoll(9)).to.be.closeTo(7_446, 1);
    expect(pauseAfterPoll(10)).to.equal(10_000);
    expect(pauseAfterPoll(11)).to.equal(18_250);
    expect(pauseAfterPoll(100)).to.equal(300_000);
    for (let k = 0; k < 100; k++) expect(pauseAfterPoll(k + 1)).to.be.at.least(pauseAfterPoll(k));
  });

  it("calls exactly 40 times in an hour-long wait without jitter, the last time 2 s before its end", async () => {
    const { looks, error } = await looksOf(
      HOUR,
      () => 0,
      () => pending,
    );
    expect(looks).to.have.length(40);
    expect(looks[0]).to.equal(0);
    expect(looks[1]).to.equal(500);
    expect(looks.at(-1)).to.equal(HOUR - 2_000);
    expect(error).to.include({ code: "HDP-2081", kind: "timeout" });
  });

  it("calls at most 40 times in any hour and ends by its timeout, whatever the service answers", async () => {
    const answers = fc.array(
      fc.constantFrom<"pending" | "limited" | "failing" | "asks">(
        "pending",
        "limited",
        "failing",
        "asks",
      ),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 * HOUR }),
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 }),
        answers,
        fc.integer({ min: 0, max: 30_000 }),
        async (timeout, jitter, words, callMs) => {
          let draw = 0;
          const { looks, error, ended } = await looksOf(
            timeout,
            () => jitter[draw++ % jitter.length] ?? 0,
            (look) => {
              const word = words[look % words.length];
              if (word === "limited") return limited();
              if (word === "asks") return limited(20_000);
              return word === "failing"
                ? serviceFailure("HDP-2060", { ...CALL, status: 500 })
                : pending;
            },
            callMs,
          );
          expect(isServiceFailure(error, "timeout")).to.equal(true);
          // The fake service takes its time over a call; the wait itself adds none.
          expect(ended).to.be.at.most(timeout + callMs);
          for (const [index, from] of looks.entries()) {
            const within = looks.slice(index).filter((look) => look - from < HOUR);
            expect(within.length).to.be.at.most(40);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("makes few calls within a timeout of a few milliseconds", async () => {
    for (const timeout of [1, 3, 6, 8, 11, 13, 2_001]) {
      const { looks, error, ended } = await looksOf(
        timeout,
        () => 0,
        (look) => (look < 10 ? pending : new Error("it calls again and again")),
      );
      expect(error, String(timeout)).to.include({ code: "HDP-2081" });
      expect(looks.length, String(timeout)).to.be.at.most(4);
      expect(ended, String(timeout)).to.be.at.most(timeout);
    }
  });

  it("ends at its timeout although the machine's clock is set back during each pause", async () => {
    let [wall, monotonic] = [1_700_000_000_000, 0];
    const clock = {
      now: () => wall,
      monotonic: () => monotonic,
      after: (ms: number, act: () => void) => systemClock.after(ms, act),
      sleep: async (ms: number) => {
        monotonic += ms;
        wall -= 600_000;
        await Promise.resolve();
      },
    };
    const status = (): Promise<TaskStatus> => Promise.resolve(pending);
    const error = await rejection(
      awaitSubmission({ status }, submission, { timeout: 60_000, clock, random: () => 0 }),
    );
    expect(error).to.include({ code: "HDP-2081" });
    expect(monotonic).to.equal(58_000);
  });

  it("returns the submission with its final status and reports each change once", async () => {
    const states = ["Received", "Received", "Sampled", "Finalized"];
    const told: string[] = [];
    const clock = fakeClock();
    const finished = await awaitSubmission(
      {
        status: () => {
          const name = states.shift() ?? "";
          return Promise.resolve({ name, phase: name === "Finalized" ? "finalized" : "pending" });
        },
      },
      submission,
      { clock, random: () => 0.5, onStatus: (status) => told.push(status.name) },
    );
    expect(finished).to.deep.equal({ name: "Finalized", phase: "finalized" });
    expect(told).to.deep.equal(["Received", "Sampled", "Finalized"]);
    expect(clock.pauses.map(Math.round)).to.deep.equal([525, 709, 957]);
  });

  it("honours Retry-After, and ends early when it reaches beyond the timeout", async () => {
    const clock = fakeClock();
    const troubles: string[] = [];
    let looks = 0;
    const status = (): Promise<TaskStatus> =>
      Promise.reject(limited(++looks === 1 ? 45_000 : 90_000));
    const wait = awaitSubmission({ status }, submission, {
      timeout: 120_000,
      clock,
      random: () => 0,
      onTrouble: (failure) => troubles.push(failure.code),
    });
    const error = await rejection(wait);
    expect(error).to.include({ code: "HDP-2081", serviceWords: "slow down" });
    expect(error).to.have.property("cause").that.includes({ code: "HDP-2050" });
    expect(error).to.have.property("message").that.includes("ended after 120 s: no state was seen");
    expect(clock.pauses).to.deep.equal([45_000]);
    expect(troubles).to.deep.equal(["HDP-2050", "HDP-2050"]);
  });

  it("names the last state and how to come back at the timeout", async () => {
    const { error } = await looksOf(
      10_000,
      () => 0,
      () => ({ name: "TraceGenStarted", phase: "pending" }),
    );
    expect(error)
      .to.have.property("message")
      .that.includes("its last state was TraceGenStarted")
      .and.includes("npx hardhat hdp:await 01JPJ03YJT");
  });

  it("suggests the task hash where the service's id cannot be an argument of a command", async () => {
    const status = (): Promise<TaskStatus> => Promise.resolve(pending);
    for (const id of ["--json", "a  b"]) {
      const clock = fakeClock();
      const wait = awaitSubmission(
        { status },
        { ...submission, id },
        { timeout: 1000, clock, network: "my net" },
      );
      const error = await rejection(wait);
      expect(String(error)).to.contain(
        `Wait for it again with its id: npx hardhat hdp:await ${submission.taskHashes[0] ?? ""} --network 'my net'`,
      );
    }
  });

  it("throws the service's own words when the task failed", async () => {
    const status = (): Promise<TaskStatus> =>
      Promise.resolve({ name: "DryRunFailed", phase: "failed", detail: "out of\n steps" });
    const error = await rejection(awaitSubmission({ status }, submission, { clock: fakeClock() }));
    expect(isServiceFailure(error, "task-failed")).to.equal(true);
    expect(error).to.include({ code: "HDP-2091", serviceWords: "out of steps" });
    expect(error)
      .to.have.property("message")
      .that.includes("failed at the service: its last state is DryRunFailed");
    const mute = (): Promise<TaskStatus> => Promise.resolve({ name: "FAILED", phase: "failed" });
    const silent = await rejection(
      awaitSubmission({ status: mute }, submission, { clock: fakeClock() }),
    );
    expect(silent).to.include({ code: "HDP-2091", serviceWords: undefined });
  });

  it("throws failures that waiting cannot mend", async () => {
    const wrongKey = serviceFailure("HDP-2030", {
      ...CALL,
      sent: "sent",
      nokey: undefined,
      status: 401,
      holder: undefined,
      login: undefined,
    });
    let looks = 0;
    const status = (): Promise<TaskStatus> => {
      looks++;
      return Promise.reject(wrongKey);
    };
    expect(
      await rejection(awaitSubmission({ status }, submission, { clock: fakeClock() })),
    ).to.equal(wrongKey);
    expect(looks).to.equal(1);
  });

  it("ends by its timeout although a call is never answered", async () => {
    let aborted = false;
    const status = (
      _submission: SubmissionPart,
      options?: ServiceCallOptions,
    ): Promise<TaskStatus> => {
      options?.signal?.addEventListener("abort", () => (aborted = true));
      return new Promise(() => undefined);
    };
    const error = await rejection(
      awaitSubmission({ status }, submission, { timeout: 30, clock: systemClock }),
    );
    expect(error).to.include({ code: "HDP-2081" });
    expect(error)
      .to.have.property("message")
      .that.includes("no state was seen, and the last call was not answered");
    expect(aborted).to.equal(true);
  });

  it("stops at once by its signal: before, during a call and during a pause", async () => {
    const never = (): Promise<TaskStatus> => new Promise(() => undefined);
    const before = awaitSubmission({ status: never }, submission, { signal: AbortSignal.abort() });
    expect(isServiceFailure(await rejection(before), "aborted")).to.equal(true);

    const stop = new AbortController();
    const look = awaitSubmission({ status: never }, submission, { signal: stop.signal });
    stop.abort();
    const error = await rejection(look);
    expect(error).to.include({ code: "HDP-2082" });
    expect(error).to.have.property("message").that.includes("npx hardhat hdp:await 01JPJ03YJT");

    // A look that fails while the wait is being ended: what is told is its end.
    for (let ticks = 0; ticks < 4; ticks += 1) {
      const failing = new AbortController();
      const texts = { what: "it", comeBack: "", describe: () => "seen", shownAs: () => "seen" };
      const options = { signal: failing.signal };
      const cutOff = async (): Promise<never> => {
        void (async () => {
          for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
          failing.abort();
        })();
        return await Promise.reject(new Error("cut off"));
      };
      const ended = await rejection(
        pollService({ ...texts, look: cutOff, done: () => true, onNew: undefined, options }),
      );
      expect(ended, `${ticks}`).to.include({ code: "HDP-2082" });
    }

    const later = new AbortController();
    const pausing = awaitSubmission({ status: () => Promise.resolve(pending) }, submission, {
      signal: later.signal,
      onStatus: () =>
        setTimeout(() => {
          later.abort();
        }, 5),
    });
    expect(await rejection(pausing)).to.include({ code: "HDP-2082" });
  });
});

import { expect } from "chai";

import type { SubmissionRecord, SubmissionState } from "../../src/types.js";
import { isUnfinished } from "../../src/submission/model.js";
import { explain, describeSubmission, sentBefore } from "../../src/submission/recovery.js";

const HASH = `0x${"aa".repeat(32)}`;

function record(state: SubmissionState, more: Partial<SubmissionRecord> = {}): SubmissionRecord {
  return {
    id: "id-1",
    kind: "tasks",
    state,
    createdAt: 0,
    updatedAt: 0,
    forced: false,
    network: "sepolia",
    processor: "tasks",
    host: "hdp.example.org",
    destinationChainId: "ETHEREUM_SEPOLIA",
    serviceId: "task-1",
    parts: [{ hash: HASH, identity: "i" }],
    ...more,
  };
}

describe("the explanation of a submission", () => {
  for (const [state, more, summary, steps] of [
    [
      "claimed",
      {},
      "Was not sent: the process ended before it.",
      [
        "Send it again: npx hardhat hdp:submit <file> --network sepolia",
        "Give it up: npx hardhat hdp resume id-1 --lost --network sepolia",
      ],
    ],
    [
      "accepted",
      {},
      "Accepted as task-1, last seen as accepted.",
      ["Wait for it: npx hardhat hdp resume task-1 --network sepolia"],
    ],
    [
      "accepted",
      { seen: { name: "Opened", phase: "pending", at: 1_000 } },
      'Accepted as task-1, last seen as "Opened" at 1970-01-01T00:00:01.000Z.',
      ["Wait for it: npx hardhat hdp resume task-1 --network sepolia"],
    ],
    ["accepted", { kind: "grow-order" }, "Accepted as task-1, last seen as accepted.", []],
    [
      "finalized",
      {},
      "Finalized as task-1; not every result has been read.",
      ["Read the results: npx hardhat hdp resume task-1 --network sepolia"],
    ],
    [
      "finalized",
      { parts: [{ hash: HASH, identity: "i", word: "0x01" }] },
      "Finalized, and every result was read.",
      [],
    ],
    [
      "finalized",
      {
        parts: [
          { hash: HASH, identity: "i", word: "0x01" },
          { hash: HASH, identity: "i" },
        ],
      },
      "Finalized as task-1; not every result has been read.",
      ["Read the results: npx hardhat hdp resume task-1 --network sepolia"],
    ],
    ["finalized", { kind: "program" }, "Completed.", []],
    [
      "failed",
      { seen: { name: "ProofFailed", phase: "failed", at: 0, detail: "no blocks" } },
      'Failed in state "ProofFailed" (no blocks).',
      ["Send it again: npx hardhat hdp:submit <file> --network sepolia"],
    ],
    [
      "failed",
      { seen: { name: "ProofFailed", phase: "failed", at: 0 } },
      'Failed in state "ProofFailed".',
      ["Send it again: npx hardhat hdp:submit <file> --network sepolia"],
    ],
    [
      "failed",
      {},
      'Failed in state "failed".',
      ["Send it again: npx hardhat hdp:submit <file> --network sepolia"],
    ],
    [
      "refused",
      { reason: "HDP-2022: the service answered 400" },
      "Was not accepted (HDP-2022: the service answered 400).",
      ["Correct the cause. Send it again: npx hardhat hdp:submit <file> --network sepolia"],
    ],
    [
      "lost",
      { reason: "given up by the user" },
      "Given up.",
      ["Send it again: npx hardhat hdp:submit <file> --network sepolia"],
    ],
    [
      "lost",
      { serviceId: undefined },
      "Given up.",
      [
        "Send it again: npx hardhat hdp:submit <file> --network sepolia",
        "If the service shows it, name its id: npx hardhat hdp resume id-1 --accepted <service id> --network sepolia",
      ],
    ],
    ["lost", {}, "Given up.", ["Send it again: npx hardhat hdp:submit <file> --network sepolia"]],
  ] as const) {
    it(`says of one that is ${state} (${JSON.stringify(more)}): ${summary}`, () => {
      expect(explain(record(state, more))).to.deep.equal({ summary, nextSteps: steps });
    });
  }

  it("says what can be done where the answer was lost", () => {
    const { summary, nextSteps } = explain(
      record("unknown", { serviceId: undefined, reason: "SocketError" }),
    );
    expect(summary).to.equal(
      "Was sent to hdp.example.org at 1970-01-01T00:00:00.000Z, and no answer says whether it was accepted (SocketError).",
    );
    expect(nextSteps).to.deep.equal([
      `Look whether the results arrived on ETHEREUM_SEPOLIA: npx hardhat hdp:result ${HASH} --network sepolia`,
      "If the service shows it, name its id: npx hardhat hdp resume id-1 --accepted <service id> --network sepolia",
      "Give it up, so that it can be sent again: npx hardhat hdp resume id-1 --lost --network sepolia",
      "Send it again: npx hardhat hdp:submit <file> --force --network sepolia (if the first was accepted it is done, and charged, twice)",
    ]);
  });

  for (const [kind, command, lookUp] of [
    [
      "storage-proof",
      "hdp:proof:submit",
      "Look in the cloud console of the service whether it was accepted.",
    ],
    [
      "program",
      "hdp:program:upload",
      "Ask the registry for it: npx hardhat hdp resume id-1 --network sepolia",
    ],
    [
      "grow-order",
      "hdp grow-orders create",
      "Look whether it is there: npx hardhat hdp grow-orders --network sepolia",
    ],
  ] as const) {
    it(`says where a ${kind} of unknown outcome can be looked for`, () => {
      const { nextSteps } = explain(record("sending", { kind, serviceId: undefined }));
      expect([nextSteps[0], nextSteps.at(-1)]).to.deep.equal([
        lookUp,
        `Send it again: npx hardhat ${command} <file> --force --network sepolia (if the first was accepted it is done, and charged, twice)`,
      ]);
    });
  }

  it("names the data processor, or the destination, where there is no host or chain", () => {
    const { summary, nextSteps } = explain(
      record("sending", { host: undefined, processor: "local", destinationChainId: undefined }),
    );
    expect(summary).to.equal(
      "Was about to be sent to the local data processor at 1970-01-01T00:00:00.000Z; no answer was recorded, so it may have been accepted.",
    );
    expect(nextSteps[0]).to.equal(
      `Look whether the results arrived on the destination: npx hardhat hdp:result ${HASH} --network sepolia`,
    );
  });

  it("names a submission by our id in commands where the service's cannot be pasted", () => {
    const [step] = explain(record("accepted", { serviceId: "-rf \u001b[2J" })).nextSteps;
    expect(step).to.equal("Wait for it: npx hardhat hdp resume id-1 --network sepolia");
  });

  it("names what was sent, when, where and as what", () => {
    const call = record("accepted", { kind: "storage-proof", label: "proof.json" });
    expect(describeSubmission(call)).to.equal("storage proof request proof.json");
    expect(sentBefore(call)).to.equal(
      'sent 1970-01-01T00:00:00.000Z to hdp.example.org (network "sepolia") as task-1, accepted',
    );
    const seen = { name: "Opened", phase: "pending", at: 0 } as const;
    expect(
      sentBefore(record("accepted", { serviceId: undefined, host: undefined, seen })),
    ).to.equal(
      'sent 1970-01-01T00:00:00.000Z to its service (network "sepolia"), accepted (Opened)',
    );
  });
});

describe("an unfinished submission", () => {
  for (const [state, expected] of [
    ["claimed", true],
    ["sending", true],
    ["unknown", true],
    ["accepted", true],
    ["finalized", true],
    ["failed", false],
    ["refused", false],
    ["lost", false],
  ] as const) {
    it(`${expected ? "is" : "is not"} one that is ${state}`, () => {
      expect(isUnfinished(record(state))).to.equal(expected);
    });
  }

  it("excludes those whose results were read, stored programs, and grow orders", () => {
    expect(
      isUnfinished(record("finalized", { parts: [{ hash: HASH, identity: "i", word: "0x01" }] })),
    ).to.equal(false);
    expect(isUnfinished(record("finalized", { kind: "program" }))).to.equal(false);
    expect(isUnfinished(record("accepted", { kind: "grow-order" }))).to.equal(false);
    const half = [
      { hash: HASH, identity: "i", word: "0x01" as const },
      { hash: HASH, identity: "j" },
    ];
    expect(
      isUnfinished(record("finalized", { parts: half })),
      "one of two results was read",
    ).to.equal(true);
  });
});

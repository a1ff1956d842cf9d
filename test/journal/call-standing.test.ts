import { expect } from "chai";

import type { CallRecord } from "../../src/journal/call-record.js";
import { explainCall, hintsForCall, nameOfCall, stateOfCall } from "../../src/journal/call-standing.js";
import type { CallKind } from "../../src/journal/journal-entry.js";
import type { RecordState } from "../../src/journal/journal-record.js";

const AT = "2026-01-01T00:00:00.000Z";

function call(state: RecordState, parts: Partial<CallRecord> = {}): CallRecord {
  return {
    ...{ id: "c", kind: "storage-proof", network: "sepolia", content: `0x${"12".repeat(32)}`, state, forced: false },
    ...{ endpointHost: "proofs.example.org", firstAt: AT, lastAt: AT, states: [] },
    ...parts,
  };
}

const accepted = { serviceId: "R1" };
const seen = { states: [{ name: "PENDING", phase: "pending", at: AT }, { name: "DONE", phase: "finalized", at: AT }] } as const; // prettier-ignore
const sentTo = `sent ${AT} to proofs.example.org (network "sepolia")`;

describe("journal: where other calls stand", () => {
  it("is told by what they are", () => {
    const kinds: CallKind[] = ["storage-proof", "program", "grow-order"];
    expect(kinds.map((kind) => nameOfCall({ kind }))).to.deep.equal([
      ...["storage proof request", "program upload", "grow order"],
    ]);
    expect(nameOfCall({ kind: "program", label: "fee.json" })).to.equal("program upload fee.json");
    expect(hintsForCall(call("refused"))[0]).to.equal("storage proof request, c: Was not accepted.");
  });

  it("is told by the last state that was seen", () => {
    expect(stateOfCall(call("open"))).to.equal("accepted");
    expect(stateOfCall(call("open", { states: seen.states.slice(0, 1) }))).to.equal("accepted (PENDING)");
    expect(stateOfCall(call("open", seen))).to.equal("accepted (DONE)");
    expect(stateOfCall(call("finalized", seen))).to.equal("completed (DONE)");
    expect(stateOfCall(call("finalized"))).to.equal("completed");
    expect(stateOfCall(call("finalized", { kind: "program" }))).to.equal("stored");
    for (const state of ["failed", "lost", "refused", "unknown", "intent"] as const) {
      expect(stateOfCall(call(state, seen))).to.equal(`${state} (DONE)`);
    }
  });

  it("is a sentence with ways out", () => {
    const told = (record: CallRecord) => {
      const { summary, waysOut } = explainCall(record);
      return [summary, waysOut.map(({ kind, text }) => `${kind}: ${text}`)];
    };
    expect(told(call("open", accepted))).to.deep.equal([
      `Was ${sentTo} as R1, accepted.`,
      ["await: Wait for it: npx hardhat hdp resume R1 --network sepolia"],
    ]);
    expect(told(call("open"))).to.deep.equal([
      `Was ${sentTo}, accepted.`,
      ["await: Wait for it: npx hardhat hdp resume c --network sepolia"],
    ]);
    for (const kind of ["program", "grow-order"] as const) {
      expect(told(call("open", { kind, ...accepted }))).to.deep.equal([`Was ${sentTo} as R1, accepted.`, []]);
    }
    expect(told(call("finalized", { ...accepted, ...seen }))).to.deep.equal([
      `Was ${sentTo} as R1, completed (DONE).`,
      [],
    ]);
    expect(told(call("failed", accepted))).to.deep.equal([
      `Was ${sentTo} as R1, failed.`,
      ["send-again: Send it again: hdp:proof:submit <file>."],
    ]);
    const again = (kind: CallKind, state: RecordState) => told(call(state, { kind, reason: "said no" }));
    expect(again("program", "refused")).to.deep.equal([
      "Was not accepted (said no).",
      ["send-again: Send it again: hdp:program:upload <file>."],
    ]);
    expect(again("grow-order", "lost")).to.deep.equal([
      "Given up (said no).",
      ["send-again: Send it again: hdp grow-orders create <file>."],
    ]);
    expect(told(call("lost", { kind: "program" }))[0]).to.equal("Given up.");
  });

  it("is open to a person where no answer says whether it was accepted", () => {
    const lookUps: Readonly<Record<CallKind, string>> = {
      "storage-proof": "Look in the cloud console of the service whether it was accepted.",
      program: "Ask the registry for it: npx hardhat hdp resume c --network sepolia",
      "grow-order": "Look whether it is there: npx hardhat hdp grow-orders --network sepolia",
    };
    const commands: Readonly<Record<CallKind, string>> = {
      ...{ "storage-proof": "hdp:proof:submit", program: "hdp:program:upload", "grow-order": "hdp grow-orders create" },
    };
    for (const kind of ["storage-proof", "program", "grow-order"] as const) {
      const ways = [
        { kind: "look-up", text: lookUps[kind] },
        {
          kind: "attach",
          text: "If the service shows it, name its id: npx hardhat hdp resume c --accepted <service id> --network sepolia",
        },
        {
          kind: "mark-lost",
          text: "Give it up: npx hardhat hdp resume c --lost --network sepolia (it can then be sent again).",
        },
        {
          kind: "send-again",
          text: `Send it again: npx hardhat ${commands[kind]} <file> --force --network sepolia (if the first was accepted it is done, and paid, twice).`,
        },
      ];
      expect(explainCall(call("unknown", { kind, reason: "SocketError" }))).to.deep.equal({
        summary: `Was sent to proofs.example.org at ${AT}, and no answer says whether it was accepted (SocketError).`,
        waysOut: ways,
      });
      expect(explainCall(call("intent", { kind, endpointHost: undefined }))).to.deep.equal({
        summary: `Was about to be sent to its service at ${AT}; the process ended before the answer was recorded, so it may have been accepted.`,
        waysOut: ways,
      });
    }
  });
});

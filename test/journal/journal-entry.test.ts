import { expect } from "chai";
import fc from "fast-check";

import { HdpError } from "../../src/errors/hdp-error.js";
import {
  encodeEntry,
  endpointIdOf,
  isMadeAt,
  isOnAnotherChain,
  type NewEntry,
  placeOf,
} from "../../src/journal/journal-entry.js";
import { decodeJournal } from "../../src/journal/journal-lines.js";
import { reduce } from "../../src/journal/journal-record.js";
import { journalText, reasonOf } from "../../src/journal/journal-text.js";
import { chainIdentifier, hex, journaledRequest, withoutPrivateInputs } from "../../src/journal/journaled-request.js";
import type { TaskRequest } from "../../src/request/task.js";
import { hashOf, requestOf, STORE, TARGET } from "./support/fixtures.js";

const AT = new Date("2026-01-01T00:00:00.000Z");
const intent: NewEntry = {
  ...{ event: "intent", id: "a", ...TARGET, taskHashes: [hashOf(1)] },
  request: withoutPrivateInputs(requestOf(1)),
};
const lost = (id: string): string => encodeEntry({ event: "lost", id }, AT);

describe("journal: lines", () => {
  it("reads back what it writes, integers of 256 bits included", () => {
    const request: TaskRequest = {
      destinationChainId: "STARKNET_SEPOLIA",
      tasks: [
        {
          type: "DatalakeCompute",
          datalake: {
            type: "TransactionsInBlock",
            ...{ chainId: "ETHEREUM_SEPOLIA", targetBlock: 2n ** 64n, startIndex: 0n, endIndex: 9n, increment: 1n },
            includedTypes: { legacy: true, eip2930: false, eip1559: true, eip4844: false },
            sampledProperty: { kind: "tx_receipt", field: "success" },
          },
          compute: {
            aggregateFnId: "count",
            aggregateFnCtx: { operator: "gteq", valueToCompare: 2n ** 256n - 1n },
          },
        },
      ],
    };
    const line = encodeEntry({ ...intent, request }, AT);
    expect(line).to.contain(`"valueToCompare":"${(2n ** 256n - 1n).toString()}"`);
    const { entries, damage } = decodeJournal(`${line}\n`);
    expect(damage).to.deep.equal([]);
    expect(entries).to.deep.equal([{ ...intent, request, v: 1, at: "2026-01-01T00:00:00.000Z" }]);
  });

  it("names the first block of the chain, which lines of 0.1.0 do not", () => {
    const entry: NewEntry = { ...intent, genesis: hashOf(9) };
    const text = `${encodeEntry(entry, AT)}\n${encodeEntry(intent, AT)}\n`;
    expect(decodeJournal(text).entries).to.deep.equal(
      [entry, intent].map((one) => ({ ...one, v: 1, at: "2026-01-01T00:00:00.000Z" })),
    );
    expect([...reduce(decodeJournal(text).entries).values()].map(({ genesis }) => genesis)).to.deep.equal([hashOf(9)]);
  });

  it("begins every line with the format version", () => {
    expect(encodeEntry(intent, AT).slice(0, 42)).to.equal('{"v":1,"id":"a","at":"2026-01-01T00:00:00.');
  });

  it("writes named fields only and no private input", () => {
    const request: TaskRequest = {
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [
        {
          ...{ type: "Module", programHash: "0x1" },
          inputs: [
            { visibility: "public", value: "0x2" },
            { visibility: "private", value: "0x5ec2e7" },
          ],
        },
      ],
    };
    const carried = { ...intent, request: withoutPrivateInputs(request), apiKey: "s3cret" };
    const line = encodeEntry(carried, AT);
    expect(line).to.not.match(/s3cret|5ec2e7/);
    expect(line).to.contain('"inputs":[{"visibility":"public","value":"0x2"},{"visibility":"private"}]');
  });

  it("has calls by a hash of what is sent, and repairs by line", () => {
    const isRead = (entry: object): boolean => {
      const { entries } = decodeJournal(JSON.stringify({ v: 1, id: "a", at: AT.toISOString(), ...entry }));
      return entries.length === 1;
    };
    const call = { event: "call-accepted", kind: "program", network: "n", content: "0x1", serviceId: "S" };
    const digits = "0123456789abcdef".repeat(4);
    const contents = {
      good: ["0x1", `0x${digits}`, `sha256:${digits}`],
      bad: ["", "1", "0x", "0xg", "0xA", "sha256:1"],
    };
    for (const content of contents.good) {
      expect(isRead({ ...call, content }), content).to.equal(true);
      for (const wrong of [`x${content}`, `${content}x`, `sha256:${content}`]) contents.bad.push(wrong);
    }
    for (const content of [...contents.bad, `0x${digits}0`, `sha256:${digits}0`, `sha256:${digits.slice(1)}`]) {
      expect(isRead({ ...call, content }), content).to.equal(false);
    }
    for (const [change, isGood] of [
      [{ serviceId: undefined }, true],
      [{ serviceId: "" }, false],
      [{ label: "x".repeat(300) }, true],
      [{ label: "x".repeat(301) }, false],
      [{ kind: "grow-order" }, true],
      [{ kind: "other" }, false],
      [{ network: undefined }, false],
    ] as const) {
      expect(isRead({ ...call, ...change }), JSON.stringify(change)).to.equal(isGood);
    }
    for (const [damage, isGood] of [
      [[], true],
      [[{ line: 1, reason: "" }], true],
      [[{ line: 0, reason: "" }], false],
      [[{ line: 1.5, reason: "" }], false],
      [[{ line: 1 }], false],
      [[{}], false],
      [undefined, false],
    ] as const) {
      expect(isRead({ event: "repaired", damage }), JSON.stringify(damage)).to.equal(isGood);
    }
  });

  it("rejects an entry that it could not read back", () => {
    expect(() => encodeEntry({ event: "lost", id: "" }, AT)).to.throw(/too_small/);
  });

  it("skips blank lines and reads a last line without line feed", () => {
    expect(decodeJournal(`\n${lost("a")}\n\n${lost("b")}`).entries.map(({ id }) => id)).to.deep.equal(["a", "b"]);
  });

  it("reports damaged lines with number and reason, and reads the others", () => {
    const text = [lost("a"), "<<<<<<< HEAD", lost("b").slice(0, 20), `{"v":1,"event":"lost"}`, lost("c")].join("\n");
    const { entries, damage } = decodeJournal(text);
    expect(entries.map(({ id }) => id)).to.deep.equal(["a", "c"]);
    expect(damage).to.deep.equal([
      { line: 2, kind: "damaged", reason: "not a JSON document" },
      { line: 3, kind: "damaged", reason: "not a JSON document" },
      { line: 4, kind: "damaged", reason: "id: Required" },
    ]);
  });

  it("tells a newer format from damage", () => {
    expect(decodeJournal(`{"v":2,"id":"a"}`).damage).to.deep.equal([
      { line: 1, kind: "newer", reason: "format version 2, this package reads 1" },
    ]);
  });

  it("saves an entry that shares its line with a torn one (property)", () => {
    const whole = encodeEntry(intent, AT);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length - 1 }), (cut) => {
        const { entries, damage } = decodeJournal(`${whole.slice(0, cut)}${lost("b")}\n`);
        expect(entries.map(({ event, id }) => `${event} ${id}`)).to.deep.equal(["lost b"]);
        expect(damage.map(({ line }) => line)).to.deep.equal([1]);
      }),
    );
  });

  it("reads any text without throwing, and keeps every whole line (property)", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json(), fc.constant(lost("kept")))), (lines) => {
        const wanted = lines.filter((line) => line === lost("kept")).length;
        expect(decodeJournal(lines.join("\n")).entries.filter(({ id }) => id === "kept").length).to.equal(wanted);
      }),
    );
  });

  it("keeps a result's transaction and block", () => {
    const entry: NewEntry = {
      ...{ event: "result", id: "a", taskHash: hashOf(1), word: hashOf(2), store: STORE },
      ...{ transactionHash: hashOf(3), blockNumber: 66n },
    };
    expect(decodeJournal(encodeEntry(entry, AT)).entries[0]).to.deep.equal({ ...entry, v: 1, at: AT.toISOString() });
  });
});

describe("journal: where something went", () => {
  it("is told by host and a short hash of the address, with or without slashes at its end", () => {
    // The beginning of the SHA-256 of "https://hdp.example.org/v1".
    const place = { endpointHost: "hdp.example.org", endpointId: "68dc761516b40e38" };
    for (const address of ["v1", "v1/", "v1//", "v1?apiKey=s3cret", "v1#x"]) {
      expect(placeOf(new URL(`https://u:p@hdp.example.org/${address}`)), address).to.deep.equal(place);
    }
    for (const address of ["http://hdp.example.org/v1", "https://hdp.example.org/v2", "https://hdp.example.org/v/1"]) {
      expect(endpointIdOf(new URL(address)))
        .to.match(/^[0-9a-f]{16}$/)
        .and.not.equal(place.endpointId);
    }
  });

  it("is the same endpoint where host and address are, as far as they are known", () => {
    const [host, id] = [{ endpointHost: "h" }, { endpointHost: "h", endpointId: "1" }];
    for (const [record, target, isSame] of [
      [id, id, true],
      [host, id, true],
      [id, host, false],
      [id, { ...id, endpointId: "2" }, false],
      [id, { ...id, endpointHost: "g" }, false],
      [{}, {}, true],
      [{}, host, false],
      [host, {}, false],
    ] as const) {
      expect(isMadeAt(record, target)).to.equal(isSame);
    }
  });

  it("is another chain where both are known and differ", () => {
    const [one, other] = [{ genesis: hashOf(1) }, { genesis: hashOf(2) }];
    for (const [record, target, isOther] of [
      [one, one, false],
      [one, other, true],
      [one, {}, false],
      [{}, one, false],
      [{}, {}, false],
    ] as const) {
      expect(isOnAnotherChain(record, target)).to.equal(isOther);
    }
  });
});

describe("journal: a request as it is written down", () => {
  const account = (address: unknown) => ({
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [
      {
        type: "DatalakeCompute",
        datalake: {
          ...{ type: "BlockSampled", chainId: "ETHEREUM_SEPOLIA" },
          ...{ blockRangeStart: "1", blockRangeEnd: "2", increment: "1" },
          sampledProperty: { kind: "account", address, field: "nonce" },
        },
        compute: { aggregateFnId: "sum" },
      },
    ],
  });

  it("has public inputs with their values, and private ones without", () => {
    const inputs = [
      { visibility: "public", value: "0x2" },
      { visibility: "private", value: "0x5ec2e7" },
    ] as const;
    const module = { type: "Module", programHash: "0x1", inputs } as const;
    const [datalake] = requestOf(1).tasks;
    if (datalake === undefined) throw new Error("the request has a task");
    expect(withoutPrivateInputs({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [module, datalake] })).to.deep.equal({
      destinationChainId: "ETHEREUM_SEPOLIA",
      tasks: [{ ...module, inputs: [{ visibility: "public", value: "0x2" }, { visibility: "private" }] }, datalake],
    });
  });

  it("takes hex and chains for what they are", () => {
    for (const [value, isHex] of [["0x", true], ["0xaF09", true], ["", false], ["0y1", false], ["x0x1", false], ["0x1g", false], [7, false], [["0x1"], false], [null, false]] as const) {
      expect(hex.safeParse(value).success, String(value)).to.equal(isHex);
    } // prettier-ignore
    for (const [value, isChain] of [["ETHEREUM_SEPOLIA", true], ["toString", false], ["", false], [1, false], [["ETHEREUM_SEPOLIA"], false]] as const) {
      expect(chainIdentifier.safeParse(value).success, String(value)).to.equal(isChain);
    } // prettier-ignore
  });

  it("names accounts by 20 bytes of hex, nothing else", () => {
    const address = "0xAbCdef0123456789abcdef0123456789abCDEF01";
    expect(journaledRequest.parse(account(address))).to.have.nested.property(
      "tasks[0].datalake.sampledProperty.address",
      address,
    );
    for (const wrong of [
      7,
      null,
      [address],
      "",
      "0x",
      `x${address}`,
      `${address}0`,
      address.slice(0, -1),
      `0y${address.slice(2)}`,
      address.replace("A", "g"),
    ]) {
      expect(journaledRequest.safeParse(account(wrong)).success, String(wrong)).to.equal(false);
    }
  });
});

describe("journal: texts from outside", () => {
  const plain = (text: string): string => text;

  it("masks credentials and queries of URLs, control characters and what the caller redacts", () => {
    const text = "GET https://user:pw@host/a?apiKey=k1 failed\n\u001b[31mtoken k2";
    expect(journalText(text, (words) => words.replace("k2", "***"))).to.equal(
      "GET https://***@host/a?*** failed [31mtoken ***",
    );
  });

  it("masks them wherever a URL begins, whatever its scheme", () => {
    const masked = (text: string): string => journalText(text, plain);
    expect(masked("https://user:pw@host/a?k=1#x")).to.equal("https://***@host/a?***");
    expect(masked('"wss+x://pw@host#s", (z://host?a) é')).to.equal('"wss+x://***@host?***", (z://host?*** é');
    expect(masked("HTTP://u@h?K")).to.equal("HTTP://***@h?***");
    expect(masked("https://host/a@b")).to.equal("https://host/a@b");
  });

  it("cuts at 500 characters", () => {
    expect(journalText("x".repeat(500), plain)).to.equal("x".repeat(500));
    expect(journalText("x".repeat(501), plain)).to.equal(`${"x".repeat(499)}…`);
  });

  it("keeps the words of this package's errors and only the name of others", () => {
    const own = new HdpError({ code: "HDP-5002", message: "no answer from https://h/p?key=1" });
    expect(reasonOf(own, plain)).to.equal("HDP-5002: no answer from https://h/p?***");
    expect(reasonOf(new TypeError("key s3cret"), plain)).to.equal("TypeError");
    expect(reasonOf("s3cret", plain)).to.equal("unknown error");
  });
});

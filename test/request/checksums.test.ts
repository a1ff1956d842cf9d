import { expect } from "chai";

import { account, parseTask, TaskRequestError } from "../../src/entries/request.js";
import { blockTask } from "./documents.js";

/** The four addresses of EIP-55 itself. */
const CHECKSUMMED = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
] as const;

const parsed = (address: string): unknown =>
  parseTask(blockTask({ sampledProperty: `account.${address}.balance` }, { aggregateFnId: "sum" }));

describe("the address of a sampled property", () => {
  for (const address of CHECKSUMMED) {
    it(`accepts ${address} with its checksum, in lower and in upper case`, () => {
      const lower = address.toLowerCase();
      for (const written of [address, lower, `0x${lower.slice(2).toUpperCase()}`]) {
        expect(parsed(written)).to.have.nested.property("datalake.sampledProperty.address", lower);
      }
    });

    it(`refuses ${address} with one letter in the other case, and names the right one`, () => {
      const at = /[a-f]/.exec(address.slice(2))?.index ?? 0;
      const wrong = `${address.slice(0, at + 2)}${address.charAt(at + 2).toUpperCase()}${address.slice(at + 3)}`;
      expect(() => parsed(wrong))
        .to.throw(
          TaskRequestError,
          /HDP-1110 in .*sampledProperty: .* is not an address: its checksum is wrong, a digit may be mistyped\./,
        )
        .with.property("message")
        .that.includes(address);
      expect(() => account(`0x${wrong.slice(2)}`, "nonce")).to.throw(TaskRequestError, "HDP-1110");
    });
  }
});

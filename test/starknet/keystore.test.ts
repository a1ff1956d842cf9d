import { expect } from "chai";

import { openKeystore } from "../../src/store/starknet/keystore.js";
import { hdpFailure } from "../support/failure.js";

describe("openKeystore", () => {
  it("refuses scrypt parameters that are not valid", async () => {
    const kdfparams = { dklen: 32, n: 3, p: 1, r: 1, salt: "00" };
    const cipher = { cipher: "aes-128-ctr", cipherparams: { iv: "00".repeat(16) }, ciphertext: "00" };
    const crypto = { ...cipher, kdf: "scrypt", kdfparams, mac: "00".repeat(32) };
    const error = await hdpFailure(openKeystore(JSON.stringify({ version: 3, crypto }), "pass phrase"));
    expect(error.code).to.equal("HDP-8021");
    expect(error.message).to.contain("its scrypt parameters are invalid").and.not.contain("pass phrase");
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { namedAccount, readKeystore } from "../../src/store/starknet/keystore.js";
import { hdpFailure } from "../support/failure.js";

describe("readKeystore", () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), "hdp-keystore-"))));
  after(async () => await rm(folder, { recursive: true }));

  const refusal = async (text: string): Promise<string> => {
    const file = join(folder, "key.json");
    await writeFile(file, text);
    const error = await hdpFailure(readKeystore(file, "pass phrase"));
    expect(error.code).to.equal("HDP-8022");
    expect(error.message).not.to.contain("pass phrase");
    return error.message;
  };

  it("refuses what is not a keystore of version 3", async () => {
    for (const text of ["{}", "not JSON"])
      expect(await refusal(text)).to.contain("is not a keystore of version 3");
  });

  it("refuses scrypt parameters that are not valid", async () => {
    const kdfparams = { dklen: 32, n: 3, p: 1, r: 1, salt: "00" };
    const cipher = {
      cipher: "aes-128-ctr",
      cipherparams: { iv: "00".repeat(16) },
      ciphertext: "00",
    };
    const crypto = { ...cipher, kdf: "scrypt", kdfparams, mac: "00".repeat(32) };
    expect(await refusal(JSON.stringify({ version: 3, crypto }))).to.contain(
      "its scrypt parameters are invalid",
    );
  });
});

describe("namedAccount", () => {
  let folder: string;
  let server: Server;
  let isDevnet: boolean;

  beforeEach(async () => {
    isDevnet = true;
    folder = await mkdtemp(join(tmpdir(), "hdp-accounts-"));
    const accounts = {
      "alpha-sepolia": {
        me: { address: "0x1", private_key: "0x2", type: "open_zeppelin" },
        ledger: { address: "0x3" },
      },
      "alpha-mainnet": { other: { address: "0x4", private_key: "0x5" } },
    };
    await writeFile(join(folder, "accounts.json"), JSON.stringify(accounts));
    await writeFile(join(folder, "other.json"), "[]");
    server = createServer((request, response) => {
      request.resume();
      const result = [{ address: "0x10", private_key: "0x11" }];
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify(isDevnet ? { jsonrpc: "2.0", id: 0, result } : { error: { code: -32601 } }),
      );
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await rm(folder, { recursive: true });
  });

  const named = async (name: string, file = "accounts.json"): Promise<unknown> => {
    const rpcUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    return await namedAccount(name, { rpcUrl, file: join(folder, file), network: "alpha-sepolia" });
  };
  const refusal = async (name: string, file?: string): Promise<string> => {
    const error = await hdpFailure(named(name, file));
    expect(error.code).to.equal("HDP-8022");
    return error.shortMessage;
  };

  it("returns the accounts of sncast's file and of a devnet", async () => {
    expect(await named("me")).to.deep.equal({ address: "0x1", privateKey: "0x2" });
    expect(await named("devnet-1")).to.deep.equal({ address: "0x10", privateKey: "0x11" });
  });

  it("says which accounts there are", async () => {
    expect(await refusal("other"))
      .to.contain('the account\'s name "other" cannot be used')
      .and.contain("has for alpha-sepolia: me, ledger");
    expect(await refusal("ledger")).to.contain("has no private key of it");
    expect(await refusal("me", "none.json")).to.contain("can't be read (ENOENT)");
    expect(await refusal("me", "other.json")).to.contain("is not a file of sncast's accounts");
    expect(await refusal("devnet-2")).to.contain("the devnet has 1");
    isDevnet = false;
    expect(await refusal("devnet-1")).to.contain("no devnet answers at its rpcUrl");
  });
});

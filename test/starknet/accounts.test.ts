import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { type CairoAssembly, type CompiledSierra, ec, EthSigner, json } from "starknet";
import { z } from "zod";

import { executed, NO_TIP, openAccount, type StarknetAccountOptions } from "../../src/store/starknet/account.js";
import { ownStarknetMock } from "../../src/store/starknet/devnet.js";
import { finalizeOnStarknet } from "../../src/store/starknet/finalize-on-starknet.js";
import { openKeystore, readKeystore } from "../../src/store/starknet/keystore.js";
import { openStarknetExecutionStore } from "../../src/store/starknet/starknet-execution-store.js";
import { scarbBuild } from "../../scripts/starknet/scarb-build.js";
import { hdpFailure } from "../support/failure.js";
import { StarknetDevnet } from "../support/starknet-devnet.js";
import { runTool, type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const TASK = `0x${"12".repeat(32)}` as const;
const WORD = `0x${"34".repeat(32)}` as const;
const OWNER = "0x1234567890abcdef";
const GUARDIAN = "0xfedcba0987654321";
const PASSWORD = "correct horse";

describe("kinds of Starknet accounts", function () {
  this.timeout(600_000);

  let tools: StarknetTools;
  let devnet: StarknetDevnet;
  let folder: string;

  before(async function () {
    tools = starknetToolsOrSkip(this);
    folder = mkdtempSync(join(tmpdir(), "hdp-accounts-"));
    devnet = await StarknetDevnet.start(tools);
  });

  after(async () => {
    await (devnet as StarknetDevnet | undefined)?.end();
    if ((folder as string | undefined) !== undefined) rmSync(folder, { recursive: true });
  });

  async function fund(address: string): Promise<void> {
    await devnet.call("devnet_mint", { address, amount: 10 ** 20, unit: "FRI" });
  }

  async function expectFinalizes(account: Omit<StarknetAccountOptions, "rpcUrl">, owner: StarknetAccountOptions) {
    const { rpcUrl } = devnet;
    const options = { rpcUrl, ...account };
    // A mock of the account's own, put there by an account that can declare.
    const address = await deployFor(owner, account.accountAddress);
    await finalizeOnStarknet({ ...options, address, taskHash: TASK, word: WORD });
    const store = await openStarknetExecutionStore({ rpcUrl, address });
    expect((await store.readResult(TASK)).word).to.equal(WORD);
  }

  /** The mock, owned by another account than the one that pays. */
  async function deployFor(payer: StarknetAccountOptions, ownerAddress: string): Promise<string> {
    const mock = await ownStarknetMock(payer);
    const account = await openAccount(payer);
    const calls = [{ contractAddress: mock, entrypoint: "setOperator", calldata: [ownerAddress, "1"] }];
    await executed(account, (await account.execute(calls, NO_TIP)).transaction_hash);
    return mock;
  }

  async function payer(position: number): Promise<StarknetAccountOptions> {
    const { address, privateKey } = await devnet.account(position);
    return { rpcUrl: devnet.rpcUrl, accountAddress: address, privateKey: () => privateKey };
  }

  it("finalize with a key in a keystore that sncast wrote", async () => {
    const { rpcUrl } = devnet;
    const { address: known } = await devnet.account();
    const classHash = String(
      await devnet.call("starknet_getClassHashAt", { block_id: "latest", contract_address: known }),
    );
    const env = { CREATE_KEYSTORE_PASSWORD: PASSWORD, KEYSTORE_PASSWORD: PASSWORD };
    const sncast = async (...args: string[]): Promise<string> => {
      const all = ["--keystore", "key.json", "--account", "account.json", "account", ...args, "--url", rpcUrl];
      const { code, output } = await runTool(tools, "sncast", all, { cwd: folder, env });
      expect(code, output).to.equal(0);
      return output;
    };
    const created = await sncast("create", "--type", "oz", "--class-hash", classHash);
    const address = /0x[0-9a-fA-F]{60,64}/.exec(created)?.[0] ?? "";
    await fund(address);
    await sncast("deploy");
    const file = join(folder, "key.json");
    const key = await readKeystore(file, PASSWORD);
    const { variant } = z
      .object({ variant: z.object({ public_key: z.string() }) })
      .parse(JSON.parse(readFileSync(join(folder, "account.json"), "utf8")));
    expect(BigInt(ec.starkCurve.getStarkKey(key))).to.equal(BigInt(variant.public_key));
    const account = { accountAddress: address, privateKey: () => readKeystore(file, PASSWORD) };
    await expectFinalizes(account, await payer(0));

    const wrong = await hdpFailure(openKeystore(readFileSync(file, "utf8"), "wrong horse"));
    expect(wrong.code).to.equal("HDP-8021");
    expect(wrong.message).to.contain("the password is another").and.not.contain("wrong horse");
  });

  it("finalize with an owner and a guardian, and not with another guardian", async () => {
    const { rpcUrl } = devnet;
    const manifest = `[package]
name = "test_account"
version = "0.1.0"
edition = "2024_07"

[dependencies]
starknet = ">=2.13.1"

[[target.starknet-contract]]
casm = true
`;
    const source = readFileSync(join(import.meta.dirname, "cairo", "account.cairo"), "utf8");
    const files = { "Scarb.toml": manifest, "src/lib.cairo": source };
    const { sierra, casm } = await scarbBuild(tools, files, "test_account_TestAccount");
    const paying = await payer(1);
    const deployer = await openAccount(paying);
    const keys = [ec.starkCurve.getStarkKey(OWNER), ec.starkCurve.getStarkKey(GUARDIAN)];
    const deployed = await deployer.declareAndDeploy(
      {
        contract: json.parse(sierra) as CompiledSierra,
        casm: json.parse(casm) as CairoAssembly,
        constructorCalldata: keys,
      },
      NO_TIP,
    );
    const address = deployed.deploy.contract_address;
    await fund(address);
    const guarded = { accountAddress: address, privateKey: () => OWNER, guardianKey: () => GUARDIAN };
    await expectFinalizes(guarded, paying);

    const mock = await ownStarknetMock(paying);
    // Another guardian's signature is refused, and no key shows.
    const strange = { ...guarded, rpcUrl, guardianKey: () => OWNER };
    const error = await hdpFailure(
      finalizeOnStarknet({ ...strange, address: mock, taskHash: `0x${"78".repeat(32)}`, word: WORD }),
    );
    expect(error.code).to.equal("HDP-8008");
    expect(error.message).to.not.contain(OWNER.slice(2)).and.not.contain(GUARDIAN.slice(2));
  });
});

describe("an account with an Ethereum key", () => {
  it("signs with starknet.js's own signer for it", async () => {
    const key = `0x${"7".repeat(64)}`;
    const options = { rpcUrl: "http://node.invalid", accountAddress: "0x1", privateKey: () => key };
    const { signer } = await openAccount({ ...options, signer: "ethereum" });
    expect(signer).to.be.instanceOf(EthSigner);
    expect(await signer.getPubKey()).to.equal(await new EthSigner(key).getPubKey());
  });
});

describe("a keystore", () => {
  it("is refused by what is wrong with it", async () => {
    const texts: Readonly<Record<string, string>> = { "no keystore": "{}", "no keystore of version 3": "not JSON" };
    for (const [reason, text] of Object.entries(texts)) {
      const error = await hdpFailure(openKeystore(text, PASSWORD));
      expect(error.code).to.equal("HDP-8021");
      expect(error.message).to.contain(reason);
    }
    const missing = await hdpFailure(readKeystore("/no/such/key.json", PASSWORD));
    expect(missing.code).to.equal("HDP-8021");
    expect(missing.message).to.contain("there is no file /no/such/key.json").and.not.contain(PASSWORD);
  });
});

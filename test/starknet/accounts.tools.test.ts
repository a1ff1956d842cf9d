import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { configVariable } from "hardhat/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import {
  CallData,
  type CairoAssembly,
  type CompiledSierra,
  ec,
  EthSigner,
  json,
  RpcProvider,
} from "starknet";
import { z } from "zod";

import {
  type StarknetAccountOptions,
  openStarknetExecutionStore,
} from "../../src/entries/store.js";
import type { StarknetAccountUserConfig } from "../../src/types.js";
import {
  blockSampled,
  header,
  type Task,
  taskRequest,
  type TaskResult,
} from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { executed, TRANSACTION } from "../../src/store/starknet/starknet-transactions.js";
import { openAccount } from "../../src/store/starknet/starknet-account.js";
import { readKeystore } from "../../src/store/starknet/keystore.js";
import { findOwnStarknetMock } from "../../src/store/starknet/mock.js";
import { scarbBuild } from "../../scripts/starknet/scarb-build.js";
import { hdpFailure } from "../support/failure.js";
import { StarknetDevnet } from "../support/starknet-devnet.js";
import { runTool, type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";

const OWNER = "0x1234567890abcdef";
const GUARDIAN = "0xfedcba0987654321";
const ETHEREUM_KEY = `0x${"7".repeat(64)}`;
const PASSWORD = "correct horse";
/** Argent's account 0.4.0, which the devnet declares itself. */
const ARGENT = "0x36078334509b514626504edc9fb252328d1a240e4e948bef8d0c08dff45927f";
const VARIABLES: Readonly<Record<string, string>> = {
  TEST_OWNER_KEY: OWNER,
  TEST_GUARDIAN_KEY: GUARDIAN,
  TEST_ETHEREUM_KEY: ETHEREUM_KEY,
  TEST_PASSWORD: PASSWORD,
};
const owner = configVariable("TEST_OWNER_KEY");
const guardian = configVariable("TEST_GUARDIAN_KEY");
const ethereum = configVariable("TEST_ETHEREUM_KEY");
const password = configVariable("TEST_PASSWORD");
const numbers = blockSampled({ from: 0, to: 3, property: header("number") });

describe("finalizing on Starknet", function () {
  this.timeout(600_000);

  let tools: StarknetTools;
  let devnet: StarknetDevnet;
  let folder: string;
  let payer: StarknetAccountOptions;

  before(async function () {
    tools = starknetToolsOrSkip(this);
    folder = mkdtempSync(join(tmpdir(), "hdp-accounts-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    devnet = await StarknetDevnet.start(tools, ["--predeclare-argent"]);
    const { address, privateKey } = await devnet.account();
    payer = { rpcUrl: devnet.rpcUrl, accountAddress: address, privateKey: () => privateKey };
    Object.assign(process.env, VARIABLES);
  });

  after(async () => {
    for (const name of Object.keys(VARIABLES)) Reflect.deleteProperty(process.env, name);
    await (devnet as StarknetDevnet | undefined)?.end();
    if ((folder as string | undefined) !== undefined) rmSync(folder, { recursive: true });
  });

  async function fund(address: string): Promise<void> {
    await devnet.call("devnet_mint", { address, amount: 10 ** 20, unit: "FRI" });
  }

  /** An Argent account, with a guardian or without. */
  async function deployArgent(...guardians: string[]): Promise<string> {
    const account = await openAccount(payer);
    const starkSigner = (key: string): string[] => ["0", ec.starkCurve.getStarkKey(key)];
    const [second] = guardians;
    const optional = second === undefined ? ["1"] : ["0", ...starkSigner(second)];
    const constructorCalldata = [...starkSigner(OWNER), ...optional];
    const sent = await account.deployContract(
      { classHash: ARGENT, constructorCalldata },
      TRANSACTION,
    );
    await executed(account, sent.transaction_hash);
    await fund(sent.contract_address);
    return sent.contract_address;
  }

  /** Computes a task whose result goes to the devnet. */
  async function run(task: Task, account: StarknetAccountUserConfig): Promise<TaskResult> {
    const { rpcUrl } = devnet;
    const hre = await createHardhatRuntimeEnvironment(
      { plugins: [hardhatHdp], hdp: { starknet: { SN_SEPOLIA: { rpcUrl, account } } } },
      {},
      folder,
    );
    const connection = await hre.network.create();
    await connection.provider.request({ method: "hardhat_mine", params: ["0x5"] });
    const [result] = await connection.hdp.run(
      taskRequest({ destinationChainId: "SN_SEPOLIA", tasks: [task] }),
    );
    return result;
  }

  /** The account deploys a mock of its own and finalizes there. */
  async function finalize(account: StarknetAccountUserConfig): Promise<void> {
    const { rpcUrl } = devnet;
    const { value, store: address, taskHash, transactionHash } = await run(numbers.sum(), account);
    expect(value).to.equal(6n);
    const mock = await findOwnStarknetMock({ rpcUrl, accountAddress: account.address });
    expect(address).to.equal(mock);
    const store = await openStarknetExecutionStore({ rpcUrl, address: mock ?? "" });
    expect((await store.readResult(taskHash)).value).to.equal(6n);
    const transaction = await new RpcProvider({ nodeUrl: rpcUrl }).getTransaction(
      transactionHash ?? "",
    );
    expect(
      BigInt(z.object({ sender_address: z.string() }).parse(transaction).sender_address),
    ).to.equal(BigInt(account.address));
  }

  async function refusal(account: StarknetAccountUserConfig): Promise<string> {
    const error = await hdpFailure(run(numbers.max(), account));
    expect(error.message).to.contain("HDP-8008: the Starknet network refused to ");
    for (const secret of Object.values(VARIABLES))
      expect(error.message).to.not.contain(secret.replace("0x", ""));
    return error.message;
  }

  it("works with OpenZeppelin's account and a keystore that sncast wrote", async () => {
    const { rpcUrl } = devnet;
    const { address: known } = await devnet.account();
    const classHash = String(
      await devnet.call("starknet_getClassHashAt", { block_id: "latest", contract_address: known }),
    );
    const env = { CREATE_KEYSTORE_PASSWORD: PASSWORD, KEYSTORE_PASSWORD: PASSWORD };
    const sncast = async (...args: string[]): Promise<string> => {
      const all = [
        "--keystore",
        "key.json",
        "--account",
        "account.json",
        "account",
        ...args,
        "--url",
        rpcUrl,
      ];
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
    await finalize({ address, keystore: { file: "key.json", password } });

    const wrong = await hdpFailure(readKeystore(file, "wrong horse"));
    expect(wrong.code).to.equal("HDP-8022");
    expect(wrong.message).to.contain("wrong password").and.not.contain("wrong horse");
  });

  it("works with the owner's key of an Argent account", async () => {
    const address = await deployArgent();
    await finalize({ address, privateKey: owner });
    expect(await refusal({ address: await deployArgent(), privateKey: guardian })).to.contain(
      "argent/invalid-owner-sig",
    );
  });

  it("needs the right guardian of an Argent account that has one", async () => {
    await finalize({
      address: await deployArgent(GUARDIAN),
      privateKey: owner,
      guardianKey: guardian,
    });
    const address = await deployArgent(GUARDIAN);
    expect(await refusal({ address, privateKey: owner })).to.contain("argent/");
    expect(await refusal({ address, privateKey: owner, guardianKey: owner })).to.contain(
      "argent/invalid-guardian-sig",
    );
  });

  it("works with an Ethereum key", async () => {
    const manifest = `[package]
name = "test_account"
version = "0.1.0"
edition = "2024_07"

[dependencies]
starknet = ">=2.13.1"

[[target.starknet-contract]]
casm = true
`;
    const source = readFileSync(join(import.meta.dirname, "cairo", "eth_account.cairo"), "utf8");
    const files = { "Scarb.toml": manifest, "src/lib.cairo": source };
    const { sierra, casm } = await scarbBuild(tools, files, "test_account_EthAccount");
    const publicKey = BigInt(await new EthSigner(ETHEREUM_KEY).getPubKey());
    const coordinates = [publicKey >> 256n, publicKey % 2n ** 256n];
    const constructorCalldata = CallData.compile(
      coordinates.flatMap((coordinate) => [coordinate % 2n ** 128n, coordinate >> 128n]),
    );
    const deployer = await openAccount(payer);
    const contract = json.parse(sierra) as CompiledSierra;
    const deployed = await deployer.declareAndDeploy(
      { contract, casm: json.parse(casm) as CairoAssembly, constructorCalldata },
      TRANSACTION,
    );
    const address = deployed.deploy.contract_address;
    await fund(address);
    await finalize({ address, privateKey: ethereum, signer: "ethereum" });
    // The mock is there by now: a key of another account is refused when it finalizes.
    expect(await refusal({ address, privateKey: owner, signer: "ethereum" })).to.contain(
      "WRONG_SIGNATURE",
    );
  });
});

describe("openAccount", () => {
  const account = { rpcUrl: "http://node.invalid", accountAddress: "0x1" };
  const open = async (key: string, more: Partial<StarknetAccountOptions> = {}): Promise<unknown> =>
    await openAccount({ ...account, privateKey: () => key, ...more });

  it("signs with starknet.js's own signers", async () => {
    const { signer } = await openAccount({
      ...account,
      privateKey: () => ETHEREUM_KEY,
      signer: "ethereum",
    });
    expect(signer).to.be.instanceOf(EthSigner);
    expect(await signer.getPubKey()).to.equal(await new EthSigner(ETHEREUM_KEY).getPubKey());
    const plain = await openAccount({ ...account, privateKey: () => OWNER });
    expect(await plain.signer.getPubKey()).to.equal(ec.starkCurve.getStarkKey(OWNER));
  });

  it("refuses invalid keys without repeating them", async () => {
    const wrong = [
      "",
      "0x",
      "0x0",
      `0x${"f".repeat(64)}`,
      "abcdef12",
      "1234567",
      `${OWNER} `,
      `0x${"1".repeat(65)}`,
    ];
    for (const key of wrong) {
      const refusals = {
        "private key": [open(key), open(key, { signer: "ethereum" })],
        "guardian's key": [open(OWNER, { guardianKey: () => key })],
      };
      for (const [name, all] of Object.entries(refusals)) {
        for (const pending of all) {
          const error = await hdpFailure(pending);
          expect(error.code, key).to.equal("HDP-8022");
          expect(error.message).to.contain(name);
          if (key.length > 3)
            expect(`${error.message}${String(error.cause)}`).to.not.contain(key.trim());
        }
      }
    }
  });
});

describe("readKeystore", () => {
  it("says why a keystore can't be opened", async () => {
    const missing = await hdpFailure(readKeystore("/no/such/key.json", PASSWORD));
    expect(missing.code).to.equal("HDP-8022");
    expect(missing.message)
      .to.contain("there is no file /no/such/key.json")
      .and.not.contain(PASSWORD);
  });
});

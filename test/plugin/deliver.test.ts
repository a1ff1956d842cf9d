import { expect } from "chai";
import type { NetworkConnection } from "hardhat/types/network";
import { decodeFunctionResult, encodeFunctionData, type Hex } from "viem";

import { compileTexts } from "../../scripts/solidity-compiler.js";
import { blockSampled, header, rootOfValue } from "../../src/entries/request.js";
import type { DeliverOptions } from "../../src/plugin/delivery.js";
import { localSubmissions } from "../../src/plugin/project-database.js";
import { Session } from "../../src/plugin/session.js";
import { shownId } from "../../src/submission/model.js";
import type { PinnedTask } from "../../src/plugin/actions/submission-actions.js";
import type { HdpUserConfig } from "../../src/types.js";
import { hdpFailure } from "../support/failure.js";
import { serve } from "../support/rpc-server.js";
import {
  removeProject,
  type TestProject,
  testProject,
  writeArtifact,
} from "../support/remote-project.js";
import { serviceProject } from "../support/service-project.js";
import { runCommand } from "../support/run-command.js";

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;
import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
contract Ledger {
    function bring(address store, HdpTask calldata task, uint256 value) external {
        HdpResults.requireValue(store, task, value);
        calls += 1;
        last = value;
    }
    error TooMuch(uint256 value);
    uint256 public calls;
    uint256 public last;
    function update(uint256 value) external {
        if (value > 1e12) revert TooMuch(value);
        calls += 1;
        last = value;
    }
    function note(address who, uint256 value) external { calls += 1; last = value + uint160(who); }
}`;
const Ledger = compileTexts({ "Ledger.sol": SOURCE })["Ledger.sol"]?.["Ledger"];
if (Ledger === undefined) throw new Error("the contract was not compiled");
const { abi, bytecode } = Ledger;

const task = blockSampled({ from: 0n, to: 2n, property: header("gas_limit") }).avg();
const GAS_LIMIT = 60_000_000n;

const LIVE = { development: false, dataProcessor: "local" } satisfies HdpUserConfig;

type Request = NetworkConnection<string>["provider"]["request"];

describe("a delivery", () => {
  let project: TestProject;
  let connection: NetworkConnection<string>;
  let options: DeliverOptions;

  let close: () => Promise<void>;

  afterEach(async () => {
    await close();
  });

  async function start(hdp: HdpUserConfig = {}): Promise<void> {
    project = await testProject({ hdp });
    connection = await project.hre.network.getOrCreate();
    close = async () => {
      await connection.close();
      await removeProject(project);
    };
    await deployLedger();
  }

  async function deployLedger(): Promise<void> {
    await writeArtifact(project.root, "Ledger", { abi, bytecode });
    await connection.hdp.mine(2);
    const { contractAddress } = await sent({ data: bytecode });
    options = { contract: `Ledger@${String(contractAddress)}`, function: "update" };
  }

  /** Sends a transaction of the first account. */
  async function sent(transaction: object): Promise<Record<string, unknown>> {
    const { provider } = connection;
    const [from] = (await provider.request({ method: "eth_accounts" })) as Hex[];
    const hash: unknown = await provider.request({
      method: "eth_sendTransaction",
      params: [{ from, ...transaction }],
    });
    return (await provider.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    })) as Record<string, unknown>;
  }

  async function read(functionName: "calls" | "last"): Promise<unknown> {
    const to = options.contract.split("@")[1];
    const data = (await connection.provider.request({
      method: "eth_call",
      params: [{ to, data: encodeFunctionData({ abi, functionName }) }, "latest"],
    })) as Hex;
    return decodeFunctionResult({ abi, functionName, data });
  }

  /** Has the next transaction go wrong in some way. */
  function spoilNext(spoil: (send: () => Promise<unknown>) => Promise<unknown>): void {
    const { provider } = connection;
    const request: Request = provider.request.bind(provider);
    Object.assign(provider, {
      request: async (given: Parameters<Request>[0]): Promise<unknown> => {
        if (given.method !== "eth_sendTransaction") return await request(given);
        Object.assign(provider, { request });
        return await spoil(async (): Promise<unknown> => await request(given));
      },
    });
  }

  for (const edition of ["tasks", "module-tasks"] as const) {
    it(`calls the contract with the value once, over results of API version ${edition}`, async () => {
      await start({ local: { edition } });
      const { hdp } = connection;
      await hdp.run(task);
      const first = await hdp.deliver(task, options);
      expect(first).to.include({ isEarlier: false });
      const again = await hdp.deliver((await hdp.task(task)).hash, options);
      expect(again).to.deep.equal({ ...first, isEarlier: true });
      expect([await read("calls"), await read("last")]).to.deep.equal([1n, GAS_LIMIT]);
      await hdp.deliver(task, { ...options, force: true });
      expect(await read("calls")).to.equal(2n);
    });
  }

  it("looks at the contract once, before it waits", async () => {
    await start();
    const { hdp, provider } = connection;
    await hdp.submit(task);
    const to = options.contract.split("@")[1];
    const request: Request = provider.request.bind(provider);
    let looks = 0;
    Object.assign(provider, {
      request: async (given: Parameters<Request>[0]): Promise<unknown> => {
        const [account] = (given.params ?? []) as readonly unknown[];
        if (given.method === "eth_getCode" && String(account).toLowerCase() === to) looks += 1;
        return await request(given);
      },
    });
    await hdp.deliver(task, options);
    expect(looks).to.equal(1);
  });

  it("sends nothing where its record was ended by another program while the nonce was asked for", async () => {
    await start();
    const { hdp, provider } = connection;
    await hdp.run(task);
    const request: Request = provider.request.bind(provider);
    let sent = 0;
    Object.assign(provider, {
      request: async (given: Parameters<Request>[0]): Promise<unknown> => {
        if (given.method === "eth_sendTransaction") sent += 1;
        if (given.method === "eth_getTransactionCount") {
          const store = localSubmissions(Session.of(connection));
          const record = store.list().find(({ kind }) => kind === "delivery");
          store.move(record?.id ?? "", ["sending"], "refused", { reason: "given up elsewhere" });
        }
        return await request(given);
      },
    });
    const error = await hdpFailure(hdp.deliver(task, options));
    expect(error.code).to.equal("HDP-3018");
    expect([sent, await read("calls")]).to.deep.equal([0, 0n]);
  });

  it("waits for a task that was submitted, and refuses one that was not", async () => {
    await start();
    const { hdp } = connection;
    const error = await hdpFailure(hdp.deliver(task, options));
    expect(error.code).to.equal("HDP-5010");
    expect(error.message)
      .to.contain('network "default" ends with this process')
      .and.not.contain("hdp:submit");
    await hdp.submit(task);
    expect(await hdp.deliver(task, options)).to.include({ isEarlier: false });
  });

  it("refuses at once a task that was not submitted to the service, and brings a result whoever submitted it", async () => {
    const opened = await serviceProject("module-tasks");
    ({ project, connection, close } = opened);
    await deployLedger();
    const { hdp } = connection;
    const error = await hdpFailure(hdp.deliver(task, options));
    expect(error.code).to.equal("HDP-5010");
    expect(error.message).to.contain("The task has no result here, and network");
    const { hash } = await hdp.task(task);
    await hdp.finalize(hash, rootOfValue(GAS_LIMIT));
    await hdp.deliver(task, options);
    expect(await read("last")).to.equal(GAS_LIMIT);
  });

  it("names the network where a task was submitted, if it is another one", async () => {
    await start();
    await others({ localhost: { development: true } }, async ({ hre }) => {
      await (await hre.network.getOrCreate("localhost")).hdp.submit(task);
    });
    const { message } = await hdpFailure(connection.hdp.deliver(task, options));
    expect(message)
      .to.contain("was submitted on network localhost: add --network localhost")
      .and.not.contain("hdp:submit");
  });

  it("sends one transaction when ten ask for it at once", async () => {
    await start();
    const { hdp } = connection;
    await hdp.run(task);
    const deliveries = await Promise.all(
      Array.from({ length: 10 }, async () => await hdp.deliver(task, options)),
    );
    expect(deliveries.filter(({ isEarlier }) => !isEarlier)).to.have.length(1);
    expect(new Set(deliveries.map(({ transactionHash }) => transactionHash)).size).to.equal(1);
    expect(await read("calls")).to.equal(1n);
  });

  it("finds the transaction whose answer was lost, and doesn't send it again", async () => {
    await start();
    const { hdp } = connection;
    await hdp.run(task);
    spoilNext(async (send) => {
      await send();
      throw new Error("socket hang up");
    });
    expect((await hdpFailure(hdp.deliver(task, options))).code).to.equal("HDP-5008");
    expect(await hdp.deliver(task, options)).to.include({ isEarlier: true });
    expect(await read("calls")).to.equal(1n);
  });

  it("sends under the recorded nonce what never reached the node", async () => {
    await start();
    const { hdp } = connection;
    await hdp.run(task);
    spoilNext(async () => await Promise.reject(new Error("socket hang up")));
    expect((await hdpFailure(hdp.deliver(task, options))).code).to.equal("HDP-5008");
    expect(await read("calls")).to.equal(0n);
    expect(await hdp.deliver(task, options)).to.include({ isEarlier: true });
    expect(await read("calls")).to.equal(1n);
  });

  it("waits for a transaction that the node has and has not mined", async () => {
    await start();
    const { hdp, provider } = connection;
    await hdp.run(task);
    await provider.request({ method: "evm_setAutomine", params: [false] });
    spoilNext(async (send) => {
      await send();
      throw new Error("socket hang up");
    });
    expect((await hdpFailure(hdp.deliver(task, options))).code).to.equal("HDP-5008");
    const second = hdp.deliver(task, options);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await provider.request({ method: "evm_mine" });
    expect(await second).to.include({ isEarlier: true });
    await provider.request({ method: "evm_mine" });
    expect(await read("calls")).to.equal(1n);
  });

  it("sends anew where another transaction took the recorded nonce", async () => {
    await start();
    const { hdp } = connection;
    await hdp.run(task);
    spoilNext(async () => await Promise.reject(new Error("socket hang up")));
    await hdpFailure(hdp.deliver(task, options));
    await sent({ to: `0x${"99".repeat(20)}`, value: "0x1" });
    expect(await hdp.deliver(task, options)).to.include({ isEarlier: false });
    expect(await read("calls")).to.equal(1n);
  });

  it("says that it isn't known whether it was sent where the node has no state of then, and how to send it all the same", async () => {
    await start();
    const { hdp, provider } = connection;
    await hdp.run(task);
    spoilNext(async () => await Promise.reject(new Error("socket hang up")));
    await hdpFailure(hdp.deliver(task, options));
    await sent({ to: `0x${"99".repeat(20)}`, value: "0x1" });
    const request: Request = provider.request.bind(provider);
    const pruned = async (given: Parameters<Request>[0]): Promise<unknown> => {
      const params: readonly unknown[] = Array.isArray(given.params) ? given.params : [];
      if (given.method === "eth_getTransactionCount" && String(params[1]).startsWith("0x"))
        throw Object.assign(new Error("missing trie node"), { code: -32000 });
      return await request(given);
    };
    Object.assign(provider, { request: pruned });
    const error = await hdpFailure(hdp.deliver(task, options));
    expect(error.code).to.equal("HDP-3017");
    expect(error.message)
      .to.contain(`update(60000000) was sent to Ledger@0x`)
      .and.contain("npx hardhat hdp deliver … --force --network default (if it is,");
    expect(await read("calls")).to.equal(0n);
    Object.assign(provider, { request });
    expect(await hdp.deliver(task, { ...options, force: true })).to.include({ isEarlier: false });
    expect(await read("calls")).to.equal(1n);
  });

  /** Has networks of other names over the chain, in a project with the same folder. */
  async function others(
    networks: Readonly<Record<string, HdpUserConfig>>,
    use: (other: TestProject) => Promise<void>,
  ): Promise<void> {
    const { address }: { readonly address: Hex } = await connection.hdp.store.current();
    const server = await serve(connection.provider);
    const { url } = server;
    const named: Record<string, { type: "http"; url: string; hdp: HdpUserConfig }> = {};
    for (const [name, hdp] of Object.entries(networks))
      named[name] = { type: "http", url, hdp: { executionStore: { address }, ...hdp } };
    try {
      await use(await testProject({ networks: named }, project.root));
    } finally {
      await server.close();
    }
  }

  for (const [first, second] of [
    ["localhost", "live"],
    ["live", "localhost"],
  ] as const) {
    it(`sends once through two networks of one chain, ${first} before ${second}, of which one is a development chain`, async () => {
      await start();
      await connection.hdp.run(task);
      const networks = { localhost: { development: true }, live: LIVE };
      await others(networks, async ({ hre }) => {
        const { provider } = connection;
        const before: unknown = await provider.request({ method: "evm_snapshot" });
        const { hdp } = await hre.network.getOrCreate(first);
        const sentNow = await hdp.deliver(task, options);
        const { hdp: other } = await hre.network.getOrCreate(second);
        const again = await other.deliver(task, options);
        expect(again).to.deep.equal({ ...sentNow, isEarlier: true });
        expect(await read("calls")).to.equal(1n);
        await provider.request({ method: "evm_revert", params: [before] });
        const error = await hdpFailure(other.deliver(task, options));
        expect(error.code).to.equal("HDP-3017");
        expect(error.message).to.contain(`it was sent on network "${first}"`);
        expect(await read("calls")).to.equal(0n);
      });
    });
  }

  it("sends a delivery again after a development chain went back to before it", async () => {
    await start();
    const { hdp, provider } = connection;
    await hdp.run(task);
    const before: unknown = await provider.request({ method: "evm_snapshot" });
    await hdp.deliver(task, options);
    await provider.request({ method: "evm_revert", params: [before] });
    expect(await hdp.deliver(task, options)).to.include({ isEarlier: false });
    expect(await read("calls")).to.equal(1n);
  });

  it("sends nothing where the contract refuses the call, and says why", async () => {
    await start();
    const { hdp } = connection;
    await hdp.finalize(task, 2n * 10n ** 12n);
    const refused = await hdpFailure(hdp.deliver(task, options));
    expect(refused.code).to.equal("HDP-3016");
    expect(refused.message).to.contain("TooMuch(2000000000000)").and.contain("Nothing was sent");
    expect(await read("calls")).to.equal(0n);
  });

  for (const edition of ["tasks", "module-tasks"] as const)
    it(`says in which field the contract's task differs, and that the value is not brought, over results of API version ${edition}`, async () => {
      await start({ local: { edition } });
      const { hdp } = connection;
      await hdp.run(task);
      const { address } = await hdp.store.current();
      const refusal = async (asked: PinnedTask, bring?: bigint): Promise<string> => {
        const args = (value: bigint) => [address, asked, bring ?? value];
        const given = { ...options, function: "bring", args };
        const { code, message } = await hdpFailure(hdp.deliver(task, given));
        expect(code).to.equal("HDP-3016");
        return message;
      };
      const longer = blockSampled({ from: 0n, to: 1n, property: header("gas_limit") }).avg();
      const other = await hdp.task(longer);
      expect(await refusal(other))
        .to.contain("NotFinalized()")
        .and.contain("Difference: blockRangeEnd (asked: 1, there: 2)");
      await hdp.finalize(longer, 7n);
      expect(await refusal(other))
        .to.contain("Value of:   average of header.gas_limit, blocks 0..2 on ETHEREUM_SEPOLIA")
        .and.contain("Difference: blockRangeEnd (asked: 1, there: 2)")
        .and.contain("The value is the result of another task: bring that of the asked one");
      const own = await hdp.task(task);
      expect(await refusal({ ...own, form: own.form === 0 ? 1 : 0 }))
        .to.contain("Difference: form")
        .and.contain("deploy it with `await hdp.task(task)` of this network.");
      expect(await refusal(own, 5n))
        .to.contain(`Difference: value (asked: 5, there: ${GAS_LIMIT})`)
        .and.contain('write "value" where the function takes it');
      expect(await read("calls")).to.equal(0n);
      const args = (value: bigint) => [address, own, value];
      await hdp.deliver(task, { ...options, function: "bring", args });
      expect(await read("last")).to.equal(GAS_LIMIT);
    });

  it("says so where the contract refuses the call without a reason, or with an error of another contract", async () => {
    await start();
    const { hdp, provider } = connection;
    await hdp.run(task);
    for (const [runtime, text] of [
      ["60006000fd", "it reverted without data, as a contract may that has no such function"],
      ["63deadbeef60e01b60005260046000fd", "unknown error 0xdeadbeef"],
    ]) {
      const to = options.contract.split("@")[1];
      await provider.request({ method: "hardhat_setCode", params: [to, `0x${runtime}`] });
      const error = await hdpFailure(hdp.deliver(task, options));
      expect(error.message).to.contain(`refuses the call update(60000000): ${text}.`);
    }
  });

  it("names the accounts of the network where another one should send, and that nothing was sent", async () => {
    await start();
    const { hdp, provider } = connection;
    await hdp.run(task);
    const [first] = (await provider.request({ method: "eth_accounts" })) as Hex[];
    const from = `0x${"ab".repeat(20)}` as const;
    const error = await hdpFailure(hdp.deliver(task, { ...options, from }));
    expect([error.code, error.path]).to.deep.equal(["HDP-6003", "from"]);
    expect(error.message)
      .to.contain(String(first))
      .and.contain("Nothing was sent: leave it out, which takes")
      .and.contain('add the account\'s key to `accounts` of network "default"');
    expect(await read("calls")).to.equal(0n);
    const refused = localSubmissions(Session.of(connection))
      .list()
      .find(({ kind }) => kind === "delivery");
    expect(refused).to.include({ state: "refused", serviceId: `${from} 0` });
    expect(refused && shownId(refused), "no account stands for the id").to.equal(refused?.id);
    expect((await hdp.deliver(task, options)).isEarlier).to.equal(false);
  });

  it("says so where the address is that of the execution store", async () => {
    await start();
    const { hdp } = connection;
    await hdp.run(task);
    const { address } = await hdp.store.current();
    const error = await hdpFailure(
      hdp.deliver(task, { ...options, contract: `Ledger@${address}` }),
    );
    expect(error.message).to.contain("the address is that of the execution store");
  });

  for (const [title, wrong, text] of [
    ["a contract without an address", { contract: "Ledger" }, "<Contract>@<address>"],
    [
      "an address without a contract",
      { contract: `Ledger@0x${"99".repeat(20)}` },
      'is not the address of a contract on network "default"',
    ],
    ["a function that the contract doesn't have", { function: "open" }, "update(uint256)"],
    ["a view", { function: "calls" }, "note(address,uint256)"],
    ["arguments of another number", { function: "note" }, "address, uint256"],
  ] satisfies readonly [string, Partial<DeliverOptions>, string][]) {
    it(`refuses ${title} before it waits for the result, naming what is allowed`, async () => {
      await start();
      const error = await hdpFailure(connection.hdp.deliver(task, { ...options, ...wrong }));
      expect(error.code).to.equal("HDP-6003");
      expect(error.message).to.contain(text);
    });
  }

  for (const [title, wrong, text] of [
    ["an address that is none", { arguments: ["0x01", "value"] }, '"0x01"'],
    ["an argument too few", { arguments: ["value"] }, "1 arguments"],
    [
      "a mistyped checksum",
      { contract: `Ledger@0x5FbDB2315678afecb367f032d93F642f64180aA3` },
      "0x5FbD",
    ],
    ["a mistyped function", { function: "notes" }, "note(address,uint256)"],
  ] satisfies readonly [string, Record<string, unknown>, string][]) {
    it(`refuses ${title} by the command before it asks for the result`, async () => {
      await start();
      const { hash } = await connection.hdp.task(task);
      const given = { task: hash, contract: options.contract, function: "note" };
      const { stdout, error } = await runCommand(
        "deliver",
        { ...given, arguments: [`0x${"00".repeat(19)}05`, "value"], ...wrong },
        project.hre,
      );
      expect(stdout).to.equal("");
      expect(error).to.have.property("message").that.contains(text).and.not.contains("HDP-4402");
    });
  }

  it("delivers by a command, which prints what it did, and with further arguments where `value` stands for the value", async () => {
    await start();
    const { hash } = await connection.hdp.task(task);
    await connection.hdp.run(task);
    const who = `0x${"00".repeat(19)}05`;
    const given = { task: hash, contract: options.contract, function: "note" };
    const first = await runCommand("deliver", { ...given, arguments: [who, "value"] }, project.hre);
    expect(first.error).to.equal(undefined);
    expect(first.stdout)
      .to.match(
        /Call {2}note\(0x0{39}5, 60000000\) of Ledger@0x\w{40}\n {8}on network "default", from 0x\w{40}\n/,
      )
      .and.match(/Delivered {2}✔ [\d,]+ gas\n +transaction 0x\w{64}, block \d+/);
    const second = await runCommand(
      "deliver",
      { ...given, arguments: [who, "value"] },
      project.hre,
    );
    expect(second.stdout).to.contain("Delivered  ✔ before, nothing was sent");
    expect([await read("calls"), await read("last")]).to.deep.equal([1n, GAS_LIMIT + 5n]);
  });
});

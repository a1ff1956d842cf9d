import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection } from "hardhat/types/network";
import {
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from "viem";
import { z } from "zod";

import type { Eip1193Provider } from "../../src/entries/local.js";
import { compileTexts, type CompiledContract } from "../../scripts/solidity-compiler.js";
import { root } from "../../scripts/root.js";
import { toWord } from "../../src/base/hex.js";
import { blockSampled, erc7201, mappingSlot } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import { findTokenBalance } from "../../src/plugin/storage/token-balance.js";
import { hdpFailure } from "../support/failure.js";
import { fewAccounts } from "../support/few-accounts.js";

const FILE = "test/plugin/tokens/Tokens.sol";
const HOLDER = "0x00000000000000000000000000000000000a11ce";
const NOBODY = "0x00000000000000000000000000000000000b0b00";
const AMOUNT = 1_000n;
const INITIALIZE = parseAbi(["function initialize(address holder, uint256 amount)"]);
const CLONE = parseAbi(["function clone() view returns (address)"]);
const BLACKLIST = parseAbi(["function blacklist(address holder)"]);
const OTHER = parseAbi(["function other() view returns (address)"]);

const vyper = z
  .object({ bytecode: z.custom<Hex>((code) => typeof code === "string") })
  .parse(JSON.parse(readFileSync(join(root, "test/plugin/tokens/Token.json"), "utf8")));

describe("the balances of tokens", () => {
  let contracts: Readonly<Record<string, CompiledContract>>;
  let connection: NetworkConnection;
  let from: Address;

  const send = async (transaction: object): Promise<{ contractAddress: Address }> => {
    const { provider } = connection;
    const params = [{ from, gas: "0x5b8d80", ...transaction }];
    const hash: unknown = await provider.request({ method: "eth_sendTransaction", params });
    const receipt: unknown = await provider.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    });
    expect(receipt).to.include({ status: "0x1" });
    return receipt as { contractAddress: Address };
  };
  const contract = (name: string): CompiledContract => {
    const found = contracts[name];
    if (found === undefined) throw new Error(`no contract ${name} was compiled`);
    return found;
  };
  const deploy = async (name: string, ...args: readonly unknown[]): Promise<Address> => {
    const { abi, bytecode } = contract(name);
    const data = encodeDeployData({ abi, bytecode, args: [...args] });
    return (await send({ data })).contractAddress;
  };
  const initialize = encodeFunctionData({ abi: INITIALIZE, args: [HOLDER, AMOUNT] });
  const token = async (name: string): Promise<Address> => await deploy(name, HOLDER, AMOUNT);

  /** Ways to deploy the tokens that are behind a proxy. */
  const proxied = {
    erc1967: async (name: string) => await deploy("Proxy5", await deploy(name), initialize),
    transparent: async (name: string) =>
      await deploy("Transparent4", await deploy(name), NOBODY, initialize),
    beacon: async (name: string) => {
      const beacon = await deploy("Beacon5", await deploy(name), from);
      return await deploy("OfBeacon5", beacon, initialize);
    },
    clone: async (name: string) => {
      const cloner = await deploy("Cloner", await deploy(name));
      const data = encodeFunctionData({ abi: CLONE });
      const answer: unknown = await connection.provider.request({
        method: "eth_call",
        params: [{ to: cloner, data }, "latest"],
      });
      const clone: Address = `0x${String(answer).slice(-40)}`;
      await send({ to: clone, data: initialize });
      return clone;
    },
    early: async (name: string) => {
      const proxy = await deploy("EarlyProxy", await deploy(name));
      await send({ to: proxy, data: initialize });
      return proxy;
    },
  };

  before(async () => {
    const text = readFileSync(join(root, FILE), "utf8");
    ({ [FILE]: contracts = {} } = compileTexts({ [FILE]: text }, {}));
    const hre = await createHardhatRuntimeEnvironment({
      plugins: [hardhatHdp],
      networks: fewAccounts(),
    });
    connection = await hre.network.create();
    const accounts: unknown = await connection.provider.request({ method: "eth_accounts" });
    [from] = accounts as [Address];
  });

  const head = async (): Promise<bigint> =>
    BigInt(String(await connection.provider.request({ method: "eth_blockNumber" })));
  const vyperToken = async (): Promise<Address> => {
    const args = encodeDeployData({
      abi: parseAbi(["constructor(address holder, uint256 amount)"]),
      bytecode: vyper.bytecode,
      args: [HOLDER, AMOUNT],
    });
    return (await send({ data: args })).contractAddress;
  };

  const at = (slot: bigint | Hex) => (holder: Address) => mappingSlot(slot, holder);
  const namespace = at(erc7201("openzeppelin.storage.ERC20"));
  const vyperSlot = (holder: Address): Hex =>
    keccak256(encodeAbiParameters(parseAbiParameters("uint256, address"), [6n, holder]));
  const soladySlot = (holder: Address): Hex =>
    keccak256(encodePacked(["address", "uint96"], [holder, 0x87a211a2n]));

  const layouts: readonly (readonly [
    name: string,
    deployed: () => Promise<Address>,
    slotOf: (holder: Address) => Hex,
  ])[] = [
    ["OpenZeppelin 5", async () => await token("Plain5"), at(0n)],
    ["OpenZeppelin 4", async () => await token("Plain4"), at(0n)],
    ["Solmate", async () => await token("Solmate"), at(3n)],
    ["Solady", async () => await token("Solady"), soladySlot],
    ["Vyper", async () => await vyperToken(), vyperSlot],
    [
      "upgradeable OpenZeppelin 5, ERC-1967",
      async () => await proxied.erc1967("Upgradeable5"),
      namespace,
    ],
    [
      "upgradeable OpenZeppelin 5, beacon",
      async () => await proxied.beacon("Upgradeable5"),
      namespace,
    ],
    [
      "upgradeable OpenZeppelin 5, clone",
      async () => await proxied.clone("Upgradeable5"),
      namespace,
    ],
    [
      "upgradeable OpenZeppelin 4, transparent",
      async () => await proxied.transparent("Upgradeable4"),
      at(51n),
    ],
    ["upgradeable OpenZeppelin 4, clone", async () => await proxied.clone("Upgradeable4"), at(51n)],
    [
      "USDC's shape, proxy of before ERC-1967",
      async () => await proxied.early("UsdcShape"),
      at(9n),
    ],
  ];
  for (const [name, deployed, slotOf] of layouts) {
    it(`samples what balanceOf returns: ${name}`, async () => {
      const address = await deployed();
      const { hdp } = connection;
      const block = await head();
      const property = await hdp.erc20Balance(getAddress(address), HOLDER);
      const task = blockSampled({ from: block, to: block, property }).max();
      const [{ value, proven }] = await hdp.run(task);
      expect({ value, proven }).to.deep.equal({ value: AMOUNT, proven: true });
      expect(property).to.deep.equal({ kind: "storage", address, slot: slotOf(HOLDER) });
      // Where a holder has nothing, each slot that was never written holds the balance: one alone is it.
      expect((await hdp.erc20Balance(address, NOBODY)).slot).to.equal(slotOf(NOBODY));
    });
  }

  it("refuses a slot that holds more than the balance: a blocked holder of USDC, two halves of a slot", async () => {
    const usdc = await proxied.early("UsdcShape");
    const before = await head();
    const data = encodeFunctionData({ abi: BLACKLIST, args: [HOLDER] });
    await send({ to: usdc, data });
    const { hdp } = connection;
    const blocked = await hdpFailure(hdp.erc20Balance(usdc, HOLDER));
    expect(blocked.code).to.equal("HDP-6128");
    expect(blocked.shortMessage).to.contain(`${HOLDER} has of token ${usdc} is 1000 at block`);
    expect(blocked.shortMessage).to.contain(`holds ${((1n << 255n) + AMOUNT).toString()}`);
    const earlier = await hdp.erc20Balance(usdc, HOLDER, { block: before });
    expect(earlier.slot).to.equal(mappingSlot(9n, HOLDER));
    const packed = await hdpFailure(hdp.erc20Balance(await token("Packed"), HOLDER));
    expect(packed.code).to.equal("HDP-6128");
  });

  it("refuses what has no slot of a balance, and says why", async () => {
    const { hdp } = connection;
    const cases = [
      [await token("Rebasing"), /no slot that was tried holds what its balanceOf returns/],
      [await token("Unusual"), /no slot that was tried/],
      [await deploy("NoToken"), /balanceOf reverted, so it is not an ERC-20 token/],
      [NOBODY, /the token has no code/],
      ["0x0000000000000000000000000000000000000004", /the token has no code/],
    ] as const;
    for (const [address, reason] of cases) {
      const error = await hdpFailure(hdp.erc20Balance(address, HOLDER));
      expect(error.code).to.equal("HDP-6127");
      expect(error.shortMessage).to.match(reason);
    }
    const wrong = await hdpFailure(hdp.erc20Balance("0x12", HOLDER));
    expect(wrong).to.include({ code: "HDP-1110", path: "token" });
    const chain = await hdpFailure(hdp.erc20Balance(NOBODY, HOLDER, { chain: "SEPOLIA" }));
    expect(chain).to.include({ code: "HDP-6003", path: "chain" });
  });

  it("finds other slots by the node's access list, also those of another contract", async () => {
    const unusual = await token("Unusual");
    const apart = await token("Apart");
    const answer: unknown = await connection.provider.request({
      method: "eth_call",
      params: [{ to: apart, data: encodeFunctionData({ abi: OTHER }) }, "latest"],
    });
    const other: Address = `0x${String(answer).slice(-40)}`;
    const inner = (slot: bigint): Hex => mappingSlot(mappingSlot(0n, slot), HOLDER);
    const accessList = [
      { address: apart, storageKeys: [toWord(0n)] },
      { address: other, storageKeys: [toWord(0n), inner(9n)] },
      { address: unusual, storageKeys: [inner(5n)] },
    ];
    // A node of Hardhat makes no access lists.
    const provider: Eip1193Provider = {
      request: async (call) =>
        call.method === "eth_createAccessList"
          ? { accessList, gasUsed: "0x1" }
          : ((await connection.provider.request(call)) as unknown),
    };
    const block = await head();
    const find = async (asked: Address): Promise<unknown> =>
      await findTokenBalance({ provider, token: asked, holder: HOLDER, block });
    expect(await find(unusual)).to.include({ address: unusual, slot: inner(5n) });
    expect(await find(apart)).to.include({ address: other, slot: inner(9n) });
  });

  it("passes on the failure of a node", async () => {
    const plain = await token("Plain5");
    const dead: Eip1193Provider = {
      request: async (call) => {
        if (call.method === "eth_call" && call.params?.[2] !== undefined)
          throw new Error("socket hang up");
        return (await connection.provider.request(call)) as unknown;
      },
    };
    const asked = { provider: dead, token: plain, holder: HOLDER, block: await head() } as const;
    const error = await hdpFailure(findTokenBalance(asked));
    expect(error.code).to.equal("HDP-4103");
    expect(error.shortMessage).to.contain("socket hang up");
  });
});

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";
import { concatHex, type Hex, hexToBytes, keccak256, numberToHex, toHex, toRlp } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";

import { type Eip1193Provider, ProvenChainReader, evaluate } from "../../src/entries/local.js";
import { httpReads } from "../../src/base/http-reads.js";
import {
  blockSampled,
  header,
  transactionsInBlock,
  tx,
  txReceipt,
} from "../../src/entries/request.js";
import { type Geth, hasGeth, startGeth } from "../support/geth.js";

const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const me = privateKeyToAccount(KEY);
const TO: Hex = `0x${"aa".repeat(20)}`;
const CHAIN = 1337;
/** The forks after Paris that geth 1.16.7 knows, with their items of a header. */
const FORKS = ["shanghai", "cancun", "prague", "osaka", "bpo1", "bpo2"] as const;
const ITEMS = {
  paris: 16,
  shanghai: 17,
  cancun: 20,
  prague: 21,
  osaka: 21,
  bpo1: 21,
  bpo2: 21,
} as const;
/** The first fork with a kind of transactions; the first two are older than all. */
const SINCE = {
  eip2930: "shanghai",
  legacy: "shanghai",
  eip7702: "prague",
  blob: "cancun",
} as const;
/** A block is a second, since the first is in the future of the clock. */
const BLOCKS_OF_FORK = 10;
const BLOB_PARAMETERS = { target: 6, max: 9, baseFeeUpdateFraction: 5007716 };

/** The commitment to a blob of zeros, and the proof of it: the point at infinity, which needs no trusted set-up. */
const INFINITY: Hex = `0xc0${"00".repeat(47)}`;
const VERSIONED: Hex = `0x01${createHash("sha256").update(hexToBytes(INFINITY)).digest("hex").slice(2)}`;
const BLOB: Hex = `0x${"00".repeat(131_072)}`;

interface Body {
  readonly hash: Hex;
  readonly transactions: readonly { readonly hash: Hex; readonly type: Hex }[];
}

describe("a geth that crosses all forks from Paris on", () => {
  let geth: Geth | undefined;
  let provider: Eip1193Provider;
  let head: bigint;
  const types = new Map<string, Set<number>>();
  const blobs: bigint[] = [];

  const rpc = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    await provider.request({ method, params });
  const block = async (number: bigint): Promise<Body> =>
    (await rpc("eth_getBlockByNumber", numberToHex(number), true)) as Body;
  const forkAt = (number: bigint): (typeof FORKS)[number] | "paris" =>
    FORKS[Math.floor(Number(number) / BLOCKS_OF_FORK) - 1] ??
    (number < BLOCKS_OF_FORK ? "paris" : "bpo2");

  let nonce = 0;
  async function mine(raw: Hex): Promise<void> {
    // A pool gives up an account, for the pool of blob transactions or back, a moment after its block.
    const sending = async (): Promise<unknown> =>
      await rpc("eth_sendRawTransaction", raw).catch(async (error: unknown) => {
        if (!String(error).includes("address already reserved")) throw error;
        await sleep(20);
        return await sending();
      });
    const hash = await sending();
    nonce += 1;
    // geth refuses receipts while it indexes its first transactions.
    for (;;) {
      const receipt = await rpc("eth_getTransactionReceipt", hash).catch(() => null);
      if (receipt === null) {
        await sleep(5);
        continue;
      }
      head = BigInt((receipt as { blockNumber: Hex }).blockNumber);
      return;
    }
  }

  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 7n } as const;
  const common = () => ({ chainId: CHAIN, nonce, gas: 200_000n, to: TO, value: BigInt(nonce + 1) });

  /** A blob transaction with its sidecar as nodes take it: before Osaka a proof of the blob, after it one of each cell. */
  async function withBlob(isOsaka: boolean): Promise<Hex> {
    const to = (number: bigint): Hex => (number === 0n ? "0x" : toHex(number));
    const { maxFeePerGas, maxPriorityFeePerGas } = fees;
    const items = [
      to(BigInt(CHAIN)),
      to(BigInt(nonce)),
      to(maxPriorityFeePerGas),
      to(maxFeePerGas),
      to(200_000n),
      TO,
    ];
    const unsigned = [...items, to(9n), "0x", [], to(10n ** 10n), [VERSIONED]] as const;
    const hash = keccak256(concatHex(["0x03", toRlp([...unsigned] as never)]));
    const { r, s, yParity = 0 } = await sign({ hash, privateKey: KEY });
    const signed = [...unsigned, to(BigInt(yParity)), to(BigInt(r)), to(BigInt(s))];
    const cells = Array<Hex>(128).fill(INFINITY);
    const sidecar = isOsaka
      ? ["0x01", [BLOB], [INFINITY], cells]
      : [[BLOB], [INFINITY], [INFINITY]];
    return concatHex(["0x03", toRlp([signed, ...sidecar] as never)]);
  }

  before(async function () {
    if (!hasGeth()) {
      console.log("      skipped: no geth on this machine");
      this.skip();
    }
    const start = Math.floor(Date.now() / 1000) + 600;
    const times = FORKS.map(
      (fork, at) => [`${fork}Time`, start + (at + 1) * BLOCKS_OF_FORK] as const,
    );
    geth = await startGeth(({ config, alloc, ...genesis }) => ({
      ...genesis,
      // A first block before Cancun has none.
      excessBlobGas: undefined,
      blobGasUsed: undefined,
      timestamp: toHex(start),
      config: {
        ...config,
        ...Object.fromEntries(times),
        blobSchedule: {
          ...(config["blobSchedule"] as object),
          bpo1: { ...BLOB_PARAMETERS, max: 15, target: 10 },
          bpo2: { ...BLOB_PARAMETERS, max: 21, target: 14 },
        },
      },
      alloc: { ...alloc, [me.address]: { balance: toHex(10n ** 24n) } },
    }));
    const { url } = geth;
    provider = httpReads({ url: async () => await Promise.resolve(url) });
    head = 0n;
    const kinds = ["eip2930", "legacy", "eip7702", "blob"] as const;
    const accessList = [{ address: TO, storageKeys: [numberToHex(1, { size: 32 })] }];
    const left = new Map<string, (typeof kinds)[number][]>();
    while (head < BigInt((FORKS.length + 1) * BLOCKS_OF_FORK - 2)) {
      const next = forkAt(head + 1n);
      const isSince = (fork: (typeof FORKS)[number]): boolean =>
        FORKS.findIndex((one) => one === next) >= FORKS.indexOf(fork);
      const missing =
        left.get(next) ??
        kinds.filter((kind) => isSince(SINCE[kind]) || SINCE[kind] === "shanghai");
      left.set(next, missing);
      // geth may mine a block beside: what a fork has to have comes first, and the last blocks fill it up.
      const kind = missing.shift();
      if (kind === "eip2930")
        await mine(
          await me.signTransaction({ ...common(), type: kind, gasPrice: 10n ** 11n, accessList }),
        );
      else if (kind === "legacy")
        await mine(await me.signTransaction({ ...common(), type: kind, gasPrice: 10n ** 11n }));
      else if (kind === "eip7702") {
        const authorization = await me.signAuthorization({
          chainId: CHAIN,
          address: TO,
          nonce: nonce + 1,
        });
        await mine(
          await me.signTransaction({
            ...common(),
            ...fees,
            type: kind,
            authorizationList: [authorization],
          }),
        );
        // The authorization took a nonce.
        nonce += 1;
      } else if (kind === "blob") {
        await mine(await withBlob(isSince("osaka")));
        blobs.push(head);
      } else await mine(await me.signTransaction({ ...common(), ...fees, type: "eip1559" }));
    }
  });
  after(async () => {
    await geth?.stop();
  });

  it("hashes the headers of every fork to the node's own hash", async () => {
    const reader = new ProvenChainReader(provider, { prove: "require" });
    const seen = new Map<string, number>();
    for (let number = 0n; number <= head; number += 1n) {
      const { value, proven } = await reader.header(number);
      expect(proven).to.equal(true);
      expect(keccak256(toRlp([...value]))).to.equal((await block(number)).hash);
      expect(value.length, `block ${number}, ${forkAt(number)}`).to.equal(ITEMS[forkAt(number)]);
      seen.set(forkAt(number), value.length);
    }
    expect(Object.fromEntries(seen)).to.deep.equal(ITEMS);
    const task = blockSampled({ from: 0n, to: head, property: header("number") }).sum();
    expect(await evaluate(task, { provider, prove: "require" })).to.include({
      proven: true,
      samples: Number(head) + 1,
    });
  });

  it("hashes the envelopes of transactions of all types to the node's own hashes, and proves their receipts", async () => {
    const reader = new ProvenChainReader(provider, { prove: "require" });
    for (let number = 1n; number <= head; number += 1n) {
      for (const [index, { hash, type }] of (await block(number)).transactions.entries()) {
        const { value, proven } = await reader.transaction(number, index);
        expect(keccak256(value), `type ${type} in block ${number}`).to.equal(hash);
        expect([proven, (await reader.receipt(number, index)).proven]).to.deep.equal([true, true]);
        const fork = forkAt(number);
        types.set(fork, (types.get(fork) ?? new Set()).add(Number(type)));
      }
    }
    const found = Object.fromEntries([...types].map(([fork, all]) => [fork, [...all].toSorted()]));
    expect(found).to.deep.equal({
      paris: [0, 1, 2],
      shanghai: [0, 1, 2],
      cancun: [0, 1, 2, 3],
      prague: [0, 1, 2, 3, 4],
      osaka: [0, 1, 2, 3, 4],
      bpo1: [0, 1, 2, 3, 4],
      bpo2: [0, 1, 2, 3, 4],
    });
  });

  it("samples all types in TransactionsInBlock tasks, but the one that tasks leave out", async () => {
    const strict = { provider, prove: "require" } as const;
    for (let number = 1n; number <= head; number += 1n) {
      const { transactions } = await block(number);
      const inBlock = { block: number, from: 0, to: transactions.length } as const;
      const types = transactions.map(({ type }) => Number(type)).filter((type) => type < 4);
      if (types.length === 0) continue;
      const nonces = await evaluate(
        transactionsInBlock({ ...inBlock, property: tx("chain_id") }).min(),
        strict,
      );
      expect(nonces).to.include({ value: BigInt(CHAIN), samples: types.length, proven: true });
      const status = transactionsInBlock({ ...inBlock, property: txReceipt("success") }).sum();
      expect(await evaluate(status, strict)).to.include({
        value: BigInt(types.length),
        proven: true,
      });
    }
    expect(blobs).to.have.length(5);
    for (const number of blobs) {
      const fee = transactionsInBlock({
        block: number,
        from: 0,
        to: 1,
        property: tx("max_fee_per_blob_gas"),
      }).max();
      expect(await evaluate(fee, strict)).to.include({ value: 10n ** 10n, proven: true });
    }
  });
});

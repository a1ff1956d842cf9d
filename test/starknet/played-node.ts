import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";

import { hash, selector } from "starknet";

import type { RpcReply, SentRequest } from "./rpc-double.js";

const NAMES = [
  "getDataProcessorFinalizedTaskResult",
  "getDataProcessorTaskStatus",
  "finalize",
] as const;
const BY_SELECTOR = new Map(NAMES.map((name) => [BigInt(selector.getSelector(name)), name]));
const TASK_FINALIZED = selector.getSelector("TaskFinalized");
const CONTRACT_DEPLOYED = selector.getSelector("ContractDeployed");

interface Transaction {
  readonly hash: string;
  readonly block: number;
  readonly events: readonly {
    readonly from_address: string;
    readonly keys: string[];
    readonly data: string[];
  }[];
}

/**
 * A Starknet node that is played: real HTTP, starknet.js on the other side, and behind it execution store mocks that
 * finalize a task once. Transactions are accepted at once; signatures are not checked.
 */
export class PlayedNode {
  /** Results by store and task hash, as (low, high). */
  public readonly results = new Map<string, readonly [bigint, bigint]>();
  public readonly stores = new Set<bigint>();
  public readonly transactions: Transaction[] = [];
  public readonly sent: SentRequest[] = [];
  /** Those of the stores that are no mocks. */
  public readonly published = new Set<bigint>();
  /** Whether it answers to the methods that only devnets have. */
  public isDevnet = true;
  /** Set to refuse all transactions. */
  public refusal: string | undefined;
  #declared = false;
  #server: Server | undefined;

  public async listen(): Promise<string> {
    const server = createServer((request, response) => {
      void text(request).then(async (body) => {
        const { id, method, params } = JSON.parse(body) as SentRequest & { readonly id: number };
        this.sent.push({ method, params });
        response.setHeader("content-type", "application/json");
        // On a busy machine a kept connection may be closed while the next request is on its way.
        response.setHeader("connection", "close");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, ...this.#answer({ method, params }) }));
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("No port.");
    return `http://127.0.0.1:${address.port.toString()}`;
  }

  public async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #answer({ method, params }: SentRequest): RpcReply {
    switch (method) {
      case "starknet_specVersion":
        return { result: "0.9.0" };
      case "starknet_chainId":
        return { result: "0x534e5f5345504f4c4941" };
      case "starknet_getNonce":
        return { result: `0x${this.transactions.length.toString(16)}` };
      case "starknet_call":
        return this.#call(
          params["request"] as {
            contract_address: string;
            entry_point_selector: string;
            calldata: string[];
          },
        );
      case "starknet_getClassHashAt":
        return { result: "0x1" };
      case "starknet_getClass":
        return this.#declared
          ? { result: {} }
          : { error: { code: 28, message: "Class hash not found" } };
      case "starknet_getClassAt":
        return this.#classAt(BigInt(String(params["contract_address"])));
      case "devnet_getConfig":
        return this.isDevnet
          ? { result: {} }
          : { error: { code: -32601, message: "Method not found" } };
      case "starknet_getBlockWithTxHashes":
        return {
          result: {
            block_number: this.transactions.length,
            starknet_version: "0.14.1",
            transactions: [],
          },
        };
      case "starknet_getBlockWithTxs":
        return { result: { block_number: this.transactions.length, transactions: [] } };
      case "starknet_estimateFee":
        return {
          result: [
            {
              l1_gas_consumed: "0x0",
              l1_gas_price: "0x1",
              l1_data_gas_consumed: "0x80",
              l1_data_gas_price: "0x1",
              l2_gas_consumed: "0x100",
              l2_gas_price: "0x1",
              overall_fee: "0x180",
              unit: "FRI",
            },
          ],
        };
      case "starknet_addDeclareTransaction":
        this.#declared = true;
        return {
          result: {
            transaction_hash: this.#accept([]),
            class_hash: "0x12aecbf03663e8ba5dde185034efe12d8f3b3cc9da562907c7e6620cbc72565",
          },
        };
      case "starknet_addInvokeTransaction":
        return this.#invoke(
          (params["invoke_transaction"] as { calldata: string[] }).calldata.map(BigInt),
        );
      case "starknet_getTransactionStatus":
        return { result: { finality_status: "ACCEPTED_ON_L2", execution_status: "SUCCEEDED" } };
      case "starknet_getTransactionReceipt":
        return this.#receipt(String(params["transaction_hash"]));
      case "starknet_getEvents":
        return this.#events(
          params["filter"] as { address: string; chunk_size: number; continuation_token?: string },
        );
      default:
        return { error: { code: -32601, message: `Method not found: ${method}` } };
    }
  }

  /** A mock's class, or any Cairo class of today: the account's own, a store of the service. */
  #classAt(address: bigint): RpcReply {
    const isMock = this.stores.has(address) && !this.published.has(address);
    const names = isMock ? ["finalize", "set_operator"] : [];
    const abi = JSON.stringify(
      names.map((name) => ({ type: "function", name, inputs: [], outputs: [] })),
    );
    return {
      result: {
        sierra_program: [],
        contract_class_version: "0.1.0",
        entry_points_by_type: {},
        abi,
      },
    };
  }

  #call(call: {
    contract_address: string;
    entry_point_selector: string;
    calldata: string[];
  }): RpcReply {
    const store = BigInt(call.contract_address);
    if (!this.stores.has(store)) return { error: { code: 20, message: "Contract not found" } };
    const kept = this.results.get(keyOf(store, call.calldata.map(BigInt)));
    const name = BY_SELECTOR.get(BigInt(call.entry_point_selector));
    if (name === "getDataProcessorTaskStatus")
      return { result: [kept === undefined ? "0x0" : "0x2"] };
    if (name !== "getDataProcessorFinalizedTaskResult") {
      return {
        error: { code: 21, message: "Requested entrypoint does not exist in the contract" },
      };
    }
    return kept === undefined
      ? {
          error: {
            code: 40,
            message: "Contract error",
            data: { revert_error: "0x0 ('TASK_NOT_FINALIZED')" },
          },
        }
      : { result: kept.map(String) };
  }

  /** An account's calldata: how many calls, then for each its contract, selector, and calldata with its length. */
  #invoke(calldata: bigint[]): RpcReply {
    if (this.refusal !== undefined)
      return { error: { code: 55, message: "Account validation failed", data: this.refusal } };
    const events: Transaction["events"][number][] = [];
    let at = 1;
    for (let left = Number(calldata[0]); left > 0; left--) {
      const [to = 0n, called = 0n, length = 0n] = calldata.slice(at, at + 3);
      const args = calldata.slice(at + 3, at + 3 + Number(length));
      at += 3 + Number(length);
      if (BY_SELECTOR.get(called) === "finalize") {
        const key = keyOf(to, args);
        if (this.results.has(key))
          return {
            error: {
              code: 41,
              message: "Transaction execution error",
              data: "'TaskAlreadyFinalized'",
            },
          };
        this.results.set(key, [args[2] ?? 0n, args[3] ?? 0n]);
        events.push({ from_address: hex(to), keys: [TASK_FINALIZED], data: args.map(hex) });
      } else {
        const store = BigInt(hash.getSelectorFromName(`store${this.stores.size.toString()}`));
        this.stores.add(store);
        events.push({
          from_address: hex(to),
          keys: [CONTRACT_DEPLOYED],
          data: [store, ...args].map(hex),
        });
      }
    }
    return { result: { transaction_hash: this.#accept(events) } };
  }

  #accept(events: Transaction["events"]): string {
    const block = this.transactions.length + 1;
    const transactionHash = hex(0xabc000n + BigInt(block));
    this.transactions.push({ hash: transactionHash, block, events });
    return transactionHash;
  }

  #receipt(transactionHash: string): RpcReply {
    const found = this.transactions.find(({ hash: own }) => own === transactionHash);
    if (found === undefined) return { error: { code: 29, message: "Transaction hash not found" } };
    return {
      result: {
        type: "INVOKE",
        transaction_hash: found.hash,
        actual_fee: { amount: "0x180", unit: "FRI" },
        messages_sent: [],
        events: found.events,
        execution_status: "SUCCEEDED",
        finality_status: "ACCEPTED_ON_L2",
        block_hash: hex(BigInt(found.block)),
        block_number: found.block,
        execution_resources: { l1_gas: 0, l1_data_gas: 128, l2_gas: 4321 },
      },
    };
  }

  /** One transaction a page, so that pages are walked. */
  #events({ continuation_token: from = "0" }: { continuation_token?: string }): RpcReply {
    const transaction = this.transactions[Number(from)];
    const finalized = (transaction?.events ?? []).filter(({ keys }) => keys[0] === TASK_FINALIZED);
    const events = finalized.map((event) => ({
      ...event,
      transaction_hash: transaction?.hash,
      block_number: transaction?.block,
      block_hash: "0x1",
    }));
    const next = Number(from) + 1;
    const more = next < this.transactions.length ? { continuation_token: next.toString() } : {};
    return { result: { events, ...more } };
  }
}

function keyOf(store: bigint, [low, high]: readonly bigint[]): string {
  return [store, low, high].map(String).join();
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Hex } from "viem";

import { MAX_FIXTURE_BYTES, readTextFile } from "../../src/base/files.js";
import { httpReads } from "../../src/base/http-reads.js";
import { keccak256 } from "../../src/base/keccak.js";
import { encodeRlp, hexToBytes, integerItem } from "../../src/base/rlp.js";
import { InjectedState, injectedStart } from "../../src/cairo/module-state.js";
import { openRecording } from "../../src/chain/recording/recorded-chain.js";
import { parseRecordingText } from "../../src/chain/recording/recording.js";
import { ProvenChainReader } from "../../src/chain/proven-chain-reader.js";
import { createStarknetRpcReader } from "../../src/chain/starknet-chain-reader.js";
import { decodeInputs, encodeArguments, leadingFelts } from "../../src/program/abi/arguments.js";
import { parseAbi } from "../../src/program/abi/abi.js";
import { parseCompiledClassText } from "../../src/program/compiled-class.js";
import { programHash } from "../../src/program/program-hash.js";
import { parseTaskRequestText } from "../../src/request/parse.js";
import { EDITIONS } from "../../src/service/data-processor/editions.js";
import { ModuleTasksClient } from "../../src/service/data-processor/module-tasks-client.js";
import { RemoteDataProcessor } from "../../src/service/data-processor/remote-data-processor.js";
import { HttpClient } from "../../src/service/http/http-client.js";
import { ProgramRegistryClient } from "../../src/service/program-registry.js";
import { StateServerClient } from "../../src/service/state-server.js";
import { StorageProofClient } from "../../src/service/storage-proof.js";
import { readInjectedState } from "../../src/tasks/modules/injected-state-files.js";
import { fakeClock } from "../support/fake-clock.js";
import { filling, type LongText, written } from "./long-text.js";
import type { Reply } from "./reply-server.js";

/** Prepares an input; the function it returns is measured. */
type Prepare = () => Promise<() => unknown>;

const MIB = 2 ** 20;
const KEY = "sk_live-7Qm4Zt9.Xw2Ea8";
const BLOCK = 7n;
const ADDRESS = `0x${"17".repeat(20)}` as const;
const SLOT = `0x${"00".repeat(32)}` as const;

let server: ChildProcess | undefined;

async function served(text: LongText, status: number): Promise<string> {
  server ??= fork(new URL("reply-server.ts", import.meta.url), { execArgv: process.execArgv });
  server.send({ status, text } satisfies Reply);
  const [port] = (await once(server, "message")) as [number];
  return `http://127.0.0.1:${port}/`;
}

/** A node that answers every call with one text. */
function node(
  text: LongText,
  read: (reads: ReturnType<typeof httpReads>) => unknown,
  status = 200,
): Prepare {
  return async () => {
    const url = await served(text, status);
    return () => read(httpReads({ url: () => Promise.resolve(url) }));
  };
}

/** A node's answer to one call. */
const result = (bytes: number, unit: string, head: string, tail: string): LongText =>
  filling(bytes, unit, `{"jsonrpc":"2.0","id":1,"result":${head}`, `${tail}}`);

const header = async (reads: ReturnType<typeof httpReads>): Promise<unknown> =>
  await new ProvenChainReader(reads).header(BLOCK);
const code = async (reads: ReturnType<typeof httpReads>): Promise<unknown> =>
  await new ProvenChainReader(reads, { prove: "never" }).code(BLOCK, ADDRESS);
const slot = async (reads: ReturnType<typeof httpReads>): Promise<unknown> =>
  await new ProvenChainReader(reads, { prove: "never" }).storage(BLOCK, ADDRESS, SLOT);
const call = async (reads: ReturnType<typeof httpReads>): Promise<unknown> =>
  await reads.request({ method: "eth_call", params: [] });

/** A node's answer of so many values. */
const inside = (times: number, unit: string, head: string, tail: string): LongText => ({
  head: `{"jsonrpc":"2.0","id":1,"result":${head}`,
  unit,
  times,
  tail: `${tail}}`,
});

/** An object of so many different names. */
function names(head: string, count: number, tail: string, read: (url: string) => unknown): Prepare {
  return async () => {
    const unit = `${[...pieces(count, (at) => `"n${at}":0`)].join("")},`;
    const url = await served({ head, unit, times: 1, tail }, 200);
    return () => read(url);
  };
}

/** A service that answers every call with one text. */
function service(text: LongText, use: (http: HttpClient) => unknown, status = 200): Prepare {
  return async () => {
    const url = await served(text, status);
    const apiKey = (): Promise<string> => Promise.resolve(KEY);
    const retry = { attempts: 1 };
    return async () =>
      await use(new HttpClient({ service: "the service", url, apiKey, retry, clock: fakeClock() }));
  };
}

const status =
  (edition: keyof typeof EDITIONS) =>
  (http: HttpClient): unknown =>
    new RemoteDataProcessor({ http, edition: EDITIONS[edition]({}) }).status({ id: "1" });
const preimage = (http: HttpClient): unknown => new ModuleTasksClient(http).outputPreimage("1");
const listed = (http: HttpClient): unknown => new ModuleTasksClient(http).list();
const queries = (http: HttpClient): unknown => new StorageProofClient(http).getQueries("1");
const orders = (http: HttpClient): unknown => new StorageProofClient(http).growOrders();
const proved = (http: HttpClient): unknown => new StateServerClient(http).prove(1n, 2n, 3n);
const metadata = (http: HttpClient): unknown =>
  new ProgramRegistryClient({ submit: http, metadata: http }).metadata("0x1");

const SERVICE_BYTES = 16 * MIB - 16;
const NODE_BYTES = 32 * MIB - 16;

const text = (of: LongText, use: (text: string) => unknown): Prepare => {
  return async () => {
    const whole = written(of);
    return () => use(whole);
  };
};

const CLASS_HEAD =
  '{"prime":"0x800000000000011000000000000000000000000000000000000000000000001","compiler_version":"2.8.0",' +
  '"entry_points_by_type":{"EXTERNAL":[],"L1_HANDLER":[],"CONSTRUCTOR":[]},';
const CLASS_BYTES = 64 * MIB - 16;
const hashed = (whole: string): unknown => programHash(parseCompiledClassText(whole));

function nestedStructs(depth: number, members: number): unknown[] {
  const structs = Array.from({ length: depth }, (_, level) => ({
    type: "struct",
    name: level === 0 ? "m::HDP" : `m::S${level}`,
    members: Array.from({ length: members }, (_unused, at) => ({
      name: `m${at}`,
      type: level === depth - 1 ? "core::felt252" : `m::S${level + 1}`,
    })),
  }));
  const inputs = [
    { name: "hdp", type: "m::HDP" },
    { name: "value", type: "core::felt252" },
  ];
  return [...structs, { type: "function", name: "main", inputs, outputs: [] }];
}

const ZERO = `0x${"00".repeat(32)}` as const;
const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

function headerOf(number: number, parent: Hex): Hex {
  const numbers = ["0x", "0x", integerItem(BigInt(number)), "0x", "0x", "0x", "0x"] as const;
  const [difficulty, ...others] = numbers;
  const roots = [EMPTY_ROOT, EMPTY_ROOT, EMPTY_ROOT] as const;
  return encodeRlp([
    parent,
    ZERO,
    ADDRESS,
    ...roots,
    "0x",
    difficulty,
    ...others.slice(1),
    ZERO,
    `0x${"00".repeat(8)}`,
  ]);
}

/** A fixture of one chain, of state without accounts. The members of its first block are made by number. */
function recording(
  entries: number,
  of: "blocks" | "accounts" | "slots" | "transactions" | "nodes",
  make: (at: number) => string = String,
): () => Promise<() => unknown> {
  const members = (name: string) => (of === name ? pieces(entries, make) : []);
  let parent: Hex = ZERO;
  const block = (at: number, accounts: Pieces = [], transactions: Pieces = []): Pieces => {
    const header = headerOf(7 + at, parent);
    parent = keccak256(hexToBytes(header));
    const start = `${at === 0 ? "" : ","}{"number":${7 + at},"hash":"${parent}","header":"${header}","accounts":[`;
    return [start, ...accounts, '],"transactions":[', ...transactions, '],"receipts":[]}'];
  };
  const whole = function* (): Generator<string> {
    yield '{"format":"hardhat-hdp recording","version":1,"taskHashes":[],"chains":[{"chain":"ETHEREUM_SEPOLIA",';
    yield '"nodeChainId":"11155111","blocks":[';
    const slots = [`{"address":"${ADDRESS}","slots":[`, ...members("slots"), "]}"];
    yield* block(0, of === "slots" ? slots : members("accounts"), members("transactions"));
    for (let at = 1; of === "blocks" && at < entries; at += 1) yield* block(at);
    yield '],"nodes":[';
    yield* members("nodes");
    yield "]}]}";
  };
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), "limits-"));
    await writeFile(join(folder, "recording.json"), whole());
    return async () => {
      const text = await readTextFile(join(folder, "recording.json"), MAX_FIXTURE_BYTES);
      await rm(folder, { recursive: true });
      return await openRecording(parseRecordingText(text));
    };
  };
}

/** A file of so many leaves of one trie, and the trie made of them. */
function leaves(count: number, key: (at: number) => bigint): Prepare {
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), "limits-"));
    const entries = pieces(count, (at) => `"0x${key(at).toString(16)}":"0x1"`);
    const files = [join(folder, "labels.json"), join(folder, "leaves.json")] as const;
    await writeFile(files[0], '{"l":"0x0"}');
    await writeFile(files[1], ['{"l":{', ...entries, "}}"]);
    return async () => {
      const start = await readInjectedState(...files, folder).finally(async () => {
        await rm(folder, { recursive: true });
      });
      return new InjectedState(injectedStart(start));
    };
  };
}

type Pieces = Iterable<string>;

/** The members of a list, a thousand at a time. */
function* pieces(count: number, make: (at: number) => string): Generator<string> {
  for (let start = 0; start < count; start += 1000) {
    const length = Math.min(1000, count - start);
    yield (start === 0 ? "" : ",") + Array.from({ length }, (_, at) => make(start + at)).join(",");
  }
}

const word = (at: number): string => `"0x${at.toString(16).padStart(64, "0")}"`;
const accountAt = (at: number): string =>
  `{"address":"0x${at.toString(16).padStart(40, "0")}","slots":[]}`;

/** Replies and files at their documented limits, by name. */
export const cases: Readonly<Record<string, Prepare>> = {
  "node: empty objects as the answer": node(filling(NODE_BYTES, "{},", "[", "{}]"), header),
  "node: empty objects as the block": node(result(NODE_BYTES, "{},", "[", "{}]"), header),
  "node: empty objects as transactions": node(
    result(NODE_BYTES, "{},", '{"transactions":[', "{}]}"),
    header,
  ),
  "node: open brackets": node(filling(NODE_BYTES, "["), header),
  "node: blanks": node(filling(NODE_BYTES, " "), header),
  "node: one number of many digits": node(result(NODE_BYTES, "7", "", ""), slot),
  "node: hex digits as a quantity": node(result(NODE_BYTES, "7", '{"number":"0x', '"}'), header),
  "node: hex digits as code": node(result(NODE_BYTES, "77", '"0x', '"'), code),
  "node: hex digits as a stored word": node(result(NODE_BYTES, "77", '"0x', '"'), slot),
  "node: objects up to the limit": node(
    inside(499_000, "{},", '{"transactions":[', "{}]}"),
    header,
  ),
  "node: names up to the limit": names(
    '{"jsonrpc":"2.0","id":1,"result":{',
    480_000,
    '"x":0}}',
    (url) => header(httpReads({ url: () => Promise.resolve(url) })),
  ),
  "node: errors up to the limit": node(
    {
      head: '{"jsonrpc":"2.0","id":1,"error":[',
      unit: '"https://x y",',
      times: 990_000,
      tail: "{}]}",
    },
    header,
  ),
  "node: escapes as text": node(result(NODE_BYTES, "\\u0041", '"', '"'), slot),
  "node: a long message of an error": node(
    filling(
      NODE_BYTES,
      "https://x ",
      '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"',
      '"}}',
    ),
    header,
  ),
  "node: an error that is a list": node(
    filling(NODE_BYTES, "{},", '{"jsonrpc":"2.0","id":1,"error":[', "{}]}"),
    header,
  ),
  "node: a failing status with a long page": node(filling(NODE_BYTES, "<p>"), header, 500),
  "node: long data of an error": node(
    filling(
      NODE_BYTES,
      "{},",
      '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"m","data":[',
      "{}]}}",
    ),
    call,
  ),
  "node: nodes of a proof": node(
    result(NODE_BYTES, '"0x80",', '{"accountProof":[', '"0x80"],"storageProof":[]}'),
    async (reads) =>
      await new ProvenChainReader(reads, { prove: "require" }).account(BLOCK, ADDRESS),
  ),
  "starknet node: empty objects as transactions": node(
    result(NODE_BYTES, "{},", '{"transactions":[', "{}]}"),
    async (reads) =>
      await createStarknetRpcReader(
        async (method, params) => await reads.request({ method, params: [params] }),
      ).header(BLOCK, "stateRoot"),
  ),
  "service: empty objects": service(filling(SERVICE_BYTES, "{},", "[", "{}]"), status("tasks")),
  "service: empty objects beside the key": service(
    filling(SERVICE_BYTES, "{},", `{"k":"${KEY}","status":"x","l":[`, "{}]}"),
    status("tasks"),
  ),
  "service: the key over and over": service(
    filling(SERVICE_BYTES, `${KEY} `, '{"status":"', '"}'),
    status("tasks"),
  ),
  "service: the key over and over, in a page": service(
    filling(SERVICE_BYTES, `<p>${KEY}`),
    status("tasks"),
  ),
  "service: the key as names": service(
    filling(SERVICE_BYTES, `{"${KEY}":0},`, "[", "{}]"),
    status("batch"),
  ),
  "service: percent signs": service(
    filling(SERVICE_BYTES, "%41", '{"status":"', '"}'),
    status("tasks"),
  ),
  "service: blanks": service(filling(SERVICE_BYTES, " "), status("tasks")),
  "service: open brackets": service(filling(SERVICE_BYTES, "["), status("tasks")),
  "service: open styles of a page": service(
    filling(SERVICE_BYTES, "<style>"),
    status("tasks"),
    500,
  ),
  "service: one number of many digits": service(
    filling(SERVICE_BYTES, "7", '{"taskId":"x","outputPreimage":', "}"),
    preimage,
  ),
  "service: one number of many digits as text": service(
    filling(SERVICE_BYTES, "7", '{"taskId":"x","outputPreimage":["', '"]}'),
    preimage,
  ),
  "service: numbers where texts belong": service(
    filling(SERVICE_BYTES, "7,", '{"taskId":"x","outputPreimage":[', "7]}"),
    preimage,
  ),
  "service: rows that are none": service(
    filling(SERVICE_BYTES, "{},", '{"tasks":[', '{}],"pagination":{}}'),
    listed,
  ),
  "service: queries that are none": service(
    filling(SERVICE_BYTES, "{},", '{"queries":[', "{}]}"),
    queries,
  ),
  "service: grow orders": service(filling(SERVICE_BYTES, '{"a":0},', "[", "{}]"), orders),
  "service: wrong texts up to the limit": service(
    { head: '{"taskId":"x","outputPreimage":[', unit: "7,", times: 199_000, tail: "7]}" },
    preimage,
  ),
  "service: wrong rows up to the limit": service(
    { head: '{"tasks":[', unit: "{},", times: 99_000, tail: '{}],"pagination":{}}' },
    listed,
  ),
  "service: wrong queries up to the limit": service(
    { head: '{"queries":[', unit: "{},", times: 99_000, tail: "{}]}" },
    queries,
  ),
  "service: keys up to the limit": service(
    { head: "[", unit: `{"${KEY} ${KEY}":"${KEY}"},`, times: 99_000, tail: "0]" },
    orders,
  ),
  "service: a long layout": service(
    filling(SERVICE_BYTES, "x", '{"version":2,"layout":"', '"}'),
    metadata,
  ),
  "state server: a long path": service(
    filling(
      SERVICE_BYTES,
      "255,",
      '{"state_proofs":[{"Read":{"trie_root":"0x2","state_proof":[{"Edge":{"child":"0x1","path":[',
      '1],"bit_len":9}}],"leaf":{"key":"0x3","data":{"value":"0x1"}}}}]}',
    ),
    proved,
  ),
  "state server: many nodes": service(
    filling(
      SERVICE_BYTES,
      '{"Binary":{"left":"0x1","right":"0x2"}},',
      '{"state_proofs":[{"Read":{"trie_root":"0x2","state_proof":[',
      '{}],"leaf":{"key":"0x3","data":{"value":"0x1"}}}}]}',
    ),
    proved,
  ),
  "state server: nodes up to the limit": service(
    {
      head: '{"state_proofs":[{"Read":{"trie_root":"0x2","state_proof":[',
      unit: '{"Edge":{"child":"0x1","path":[256],"bit_len":9}},',
      times: 33_000,
      tail: '{}],"leaf":{"key":"0x3","data":{"value":"0x1"}}}}]}',
    },
    proved,
  ),
  "ABI: 24 nested structs, the size": async () => {
    const whole = nestedStructs(24, 2);
    return () => leadingFelts(parseAbi(whole));
  },
  "ABI: 24 nested structs, arguments": async () => {
    const whole = nestedStructs(24, 2);
    return () => encodeArguments(parseAbi(whole), { value: 1 });
  },
  "ABI: 90 nested structs of 1000 members": async () => {
    const whole = nestedStructs(90, 1000);
    return () => decodeInputs(parseAbi(whole), [{ visibility: "public", value: "0x1" }]);
  },
  "ABI: a name of open brackets": async () => {
    const type = `${"core::array::Array::<".repeat(90)}core::felt252`;
    const whole = [
      { type: "struct", name: "m::HDP", members: [{ name: "a", type: "core::felt252" }] },
      {
        type: "function",
        name: "main",
        inputs: [
          { name: "hdp", type: "m::HDP" },
          ...Array.from({ length: 999 }, (_, at) => ({
            name: `p${at}`,
            type: `${type}${at}${">".repeat(90)}`,
          })),
        ],
        outputs: [],
      },
    ];
    return () => decodeInputs(parseAbi(whole), [{ visibility: "public", value: "0x1" }]);
  },
  "ABI: names of nested tuples": async () => {
    const tuple = (at: number): string =>
      `${"(".repeat(90)}${"core::felt252,".repeat(115)}[core::felt252;${at}]${")".repeat(90)}`;
    const members = Array.from({ length: 250 }, (_, at) => ({ name: `p${at}`, type: tuple(at) }));
    const whole = [
      { type: "struct", name: "m::HDP", members },
      { type: "function", name: "main", inputs: [{ name: "hdp", type: "m::HDP" }], outputs: [] },
    ];
    return () => leadingFelts(parseAbi(whole));
  },
  "class: a million empty segments": text(
    filling(
      2 * MIB,
      "0,",
      `${CLASS_HEAD}"bytecode":["0x1"],"hints":[],"bytecode_segment_lengths":[1,`,
      "0]}",
    ),
    hashed,
  ),
  "class: nested empty segments": text(
    filling(
      CLASS_BYTES,
      "[],",
      `${CLASS_HEAD}"bytecode":["0x1"],"hints":[],"bytecode_segment_lengths":[1,`,
      "0]}",
    ),
    hashed,
  ),
  "class: felts up to the limit": text(
    {
      head: `${CLASS_HEAD}"hints":[],"bytecode_segment_lengths":[380002,${"1,".repeat(19_997)}0],"bytecode":[`,
      unit: `"0x${"7".repeat(62)}",`,
      times: 399_998,
      tail: '"0x1"]}',
    },
    hashed,
  ),
  "class: hints up to the limit": text(
    {
      head: `${CLASS_HEAD}"bytecode":["0x1"],"hints":[[0,[`,
      unit: '{"a":{}},',
      times: 330_000,
      tail: '"a"]]]}',
    },
    hashed,
  ),
  "class: a million felts": text(
    filling(6 * 999_000, '"0x1",', `${CLASS_HEAD}"hints":[],"bytecode":[`, '"0x1"]}'),
    hashed,
  ),
  "class: values that are no felts": text(
    filling(CLASS_BYTES, "{},", `${CLASS_HEAD}"hints":[],"bytecode":[`, '"0x1"]}'),
    hashed,
  ),
  "class: hints of the first instruction": text(
    filling(CLASS_BYTES, '"a",', `${CLASS_HEAD}"bytecode":["0x1"],"hints":[[0,[`, '"a"]]]}'),
    hashed,
  ),
  "class: unknown members": text(filling(CLASS_BYTES, "{},", `${CLASS_HEAD}"x":[`, "{}]}"), hashed),
  "class: blanks": text(filling(CLASS_BYTES, " ", "{", "}"), hashed),
  "recording: accounts of one block": recording(37_000, "accounts", accountAt),
  "recording: slots of one account": recording(149_000, "slots", word),
  "recording: transactions of one block": recording(149_000, "transactions"),
  "recording: blocks": recording(14_500, "blocks"),
  "recording: nodes": recording(
    54_000,
    "nodes",
    (at) => `"0x${at.toString(16).padStart(1024, "0")}"`,
  ),
  "recording: empty objects": text(
    filling(
      64 * MIB,
      "{},",
      '{"format":"hardhat-hdp recording","version":1,"taskHashes":[],"chains":[',
      "{}]}",
    ),
    (whole) => parseRecordingText(whole),
  ),
  "leaves: of equal hashes up to the limit": leaves(49_000, (at) => BigInt(at) << 66n),
  "leaves: of shared prefixes up to the limit": leaves(
    49_000,
    (at) => (1n << BigInt(at % 250)) + BigInt(at >> 8),
  ),
  "leaves: more than the limit": leaves(400_000, BigInt),
  "tasks: inputs up to the limit": text(
    {
      head: '{"destinationChainId":"ETHEREUM_SEPOLIA","tasks":[{"type":"Module","programHash":"0x1","inputs":[',
      unit: '{"visibility":"public","value":"0x1"},',
      times: 160_000,
      tail: '{"visibility":"public","value":"0x1"}]}]}',
    },
    (whole) => parseTaskRequestText(whole),
  ),
  "tasks: wrong tasks up to the limit": text(
    {
      head: '{"destinationChainId":"ETHEREUM_SEPOLIA","tasks":[',
      unit: "{},",
      times: 249_000,
      tail: "{}]}",
    },
    (whole) => parseTaskRequestText(whole, { maxErrors: 100 }),
  ),
  "tasks: empty objects": text(filling(16 * MIB, "{},", '{"tasks":[', "{}]}"), (whole) =>
    parseTaskRequestText(whole),
  ),
  "tasks: numbers of many digits": text(filling(16 * MIB, "7", '{"tasks":[', "]}"), (whole) =>
    parseTaskRequestText(whole),
  ),
};

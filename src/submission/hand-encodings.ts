import type { Hex } from "viem";

import { keccakBytes } from "../base/keccak.js";
import { formatSampledProperty } from "../request/sampled-property.js";
import { standardCall } from "../request/standard-programs.js";
import { hasModuleForm, type TaskForm } from "../request/task-form.js";
import { encodeCompute, encodeDatalake, encodeSampledProperty } from "../request/task-hash.js";
import type { DatalakeComputeTask, Task } from "../request/task.js";

/** What a contract hashes that makes a task's hash by hand, and how that is encoded. */
export interface HandEncoding {
  readonly bytes: Buffer;
  readonly text: string;
}

/** A part of what is hashed; without a text where it is as it should be. */
interface Part {
  readonly bytes: Buffer;
  readonly text?: string | undefined;
}

/** Returns what is hashed of a task, encoded in the wrong ways that come to mind. */
export function* handEncodings(task: Task, form: TaskForm): Generator<HandEncoding> {
  if (task.type === "Module") {
    const given = task.inputs.filter(({ visibility }) => visibility === "public");
    yield* ofCall(
      BigInt(task.programHash),
      given.map(({ value }) => BigInt(value)),
    );
    return;
  }
  if (form === "module" && hasModuleForm(task)) {
    const { programHash, felts } = standardCall(task);
    yield* ofCall(BigInt(programHash), felts);
    return;
  }
  yield* ofDatalake(task);
}

const WORD = 32;

function hexBytes(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

function bytesOf(value: bigint, length = WORD): Buffer {
  const digits = value.toString(16).padStart(length * 2, "0");
  return Buffer.from(digits.slice(-length * 2), "hex");
}

function words(...values: readonly bigint[]): Buffer {
  return Buffer.concat(values.map((value) => bytesOf(value)));
}

function join(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts);
}

function hashed(bytes: Uint8Array): Buffer {
  return Buffer.from(keccakBytes(bytes));
}

/** `bytes` as abi.encode has them behind the words: their length, and zeros up to a word. */
function dynamic(bytes: Buffer): Buffer {
  const padding = (WORD - (bytes.length % WORD)) % WORD;
  return join(words(BigInt(bytes.length)), bytes, Buffer.alloc(padding));
}

/** abi.encode of words and `bytes`. */
function encoded(numbers: readonly bigint[], bytes: Buffer): Buffer {
  return join(words(...numbers, BigInt(WORD * (numbers.length + 1))), dynamic(bytes));
}

/** Encodings that are wrong in one place, then those in two. */
function* ofDatalake(task: DatalakeComputeTask): Generator<HandEncoding> {
  const [datalakes, functions] = [distinct(datalakeParts(task)), distinct(computeParts(task))];
  yield* ofStructs(task);
  for (const datalake of datalakes)
    yield { bytes: datalake.bytes, text: textOf(datalake, "the hash of the datalake alone") };
  for (const count of [1, 2])
    for (const datalake of datalakes)
      for (const compute of functions) yield* wholes(datalake, compute, count);
}

/** Encodings of datalake and function that are wrong in a number of places. */
function* wholes(datalake: Part, compute: Part, count: number): Generator<HandEncoding> {
  for (const [text, whole] of WHOLES) {
    const texts = [datalake.text, compute.text, text].flatMap((one) => one ?? []);
    if (texts.length === count)
      yield { bytes: whole(datalake.bytes, compute.bytes), text: texts.join(", ") };
  }
}

/** Returns each of the parts once: without operator and value, some are the same bytes. */
function distinct(parts: Iterable<Part>): readonly Part[] {
  const byBytes = new Map<string, Part>();
  for (const part of parts) {
    const digits = part.bytes.toString("hex");
    if (!byBytes.has(digits)) byBytes.set(digits, part);
  }
  return [...byBytes.values()];
}

function textOf({ text }: Part, ...others: readonly string[]): string {
  return [...(text === undefined ? [] : [text]), ...others].join(", ");
}

/** The numbers of a datalake, the code of its type first. */
function numbersOf({ datalake }: DatalakeComputeTask): readonly bigint[] {
  const bytes = hexBytes(encodeDatalake(datalake));
  const count = datalake.type === "BlockSampled" ? 5 : 7;
  return Array.from({ length: count }, (_, at) =>
    BigInt(`0x${bytes.toString("hex", at * WORD, (at + 1) * WORD)}`),
  );
}

function* datalakeParts(task: DatalakeComputeTask): Generator<Part> {
  const { datalake } = task;
  const numbers = numbersOf(task);
  const [code = 0n, chain = 0n, ...others] = numbers;
  const withoutCode = [chain, ...others];
  const property = hexBytes(encodeSampledProperty(datalake.sampledProperty));
  yield { bytes: encoded(numbers, property) };
  for (const one of propertyParts(task))
    yield { bytes: encoded(numbers, one.bytes), text: one.text };
  yield* encodedDatalakes(numbers, property).filter(({ text }) => text !== undefined);
  yield { bytes: encoded([code, ...others], property), text: "the datalake without chain id" };
  yield { bytes: encoded(others, property), text: "the datalake without type and chain id" };
  yield {
    bytes: encoded([1n - code, ...withoutCode], property),
    text: "the code of the other type of datalake",
  };
  yield {
    bytes: join(words(code, 64n), encoded(withoutCode, property)),
    text: "abi.encode(type, datalake) of the struct",
  };
  yield {
    bytes: join(words(32n), encoded(withoutCode, property)),
    text: "abi.encode(datalake) of the struct, without its type",
  };
}

function encodedDatalakes(numbers: readonly bigint[], property: Buffer): readonly Part[] {
  const [code = 0n, ...others] = numbers;
  return [
    { bytes: encoded(numbers, property) },
    { bytes: encoded(others, property), text: "the datalake without its type" },
    { bytes: join(words(...numbers), property), text: "abi.encodePacked of the datalake" },
    {
      bytes: join(bytesOf(code, 1), words(...others), property),
      text: "abi.encodePacked of the datalake, its type in a byte",
    },
    {
      bytes: join(words(...others), property),
      text: "abi.encodePacked of the datalake, without its type",
    },
    { bytes: join(words(...numbers), hashed(property)), text: "the property hashed" },
    {
      bytes: join(words(...numbers), property, Buffer.alloc(64)).subarray(
        0,
        WORD * (numbers.length + 1),
      ),
      text: "the property as a bytes32",
    },
  ];
}

/** One more than kinds of properties have. */
const LAST_KIND = 4;

/** A property in other bytes: text, words, other orders and lengths. */
function* propertyParts({
  datalake: { sampledProperty: property },
}: DatalakeComputeTask): Generator<Required<Part>> {
  const right = hexBytes(encodeSampledProperty(property));
  const [kind = 0] = right;
  const rest = right.subarray(1);
  const text = Buffer.from(formatSampledProperty(property));
  yield { bytes: text, text: "the property as text" };
  if ("field" in property) yield { bytes: Buffer.from(property.field), text: "the field as text" };
  yield { bytes: rest, text: "the property without its kind" };
  for (let other = 0; other <= LAST_KIND; other++) {
    const bytes = join(Buffer.from([other]), rest);
    if (other !== kind)
      yield {
        bytes,
        text: `the property's kind ${other} instead of ${kind}, 0x${bytes.toString("hex")}`,
      };
  }
  const parts = property.kind === "storage" || property.kind === "account" ? [20] : [];
  const operands = [
    ...parts.map((length) => rest.subarray(0, length)),
    rest.subarray(parts[0] ?? 0),
  ];
  const wide = [Buffer.from([kind]), ...operands].map((one) => join(Buffer.alloc(WORD), one));
  const inWords = wide.map((one) => one.subarray(-WORD));
  yield { bytes: join(...inWords), text: "abi.encode of the property" };
  yield {
    bytes: join(Buffer.from([kind]), ...inWords.slice(1)),
    text: "the property's parts in words",
  };
  if (operands.length < 2) return;
  yield {
    bytes: join(Buffer.from([kind]), ...operands.toReversed()),
    text: "the property's parts in another order",
  };
  for (const length of [1, 2, 4, 8, 12, 16, 20]) {
    const [address = Buffer.alloc(0), last = Buffer.alloc(0)] = operands;
    if (length < last.length)
      yield {
        bytes: join(Buffer.from([kind]), address, last.subarray(-length)),
        text: `the slot in ${length} bytes`,
      };
  }
}

function computeParts({ compute }: DatalakeComputeTask): readonly Part[] {
  const bytes = hexBytes(encodeCompute(compute));
  const [fn = bytes, operator = bytes, value = bytes] = [0, 1, 2].map((at) =>
    bytes.subarray(at * WORD, (at + 1) * WORD),
  );
  const [fnByte, operatorByte] = [fn.subarray(-1), operator.subarray(-1)];
  return [
    { bytes },
    { bytes: join(fnByte, operatorByte, value), text: "abi.encodePacked of the function" },
    { bytes: fn, text: "the function without operator and value" },
    { bytes: fnByte, text: "the function in a byte, without operator and value" },
    { bytes: join(fnByte, operatorByte), text: "function and operator in a byte, without value" },
    { bytes: join(fn, operator), text: "the function without value" },
    { bytes: join(fn, value), text: "the function without operator" },
    { bytes: join(fn, value, operator), text: "the value before the operator" },
    { bytes: join(operator, fn, value), text: "the operator before the function" },
  ];
}

/** How datalake and function are put together, the right way first. */
const WHOLES: readonly (readonly [
  text: string | undefined,
  whole: (datalake: Buffer, compute: Buffer) => Buffer,
])[] = [
  [undefined, (datalake, compute) => join(hashed(datalake), compute)],
  ["the function before the datalake", (datalake, compute) => join(compute, hashed(datalake))],
  ["the function hashed", (datalake, compute) => join(hashed(datalake), hashed(compute))],
  [
    "the function hashed, before the datalake",
    (datalake, compute) => join(hashed(compute), hashed(datalake)),
  ],
  [
    "abi.encode of the datalake's hash and the function as bytes",
    (datalake, compute) => join(hashed(datalake), words(64n), dynamic(compute)),
  ],
  [
    "abi.encodePacked of both: the datalake not hashed",
    (datalake, compute) => join(datalake, compute),
  ],
  [
    "abi.encode of datalake and function as bytes: the datalake not hashed",
    (datalake, compute) => {
      const both = dynamic(datalake);
      return join(words(64n, BigInt(64 + both.length)), both, dynamic(compute));
    },
  ],
  ["hashed twice", (datalake, compute) => hashed(join(hashed(datalake), compute))],
];

/** abi.encode of the structs as they are. */
function* ofStructs(task: DatalakeComputeTask): Generator<HandEncoding> {
  const property = hexBytes(encodeSampledProperty(task.datalake.sampledProperty));
  const compute = hexBytes(encodeCompute(task.compute));
  const datalake = encoded(numbersOf(task).slice(1), property);
  const both = join(words(BigInt(4 * WORD)), compute, datalake);
  yield { bytes: both, text: "abi.encode(datalake, compute) of the structs" };
  yield { bytes: join(words(32n), both), text: "abi.encode of a struct of datalake and compute" };
  const swapped = join(compute, words(BigInt(4 * WORD)), datalake);
  yield { bytes: swapped, text: "abi.encode(compute, datalake) of the structs" };
  yield { bytes: compute, text: "the function alone" };
}

/** Bits of packed numbers by their size: `uint8` to `uint256`. */
const PACKED_LENGTHS = [1, 2, 4, 8, 16];

function* ofCall(programHash: bigint, inputs: readonly bigint[]): Generator<HandEncoding> {
  const [program, list] = [words(programHash), words(...inputs)];
  const length = words(BigInt(inputs.length));
  const right = join(program, words(64n), length, list);
  yield { bytes: join(program, list), text: "abi.encodePacked" };
  yield { bytes: join(words(32n), right), text: "abi.encode(task) of the struct" };
  yield {
    bytes: join(program, length, list),
    text: "abi.encodePacked(programHash, length, inputs)",
  };
  yield {
    bytes: join(words(64n), program, length, list),
    text: "abi.encode(inputs, programHash)",
  };
  yield { bytes: join(list, program), text: "abi.encodePacked(inputs, programHash)" };
  yield {
    bytes: join(words(32n), length, list),
    text: "abi.encode(inputs), without the program hash",
  };
  yield { bytes: list, text: "abi.encodePacked(inputs), without the program hash" };
  yield {
    bytes: join(program, hashed(list)),
    text: "abi.encode(programHash, keccak256 of the inputs)",
  };
  yield {
    bytes: join(program, hashed(join(words(32n), length, list))),
    text: "abi.encode(programHash, keccak256(abi.encode(inputs)))",
  };
  const bytes = join(words(32n), length, list);
  yield {
    bytes: join(program, words(64n), dynamic(bytes)),
    text: "abi.encode(programHash, abi.encode(inputs))",
  };
  yield {
    bytes: join(program, words(64n), dynamic(list)),
    text: "abi.encode(programHash, inputs) of inputs as bytes",
  };
  yield { bytes: join(program, bytes), text: "abi.encodePacked(programHash, abi.encode(inputs))" };
  yield { bytes: hashed(right), text: "hashed twice" };
  yield { bytes: program, text: "the program hash alone" };
  for (const size of PACKED_LENGTHS) {
    const packed = inputs.map((input) => packedInput(input, size));
    yield {
      bytes: join(program, ...packed),
      text: `abi.encodePacked, accounts in 20 bytes and numbers in ${size}`,
    };
  }
  const accounts = join(program, ...inputs.map((input) => packedInput(input, WORD)));
  const text = "abi.encodePacked, accounts in 20 bytes";
  if (!accounts.equals(join(program, list))) yield { bytes: accounts, text };
}

/** An input by its type: an account in 20 bytes, a number in some, and what does not fit there in 32. */
function packedInput(input: bigint, size: number): Buffer {
  const isAccount = input >= 2n ** 64n && input < 2n ** 160n;
  if (isAccount) return bytesOf(input, 20);
  return input < 2n ** BigInt(8 * size) ? bytesOf(input, size) : bytesOf(input);
}

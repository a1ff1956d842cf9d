import type { Abi } from "../../src/program/abi/abi.js";

/** The data handle of the generations of late 2024, as the compiler writes it into an ABI: four felts. */
export const HANDLE = [
  {
    type: "struct",
    name: "hdp_cairo::RelocatableValue",
    members: [
      { name: "segment_index", type: "core::felt252" },
      { name: "offset", type: "core::felt252" },
    ],
  },
  {
    type: "struct",
    name: "hdp_cairo::EvmMemorizer",
    members: [{ name: "dict", type: "hdp_cairo::RelocatableValue" }],
  },
  {
    type: "struct",
    name: "hdp_cairo::StarknetMemorizer",
    members: [{ name: "dict", type: "hdp_cairo::RelocatableValue" }],
  },
  {
    type: "struct",
    name: "hdp_cairo::HDP",
    members: [
      { name: "evm", type: "hdp_cairo::EvmMemorizer" },
      { name: "starknet", type: "hdp_cairo::StarknetMemorizer" },
    ],
  },
] as const;

/** An ABI whose `main` takes the handle and the given parameters. */
export function abiWith(
  parameters: Readonly<Record<string, string>>,
  extra: Abi = [],
  returns?: string,
): Abi {
  const inputs = Object.entries(parameters).map(([name, type]) => ({ name, type }));
  return [
    ...HANDLE,
    ...extra,
    {
      type: "function",
      name: "main",
      inputs: [{ name: "hdp", type: "hdp_cairo::HDP" }, ...inputs],
      outputs: returns === undefined ? [] : [{ type: returns }],
    },
  ];
}

const MAIN = "0xe2054f8a912367e38a22ce773328ff8aabf8082c4120bad9ef085e1dbf29a7";

/** JSON of a small compiled class with `main`; the bytecode only returns. */
export function compiledJson(
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    prime: "0x800000000000011000000000000000000000000000000000000000000000001",
    compiler_version: "2.8.2",
    bytecode: ["0x208b7fff7fff7ffe", "0x2", "0x3", "0x208b7fff7fff7ffe"],
    bytecode_segment_lengths: [1, [2, 1]],
    hints: [[1, [{ AllocSegment: { dst: { register: "AP", offset: 0 } } }]]],
    entry_points_by_type: {
      EXTERNAL: [{ selector: MAIN, offset: 0, builtins: ["range_check", "poseidon"] }],
      L1_HANDLER: [],
      CONSTRUCTOR: [],
    },
    ...changes,
  };
}

/** JSON of a Sierra class beside {@link compiledJson}. */
export function sierraJson(
  abi: Abi,
  selectors: readonly string[] = [MAIN],
): Record<string, unknown> {
  const external = selectors.map((selector, index) => ({ selector, function_idx: index }));
  return {
    sierra_program: ["0x1"],
    contract_class_version: "0.1.0",
    entry_points_by_type: { EXTERNAL: external, L1_HANDLER: [], CONSTRUCTOR: [] },
    abi,
  };
}

import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { chainIdOf } from "../request/chains.js";
import { describeTask } from "../request/describe-task.js";
import { type AggregateFn, FIELD_NAMES } from "../request/fields.js";
import type { BlockProperty, Compute, Operator, Task } from "../request/task.js";

/** Writes the module of a datalake task: the same blocks, values and rounding, and the root over its value's halves. */
export function moduleOfTask(task: Task): {
  source: string;
  arguments: Readonly<Record<string, string>>;
} {
  if (task.type === "Module") throw notWritable("a module task");
  const { datalake, compute } = task;
  if (datalake.type !== "BlockSampled") throw notWritable("a task over a block's transactions");
  const { read, inputs } = readOf(datalake.sampledProperty);
  const {
    start,
    each,
    rounding = [],
    result = "result",
    adds = false,
  } = MODULE_STEPS[compute.aggregateFnId](compute);
  const compared =
    compute.aggregateFnId === "count" ? compute.aggregateFnCtx?.valueToCompare : undefined;
  const all: readonly (readonly [name: string, type: string, value: bigint | string])[] = [
    ["chain_id", "felt252", chainIdOf(datalake.chainId)],
    ["first_block", "u64", datalake.blockRangeStart],
    ["last_block", "u64", datalake.blockRangeEnd],
    ["step", "u64", datalake.increment],
    ...inputs,
    ...(compared === undefined ? [] : [["compared", "u256", compared] as const]),
  ];
  return {
    arguments: Object.fromEntries(all.map(([name, , value]) => [name, String(value)])),
    source: `// A module that computes what a datalake task does, over blocks that its arguments name.
pub mod hdp;
pub mod output;

#[starknet::contract]
pub mod Module {
${adds ? "    use core::num::traits::OverflowingAdd;\n" : ""}    use crate::hdp::{HDP, HDPTrait};
    use crate::output::marked_u256;

    #[storage]
    struct Storage {}

    /// ${describeTask(task).title}, over every \`step\`-th block from
    /// \`first_block\` to \`last_block\`, both included.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
${all.map(([name, type]) => `        ${name}: ${type},`).join("\n")}
    ) -> [felt252; 2] {
        assert(first_block <= last_block, 'no blocks in the range');
        assert(step != 0, 'the step is 0');
        let mut result: u256 = ${start};
        let mut samples: u256 = 0;
        let mut block = first_block;
        while block <= last_block {
            let value = ${read};
${each.map((line) => `            ${line}`).join("\n")}
            samples += 1;
            block += step;
        }
${rounding.map((line) => `        ${line}\n`).join("")}        marked_u256(${result})
    }
}
`,
  };
}

function notWritable(what: string): HdpError {
  return hdpError("HDP-1131", { what });
}

function readOf(property: BlockProperty) {
  if (property.kind === "header") {
    const id = FIELD_NAMES.header.indexOf(property.field);
    return { read: `hdp.header_field(${id}, chain_id, block)`, inputs: [] };
  }
  const account = ["account", "felt252", property.address] as const;
  if (property.kind === "storage") {
    const inputs = [account, ["slot", "u256", property.slot] as const];
    return { read: "hdp.storage_slot(chain_id, block, account, slot)", inputs };
  }
  const id = FIELD_NAMES.account.indexOf(property.field);
  return { read: `hdp.account_field(${id}, chain_id, block, account)`, inputs: [account] };
}

const SIGNS: Readonly<Record<Operator, string>> = {
  eq: "==",
  nq: "!=",
  gt: ">",
  gteq: ">=",
  lt: "<",
  lteq: "<=",
};
/** 2^256 - 1. */
const LARGEST = `0x${"f".repeat(64)}`;
/** Sums wrap at 2^256, as the task's do. */
const ADD = ["let (sum, _) = result.overflowing_add(value);", "result = sum;"];

/** How a function is written in Cairo. */
interface ModuleSteps {
  /** The result before the first value. */
  readonly start: string;
  /** Lines for each `value`. */
  readonly each: readonly string[];
  /** Lines after the last value. */
  readonly rounding?: readonly string[];
  /** The result after them, by default `result`. */
  readonly result?: string;
  /** Whether the lines use `OverflowingAdd`. */
  readonly adds?: boolean;
}

/** What rounds an average to the nearest, halves up. */
const ROUNDING = [
  "let rest = result % samples;",
  "let up: u256 = if rest != 0 && rest >= samples - rest {",
  "    1",
  "} else {",
  "    0",
  "};",
];

const MODULE_STEPS: Readonly<Record<AggregateFn, (compute: Compute) => ModuleSteps>> = {
  sum: () => ({ start: "0", each: ADD, adds: true }),
  avg: () => ({
    start: "0",
    each: ADD,
    rounding: ROUNDING,
    result: "result / samples + up",
    adds: true,
  }),
  min: () => ({ start: LARGEST, each: when("value < result", "result = value;") }),
  max: () => ({ start: "0", each: when("value > result", "result = value;") }),
  count: ({ aggregateFnCtx }) => {
    const sign = SIGNS[aggregateFnCtx?.operator ?? "eq"];
    return { start: "0", each: when(`value ${sign} compared`, "result += 1;") };
  },
};

function when(condition: string, then: string): readonly string[] {
  return [`if ${condition} {`, `    ${then}`, "}"];
}

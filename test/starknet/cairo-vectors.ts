import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { ACCOUNT_FIELDS, HEADER_FIELDS, RECEIPT_FIELDS, TRANSACTION_FIELDS } from "../../src/request/fields.js";

const folder = process.env["HDP_VECTORS"] ?? fileURLToPath(new URL("../../../shared/vectors", import.meta.url));

const moduleVectors = z.array(
  z.object({
    task: z.object({
      programHash: z.string(),
      inputs: z.array(z.object({ visibility: z.enum(["public", "private"]), value: z.string() })),
    }),
    expected: z.object({ taskCommitment: z.string(), encodedTask: z.string() }),
  }),
);
const count = z.number().int();
const typesVector = z.object({ legacy: z.boolean(), eip2930: z.boolean(), eip1559: z.boolean(), eip4844: z.boolean() });
const range = { chainId: z.literal("ETHEREUM_SEPOLIA"), increment: count, sampledProperty: z.string() };
const computeVector = z.object({
  aggregateFnId: z.string(),
  aggregateFnCtx: z.object({ operator: z.string(), valueToCompare: z.string() }).optional(),
});
const datalakeVectors = z.array(
  z.object({
    encodingVersion: z.string(),
    task: z.object({
      datalake: z.discriminatedUnion("type", [
        z.object({ type: z.literal("BlockSampled"), blockRangeStart: count, blockRangeEnd: count, ...range }),
        z.object({
          type: z.literal("TransactionsInBlock"),
          targetBlock: count,
          startIndex: count,
          endIndex: count,
          includedTypes: typesVector,
          ...range,
        }),
      ]),
      compute: computeVector,
    }),
    expected: z.object({ taskCommitment: z.string() }),
  }),
);
const rootVectors = z.object({
  moduleResultRoots: z.object({
    items: z.array(z.object({ returns: z.array(z.string()), resultWord: z.string() })),
  }),
});

/** A Cairo module with tests of the published vectors, or undefined where the vectors are not at hand. */
export function cairoVectorTests(): string | undefined {
  if (!existsSync(join(folder, "module-tasks.json"))) return undefined;
  return `pub mod vectors_test {
use crate::hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use crate::hardhat_hdp::datalake::{
    AggregateFn, BlockSampled, Compute, Datalake, IncludedTypes, Operator, SampledProperty, TransactionsInBlock,
    datalake_task_hash,
};
use crate::hardhat_hdp::output_root::output_root;
use crate::hardhat_hdp::task::module_task_hash;
${cairoTests("published_module_task", moduleAssertions().slice(0, MODULE_VECTORS))}
${cairoTests("published_datalake_task", datalakeAssertions())}
${cairoTests("published_output_root", rootAssertions())}
}`;
}

/** Compiling takes a part of a second for each: TypeScript's own tests go through all of them. */
const MODULE_VECTORS = 16;

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** A test for each vector: one function for many grows faster than the compiler's memory. */
function cairoTests(name: string, checks: readonly (readonly [hash: string, expected: string])[]): string {
  if (checks.length === 0) throw new Error(`No vectors for ${name} in ${folder}.`);
  return checks
    .map(([hash, expected], index) => {
      const body = `    let hash: u256 = ${hash};\n    assert(hash == ${expected}, 'hash');`;
      return `#[test]\nfn ${name}_${index + 1}() {\n${body}\n}`;
    })
    .join("\n");
}

function moduleAssertions(): [string, string][] {
  return moduleVectors.parse(read("module-tasks.json")).flatMap(({ task, expected }) => {
    // The first generation of vectors hashed private inputs too.
    if (task.inputs.some((input) => input.visibility === "private")) return [];
    const inputs = task.inputs.map((input) => input.value).join(", ");
    return [[`module_task_hash(${task.programHash}, array![${inputs}].span())`, expected.taskCommitment]];
  });
}

function datalakeAssertions(): [string, string][] {
  return datalakeVectors.parse(read("datalake-tasks.json")).flatMap(({ encodingVersion, task, expected }) => {
    const { datalake, compute } = task;
    if (encodingVersion !== "datalake-with-chainId" || !(compute.aggregateFnId in AGGREGATES)) return [];
    const shared = `chain_id: ${datalake.chainId}, increment: ${datalake.increment},
      sampled_property: ${propertyText(datalake.sampledProperty)},`;
    const text =
      datalake.type === "BlockSampled"
        ? `Datalake::BlockSampled(BlockSampled { ${shared} block_range_start: ${datalake.blockRangeStart},
          block_range_end: ${datalake.blockRangeEnd} })`
        : `Datalake::TransactionsInBlock(TransactionsInBlock { ${shared} target_block: ${datalake.targetBlock},
          start_index: ${datalake.startIndex}, end_index: ${datalake.endIndex},
          included_types: ${typesText(datalake.includedTypes)} })`;
    return [[`datalake_task_hash(${text}, ${computeText(compute)})`, expected.taskCommitment]];
  });
}

function rootAssertions(): [string, string][] {
  const { items } = rootVectors.parse(read("recomputed.json")).moduleResultRoots;
  return items.map(({ returns, resultWord }) => [`output_root(array![${returns.join(", ")}].span())`, resultWord]);
}

const AGGREGATES = { avg: "Avg", sum: "Sum", min: "Min", max: "Max", count: "Count" };

function computeText(compute: z.infer<typeof computeVector>): string {
  const context = compute.aggregateFnCtx ?? { operator: "none", valueToCompare: "0" };
  return `Compute { aggregate_fn: AggregateFn::${capital(compute.aggregateFnId)},
    operator: Operator::${capital(context.operator)}, value_to_compare: ${context.valueToCompare} }`;
}

function typesText(types: z.infer<typeof typesVector>): string {
  const { legacy, eip2930, eip1559, eip4844 } = types;
  return `IncludedTypes { legacy: ${legacy}, eip2930: ${eip2930}, eip1559: ${eip1559}, eip4844: ${eip4844} }`;
}

function propertyText(property: string): string {
  const [kind = "", first = "", second = ""] = property.split(".");
  const id = (fields: readonly string[], field: string): number => {
    const position = fields.indexOf(field);
    if (position < 0) throw new Error(`Unknown field in ${property}.`);
    return position;
  };
  if (kind === "header") return `SampledProperty::Header(${id(HEADER_FIELDS, first)})`;
  if (kind === "tx") return `SampledProperty::Tx(${id(TRANSACTION_FIELDS, first)})`;
  if (kind === "tx_receipt") return `SampledProperty::TxReceipt(${id(RECEIPT_FIELDS, first)})`;
  if (kind === "account")
    return `SampledProperty::Account((${first}.try_into().unwrap(), ${id(ACCOUNT_FIELDS, second)}))`;
  return `SampledProperty::Storage((${first}.try_into().unwrap(), ${second}))`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

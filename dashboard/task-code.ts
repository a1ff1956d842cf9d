import {
  numericChainId,
  checksumAddress,
  type Compute,
  type Datalake,
  type DatalakeComputeTask,
  describeTask,
  type SampledProperty,
  type TaskForm,
  taskRequest,
  toTaskRequestJson,
} from "hardhat-hdp/request";

/** Languages in which a task is written. */
export type Language = "JSON" | "TypeScript" | "Solidity" | "Cairo";

/** Returns a datalake task in each language, to be copied: a task file, a script, a contract and a function. */
export function writeTaskCode(
  task: DatalakeComputeTask,
  form: TaskForm,
): Readonly<Record<Language, string>> {
  return {
    JSON: writeJson(task),
    TypeScript: writeTypeScript(task),
    Solidity: writeSolidity(task, form),
    Cairo: writeCairo(task, form),
  };
}

function writeJson(task: DatalakeComputeTask): string {
  const $schema = "../node_modules/hardhat-hdp/task.schema.json";
  const request = toTaskRequestJson(taskRequest({ tasks: [task] }));
  return `${JSON.stringify(Object.assign({ $schema }, request), null, 2)}\n`;
}

/** Names of the builder's functions for properties. */
const BUILDERS = {
  header: "header",
  account: "account",
  storage: "storage",
  tx: "tx",
  tx_receipt: "txReceipt",
} as const;

function writeTypeScript({ datalake, compute }: DatalakeComputeTask): string {
  const { sampledProperty: property } = datalake;
  const sampler = datalake.type === "BlockSampled" ? "blockSampled" : "transactionsInBlock";
  const range =
    datalake.type === "BlockSampled"
      ? [`from: ${datalake.blockRangeStart}n`, `to: ${datalake.blockRangeEnd}n`]
      : [
          `block: ${datalake.targetBlock}n`,
          `from: ${datalake.startIndex}n`,
          `to: ${datalake.endIndex}n`,
        ];
  const options = [
    `chainId: "${datalake.chainId}"`,
    ...range,
    `increment: ${datalake.increment}n`,
    `property: ${BUILDERS[property.kind]}(${propertyOperands(property).join(", ")})`,
  ];
  const imports = [sampler, BUILDERS[property.kind]].toSorted().join(", ");
  return `import { ${imports} } from "hardhat-hdp/request";

export const task = ${sampler}({
${options.map((option) => `  ${option},\n`).join("")}}).${computeCall(compute)};
`;
}

function propertyOperands(property: SampledProperty): readonly string[] {
  if (property.kind === "storage") return [`"${property.address}"`, `"${property.slot}"`];
  if (property.kind === "account") return [`"${property.address}"`, `"${property.field}"`];
  return [`"${property.field}"`];
}

function computeCall({ aggregateFnId, aggregateFnCtx }: Compute): string {
  if (aggregateFnId !== "count" || aggregateFnCtx === undefined) return `${aggregateFnId}()`;
  return `count("${aggregateFnCtx.operator}", ${aggregateFnCtx.valueToCompare}n)`;
}

/** Enums of fields in Solidity, and the library's functions, by kind of property. */
const SOLIDITY = {
  header: { fields: "HeaderField", builder: "header" },
  account: { fields: "AccountField", builder: "account" },
  storage: { fields: undefined, builder: "storageSlot" },
  tx: { fields: "TransactionField", builder: "transaction" },
  tx_receipt: { fields: "ReceiptField", builder: "receipt" },
} as const;

/** Operators of task files that have another name in Solidity. */
const OPERATORS: Readonly<Record<string, string>> = { nq: "NEQ" };

function writeSolidity(task: DatalakeComputeTask, form: TaskForm): string {
  const { datalake, compute } = task;
  const isOfBlocks = datalake.type === "BlockSampled";
  const struct = isOfBlocks ? "BlockSampledDatalake" : "TransactionsInBlockDatalake";
  const { fields } = SOLIDITY[datalake.sampledProperty.kind];
  const types = ["AggregateFn", "ComputationalTask", "HdpForm", "HdpTask", "Operator", struct];
  if (fields !== undefined) types.push(fields);
  const { operator, valueToCompare } = compute.aggregateFnCtx ?? {};
  const operatorName =
    operator === undefined ? "NONE" : (OPERATORS[operator] ?? operator.toUpperCase());
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpSampledProperty} from "hardhat-hdp/contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {
${types
  .toSorted()
  .map((type) => `    ${type}`)
  .join(",\n")}
} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @notice Keeps the ${describeTask(task).title}.
contract Consumer {
    address public immutable store;
    HdpTask public task;
    uint256 public value;

    constructor(address executionStore) {
        store = executionStore;
        task = HdpTaskHash.inForm(
            HdpForm.${form === "module" ? "Module" : "Datalake"},
            ${struct}(
                ${datalakeWords(datalake).join(", ")},
                ${solidityProperty(datalake.sampledProperty)}
            ),
            ComputationalTask(AggregateFn.${compute.aggregateFnId.toUpperCase()}, Operator.${operatorName}, ${String(valueToCompare ?? 0)})
        );
    }

    /// @notice Takes the value from anybody, and reverts unless it is the result.
    function update(uint256 result) external {
        HdpResults.requireValue(store, task, result);
        value = result;
    }
}
`;
}

/** Returns the numbers of a datalake in the order of Solidity's struct. */
function datalakeWords(datalake: Datalake): readonly string[] {
  const chain = numericChainId(datalake.chainId);
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart, blockRangeEnd, increment } = datalake;
    return [chain, blockRangeStart, blockRangeEnd, increment].map(String);
  }
  const { targetBlock, startIndex, endIndex, increment, includedTypes } = datalake;
  const { legacy, eip2930, eip1559, eip4844 } = includedTypes;
  const types = [legacy, eip2930, eip1559, eip4844].map(String).join(", ");
  const words = [chain, targetBlock, startIndex, endIndex, increment].map(String);
  return [...words, `HdpSampledProperty.includedTypes(${types})`];
}

function solidityProperty(property: SampledProperty): string {
  const { builder, fields } = SOLIDITY[property.kind];
  const address = "address" in property ? [checksumAddress(property.address)] : [];
  const operand =
    property.kind === "storage" ? property.slot : `${fields ?? ""}.${property.field.toUpperCase()}`;
  return `HdpSampledProperty.${builder}(${[...address, operand].join(", ")})`;
}

/** Modules of the ids of fields in Cairo, and the cases of `SampledProperty`, by kind of property. */
const CAIRO = {
  header: { fields: "header", variant: "Header" },
  account: { fields: "account", variant: "Account" },
  storage: { fields: undefined, variant: "Storage" },
  tx: { fields: "transaction", variant: "Tx" },
  tx_receipt: { fields: "receipt", variant: "TxReceipt" },
} as const;

function writeCairo(task: DatalakeComputeTask, form: TaskForm): string {
  const { datalake, compute } = task;
  const { operator, valueToCompare } = compute.aggregateFnCtx ?? {};
  const { fields } = CAIRO[datalake.sampledProperty.kind];
  const types = [
    "AggregateFn",
    "Compute",
    "Datalake",
    "Operator",
    "SampledProperty",
    datalake.type,
  ];
  if (datalake.type === "TransactionsInBlock") types.push("IncludedTypes");
  return `use hardhat_hdp::datalake::{
    ${types.toSorted().join(", ")},
};
${fields === undefined ? "" : `use hardhat_hdp::fields::${fields};\n`}use hardhat_hdp::module_form::in_form;
use hardhat_hdp::task::{HdpForm, HdpTask};

/// The ${describeTask(task).title}: pin it at deployment.
pub fn task() -> HdpTask {
    in_form(
        HdpForm::${form === "module" ? "Module" : "Datalake"},
        Datalake::${datalake.type}(
            ${datalake.type} {
${cairoMembers(datalake)
  .map(([name, value]) => `                ${name}: ${value},\n`)
  .join("")}            },
        ),
        Compute {
            aggregate_fn: AggregateFn::${capitalized(compute.aggregateFnId)},
            operator: Operator::${capitalized(operator ?? "none")},
            value_to_compare: ${String(valueToCompare ?? 0)},
        },
    )
}
`;
}

function cairoMembers(datalake: Datalake): readonly (readonly [name: string, value: string])[] {
  const chain = ["chain_id", String(numericChainId(datalake.chainId))] as const;
  const step = ["increment", String(datalake.increment)] as const;
  const property = ["sampled_property", cairoProperty(datalake.sampledProperty)] as const;
  if (datalake.type === "BlockSampled") {
    return [
      chain,
      ["block_range_start", String(datalake.blockRangeStart)],
      ["block_range_end", String(datalake.blockRangeEnd)],
      step,
      property,
    ];
  }
  const { legacy, eip2930, eip1559, eip4844 } = datalake.includedTypes;
  const types = Object.entries({ legacy, eip2930, eip1559, eip4844 });
  return [
    chain,
    ["target_block", String(datalake.targetBlock)],
    ["start_index", String(datalake.startIndex)],
    ["end_index", String(datalake.endIndex)],
    step,
    [
      "included_types",
      `IncludedTypes { ${types.map(([type, on]) => `${type}: ${String(on)}`).join(", ")} }`,
    ],
    property,
  ];
}

function cairoProperty(property: SampledProperty): string {
  const { variant, fields } = CAIRO[property.kind];
  const operand =
    property.kind === "storage"
      ? property.slot
      : `${fields ?? ""}::${property.field.toUpperCase()}`;
  const value =
    "address" in property
      ? `(${property.address}_felt252.try_into().unwrap(), ${operand})`
      : operand;
  return `SampledProperty::${variant}(${value})`;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

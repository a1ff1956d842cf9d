import { nearest } from "../base/nearest.js";
import { AGGREGATE_FUNCTIONS, type AggregateFn } from "./aggregate-functions.js";
import { integerReader, MAX_UINT256, quote, type Reader, readText, wordReader } from "./readers.js";
import { also, field, isObject, optionalField, record, reportTo, type Schema } from "./schema-parts.js";
import { type AggregateContext, type Compute, type Operator, OPERATORS } from "./task.js";

export const readAggregateFn: Reader<AggregateFn> = wordReader(AGGREGATE_FUNCTIONS, "an aggregate function");

const EXAMPLE = '{ "operator": "gteq", "valueToCompare": "1000" }';

/** `lteq=` is how the service's published parser spells `lteq`; `none` is its word for no operator. */
const readOperator: Reader<Operator | "none"> = (value, report) => {
  const text = readText(value, report, `one of ${OPERATORS.map((word) => `"${word}"`).join(", ")}`);
  if (text === undefined || text === "none") return text;
  const operator = OPERATORS.find((known) => known === (text === "lteq=" ? "lteq" : text));
  if (operator === undefined) {
    report({
      code: "HDP-1108",
      message: `${quote(text)} is not an operator.`,
      value,
      allowed: OPERATORS,
      suggestion: SYMBOLS[text] ?? nearest(text, OPERATORS),
      hints: [`Allowed: ${OPERATORS.join(", ")}. In Solidity, nq is Operator.NEQ.`],
    });
  }
  return operator;
};

readOperator.form = () => ({ enum: [...OPERATORS, "lteq=", "none"] });

const SYMBOLS: Readonly<Record<string, Operator>> = {
  "=": "eq",
  "==": "eq",
  "!=": "nq",
  ne: "nq",
  neq: "nq",
  ">": "gt",
  ">=": "gteq",
  gte: "gteq",
  "<": "lt",
  "<=": "lteq",
  lte: "lteq",
};

/** What a context says; `none` with the value 0 says as much as no context. */
const contextRecord: Schema<AggregateContext | undefined> = record(
  {
    operator: optionalField(readOperator).describe("How a sample is compared: with nq, those that differ count."),
    operatorId: optionalField(readOperator).describe("Another name of operator."),
    valueToCompare: field(integerReader({ max: MAX_UINT256 })).describe("What each sample is compared with."),
  },
  (value, context) => {
    const { operator, operatorId } = value;
    if (operator === undefined && operatorId === undefined) {
      reportTo(
        context,
        "operator",
      )({
        code: "HDP-1101",
        message: `This key is missing; it must be one of ${OPERATORS.join(", ")}.`,
        allowed: OPERATORS,
      });
    } else if (operator !== undefined && operatorId !== undefined && operator !== operatorId) {
      reportTo(
        context,
        "operatorId",
      )({
        code: "HDP-1119",
        message: `${quote(operatorId)} contradicts the operator ${quote(operator)}.`,
        value: operatorId,
        hints: ["Both keys mean the same; write operator only."],
      });
    }
  },
).transform(({ operator, operatorId, valueToCompare }, context) => {
  const chosen = operator ?? operatorId;
  if (chosen === undefined) return undefined;
  if (chosen !== "none") return { operator: chosen, valueToCompare };
  if (valueToCompare !== 0n) {
    reportTo(
      context,
      "valueToCompare",
    )({
      code: "HDP-1119",
      message: `${valueToCompare.toString()} is compared with nothing: the operator is "none".`,
      value: valueToCompare,
      hints: [`Write an operator (${OPERATORS.join(", ")}), or leave aggregateFnCtx out.`],
    });
  }
  return undefined;
});

const NONE = {
  anyOf: ["operator", "operatorId"].map((key) => ({ required: [key], properties: { [key]: { const: "none" } } })),
};

const contextSchema: Schema<AggregateContext | undefined> = also(
  () => ({
    anyOf: [{ required: ["operator"] }, { required: ["operatorId"] }],
    if: NONE,
    then: {
      properties: { valueToCompare: { anyOf: [{ const: 0 }, { type: "string", pattern: "^(0[xXoObB])?0+$" }] } },
    },
  }),
  contextRecord,
);

const computeRecord: Schema<Compute> = record(
  {
    aggregateFnId: field(readAggregateFn).describe("What is computed of the samples."),
    aggregateFnCtx: contextSchema.optional().describe("For count: which samples count."),
  },
  (value, context) => {
    if (value["aggregateFnId"] === "count" && !hasOperator(value["aggregateFnCtx"])) {
      reportTo(context)({
        code: "HDP-1107",
        message: 'count needs "aggregateFnCtx" with an operator and a value.',
        value: value["aggregateFnCtx"],
        hints: [`For instance ${EXAMPLE}.`],
      });
    }
  },
).transform(({ aggregateFnId, aggregateFnCtx }) =>
  aggregateFnCtx === undefined ? { aggregateFnId } : { aggregateFnId, aggregateFnCtx },
);

/** `compute` of a task: the function, and for `count` its operator and value. */
export const computeSchema: Schema<Compute> = also(
  () => ({
    if: { required: ["aggregateFnId"], properties: { aggregateFnId: { const: "count" } } },
    then: { required: ["aggregateFnCtx"], properties: { aggregateFnCtx: { not: NONE } } },
  }),
  computeRecord,
);

/** Whether a context is written at all; mistakes inside it are reported by its own schema. */
function hasOperator(context: unknown): boolean {
  if (!isObject(context)) return context !== undefined;
  return (context["operator"] ?? context["operatorId"]) !== "none";
}

import { nearest } from "../base/nearest.js";
import { AGGREGATE_FUNCTIONS, type AggregateFn } from "./aggregate-functions.js";
import { integerReader, MAX_UINT256, quote, type Reader, readText, wordReader } from "./readers.js";
import { field, isObject, optionalField, record, reportTo, type Schema } from "./schema-parts.js";
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
      hints: [`Allowed: ${OPERATORS.join(", ")}.`],
    });
  }
  return operator;
};

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
const contextSchema: Schema<AggregateContext | undefined> = record(
  {
    operator: optionalField(readOperator),
    operatorId: optionalField(readOperator),
    valueToCompare: field(integerReader({ max: MAX_UINT256 })),
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

/** `compute` of a task: the function, and for `count` its operator and value. */
export const computeSchema: Schema<Compute> = record(
  {
    aggregateFnId: field(readAggregateFn),
    aggregateFnCtx: contextSchema.optional(),
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

/** Whether a context is written at all; mistakes inside it are reported by its own schema. */
function hasOperator(context: unknown): boolean {
  if (!isObject(context)) return context !== undefined;
  return (context["operator"] ?? context["operatorId"]) !== "none";
}

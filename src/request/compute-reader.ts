import { isRecord } from "../base/collections.js";
import { AGGREGATE_FUNCTIONS } from "./fields.js";
import type { JsonObject, Place, Reader } from "./reader.js";
import { quote } from "./reader.js";
import { type AggregateContext, type Compute, type Operator, OPERATORS } from "./task.js";
import {
  alsoForm,
  described,
  integer,
  mapped,
  MAX_UINT256,
  object,
  optional,
  word,
} from "./value-readers.js";

const knownOperator = word(OPERATORS, "an operator", {
  meant: {
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
  },
  inSolidity: "nq is Operator.NEQ",
});

/** The service's published parser spells `lteq` as `lteq=`, and no operator as `none`. */
const operator: Reader<Operator | "none"> = {
  read: (value, place) => {
    if (value === "none") return value;
    return value === "lteq=" ? "lteq" : knownOperator.read(value, place);
  },
  form: () => ({ enum: [...OPERATORS, "lteq=", "none"] }),
};

const NONE = {
  anyOf: ["operator", "operatorId"].map((key) => ({
    required: [key],
    properties: { [key]: { const: "none" } },
  })),
};

const writtenContext = object(
  {
    operator: described(
      "How a sample is compared: with nq, those that differ count.",
      optional(operator, undefined),
    ),
    operatorId: described("Another name of operator.", optional(operator, undefined)),
    valueToCompare: described("What each sample is compared with.", integer({ max: MAX_UINT256 })),
  },
  checkContext,
);

/** Reads the comparison of a count. `none` with the value 0 is equivalent to no context. */
const context: Reader<AggregateContext | "none"> = alsoForm(
  () => ({
    anyOf: [{ required: ["operator"] }, { required: ["operatorId"] }],
    if: NONE,
    then: {
      properties: {
        valueToCompare: { anyOf: [{ const: 0 }, { type: "string", pattern: "^(0[xXoObB])?0+$" }] },
      },
    },
  }),
  mapped(writtenContext, ({ operator, operatorId, valueToCompare }) => {
    const chosen = operator ?? operatorId ?? "none";
    return chosen === "none" ? chosen : { operator: chosen, valueToCompare };
  }),
);

function checkContext(
  { valueToCompare = 0n }: { readonly valueToCompare?: bigint },
  place: Place,
  { operator, operatorId, valueToCompare: written }: JsonObject,
): void {
  const chosen = operator ?? operatorId;
  if (chosen === undefined) {
    place
      .at("operator")
      .report("HDP-1101", { expected: `one of ${OPERATORS.join(", ")}` }, { allowed: OPERATORS });
  }
  const contradict = (key: string, value: unknown): void => {
    const values = {
      value: quote(value),
      operator: quote(chosen),
      operators: OPERATORS.join(", "),
    };
    place.at(key).report("HDP-1119", values, { value });
  };
  if (operatorId !== undefined && operatorId !== chosen) contradict("operatorId", operatorId);
  else if (chosen === "none" && valueToCompare !== 0n) contradict("valueToCompare", written);
}

/** Other names of aggregate functions. */
const MEANT_FUNCTIONS = {
  average: "avg",
  mean: "avg",
  total: "sum",
  minimum: "min",
  maximum: "max",
} as const;

const writtenCompute = object(
  {
    aggregateFnId: described(
      "What is computed of the samples.",
      word(AGGREGATE_FUNCTIONS, "an aggregate function", { meant: MEANT_FUNCTIONS }),
    ),
    aggregateFnCtx: described("For count: which samples count.", optional(context, undefined)),
  },
  (_, place, { aggregateFnId, aggregateFnCtx: written }) => {
    if (aggregateFnId === "count" && !hasOperator(written))
      place.report("HDP-1107", {}, { value: written });
  },
);

/** Reads the function of a task, with the comparison of a count. */
export const compute: Reader<Compute> = alsoForm(
  () => ({
    if: { required: ["aggregateFnId"], properties: { aggregateFnId: { const: "count" } } },
    then: { required: ["aggregateFnCtx"], properties: { aggregateFnCtx: { not: NONE } } },
  }),
  mapped(writtenCompute, ({ aggregateFnId, aggregateFnCtx = "none" }) =>
    aggregateFnCtx === "none" ? { aggregateFnId } : { aggregateFnId, aggregateFnCtx },
  ),
);

/** Returns whether the value has an operator; the reader of contexts reports errors inside it. */
function hasOperator(written: unknown): boolean {
  if (!isRecord(written)) return written !== undefined;
  return (written["operator"] ?? written["operatorId"]) !== "none";
}

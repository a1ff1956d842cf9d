import { z } from "zod";

import { isRecord } from "../base/collections.js";
import { nearest } from "../base/text.js";
import { type JsonForm, quote, type Reader, type Report, wrongType } from "./readers.js";
import type { Mistake } from "./task-request-error.js";

/** A schema whose input is not known and whose output is. Its issues all carry a {@link Mistake}. */
export type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;
export type JsonObject = Readonly<Record<string, unknown>>;

/** What zod cannot say of a schema that reads unknown values. */
export type SchemaForm =
  | { readonly kind: "value"; readonly form: JsonForm }
  | { readonly kind: "variants"; readonly what: string; readonly variants: readonly Schema<unknown>[] }
  | { readonly kind: "also"; readonly form: JsonForm };

/** By zod's effect, which a schema keeps when it is described. */
const forms = new WeakMap<object, () => SchemaForm | undefined>();

/** What is known of a schema's definition beyond what zod says of it. */
export function formOf(definition: z.ZodTypeDef): SchemaForm | undefined {
  const effect: unknown = "effect" in definition ? definition.effect : undefined;
  return typeof effect === "object" && effect !== null ? forms.get(effect)?.() : undefined;
}

/** A schema with what its JSON Schema says beside its shape. */
export function also<T>(form: () => JsonForm, schema: Schema<T>): Schema<T> {
  return known(schema, () => ({ kind: "also", form: form() }));
}

function known<T>(schema: Schema<T>, form: () => SchemaForm | undefined): Schema<T> {
  if (schema instanceof z.ZodEffects) forms.set(schema._def.effect, form);
  return schema;
}

function knownValue<T>(schema: Schema<T>, { form }: Reader<unknown>): Schema<T> {
  return known(schema, () => (form === undefined ? undefined : { kind: "value", form: form() }));
}

/** A schema around a reader. A mistake leaves the rest of the document readable, so that all are found at once. */
export function field<T>(read: Reader<T>): Schema<T> {
  return knownValue(
    z.unknown().transform((value, context) => read(value, reportTo(context)) ?? z.NEVER),
    read,
  );
}

/** The same with a default for a key that is not there. */
export function fieldWithDefault<T>(read: Reader<T>, missing: T): Schema<T> {
  return knownValue(
    field((value, report) => (value === undefined ? missing : read(value, report))),
    read,
  );
}

/** The same for a key that may be left out. */
export function optionalField<T>(read: Reader<T>): Schema<T | undefined> {
  return knownValue(
    z.unknown().transform((value, context) => {
      return value === undefined ? undefined : (read(value, reportTo(context)) ?? z.NEVER);
    }),
    read,
  );
}

/** Whether all of these fields were read; those with mistakes of their own take no part in checks across fields. */
export function isRead(...values: readonly unknown[]): boolean {
  return values.every((value) => value !== z.NEVER);
}

/** Hands mistakes to zod at the place being read, or at a key below it. */
export function reportTo(context: z.RefinementCtx, ...path: readonly (string | number)[]): Report {
  return (mistake) => {
    context.addIssue({ code: z.ZodIssueCode.custom, path: [...path], params: { mistake } });
  };
}

/** Reports a mistake after which the value cannot be read any further. */
export function giveUp(context: z.RefinementCtx, mistake: Mistake): void {
  context.addIssue({ code: z.ZodIssueCode.custom, params: { mistake }, fatal: true });
}

/** Keys of older or other editions of the request, and how the same is written now. */
const RETIRED_KEYS: Readonly<Record<string, string>> = {
  deliveryChainId: "destinationChainId",
  sourceChainId: "chainId, inside the datalake",
  datalakeType: "type, inside the datalake",
  task_inputs: "inputs, inside a task",
};

/** Of one object: who writes more has made one mistake, and each costs a search for the key that was meant. */
const MOST_UNKNOWN_KEYS = 100;

/**
 * An object with exactly these keys. `check` sees the object as written, also when some of its fields have mistakes.
 */
export function record<S extends z.ZodRawShape>(
  shape: S,
  check?: (value: JsonObject, context: z.RefinementCtx) => void,
): Schema<z.output<z.ZodObject<S>>> {
  const keys = Object.keys(shape);
  return z.preprocess((value, context) => {
    if (!isRecord(value)) {
      giveUp(context, wrongType(value, `an object with the keys ${keys.join(", ")}`));
      return value;
    }
    const unknown = Object.keys(value).filter((key) => !keys.includes(key));
    for (const key of unknown.slice(0, MOST_UNKNOWN_KEYS)) {
      reportTo(context, key)(unknownKey(key, value[key], keys));
    }
    check?.(value, context);
    return value;
  }, z.object(shape));
}

function unknownKey(key: string, value: unknown, keys: readonly string[]): Mistake {
  const current = Object.hasOwn(RETIRED_KEYS, key) ? RETIRED_KEYS[key] : undefined;
  if (current !== undefined) {
    return {
      code: "HDP-1117",
      message: `The key ${quote(key)} is a retired spelling. Write ${current}.`,
      value,
      allowed: keys,
    };
  }
  return {
    code: "HDP-1102",
    message: `The key ${quote(key)} is not known.`,
    value,
    allowed: keys,
    suggestion: nearest(key, keys),
    hints: [`Keys: ${keys.join(", ")}.`],
  };
}

/** A list; with `least` 1 an empty one is a mistake. */
export function list<T>(item: Schema<T>, least: 0 | 1, what: string): Schema<T[]> {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value)) giveUp(context, wrongType(value, `an array of ${what}`));
    else if (value.length < least) {
      giveUp(context, { code: "HDP-1120", message: `The list of ${what} is empty; write at least one.`, value });
    }
    return value;
  }, z.array(item).min(least));
}

/** A schema chosen by the word under `type`; the mistakes of the chosen one keep their places. */
export function variant<T>(variants: Readonly<Record<string, Schema<T>>>, what: string): Schema<T> {
  const words = Object.keys(variants);
  const schema = z.unknown().transform((value, context) => {
    if (!isRecord(value)) {
      reportTo(context)(wrongType(value, `an object: ${what}`));
      return z.NEVER;
    }
    const type = value["type"];
    const schema = typeof type === "string" && Object.hasOwn(variants, type) ? variants[type] : undefined;
    if (schema === undefined) {
      reportTo(context, "type")(wrongVariant(type, words, what));
      return z.NEVER;
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) context.addIssue(issue);
    return z.NEVER;
  });
  return known(schema, () => ({ kind: "variants", what, variants: Object.values(variants) }));
}

function wrongVariant(type: unknown, words: readonly string[], what: string): Mistake {
  if (typeof type !== "string") return wrongType(type, words.map((word) => `"${word}"`).join(" or "));
  return {
    code: "HDP-1108",
    message: `${quote(type)} is not the type of ${what}.`,
    value: type,
    allowed: words,
    suggestion: nearest(type, words),
    hints: [`Allowed: ${words.join(", ")}.`],
  };
}

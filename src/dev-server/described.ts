import { z } from "zod";

import { CHAIN_IDENTIFIERS, CHAIN_NAMES, numericChainId } from "../request/chains.js";
import type { JsonForm } from "../request/reader.js";
import type { WireSchema } from "./route.js";

/** What the tests of refined schemas say in JSON Schema: a test is a function, which no description can carry. */
const FORMS = new WeakMap<WireSchema, JsonForm>();

/** Notes what a schema's test says in JSON Schema, for the description. Returns the schema. */
export function describedAs<T extends WireSchema>(schema: T, form: JsonForm): T {
  FORMS.set(schema, form);
  return schema;
}

/** Returns what {@link describedAs} noted of a schema. */
export function formNoted(schema: WireSchema): JsonForm {
  return FORMS.get(schema) ?? {};
}

/** Returns a schema of text that has a form. The error quotes the text. */
export function textSchema(form: RegExp, words: string): z.ZodEffects<z.ZodString> {
  const schema = z.string().refine(
    (text) => form.test(text),
    (text) => ({ message: `"${text.slice(0, 80)}" is ${words}` }),
  );
  return describedAs(schema, { pattern: form.source });
}

/** Returns a schema of one of several texts. The error quotes the text. */
export function choiceSchema(texts: readonly string[], words: string): z.ZodEffects<z.ZodString> {
  return textSchema(new RegExp(`^(?:${texts.join("|")})$`), words);
}

const IDS = CHAIN_IDENTIFIERS.map(numericChainId);
const DECIMAL = IDS.map((id) => `0*${id}`);
const HEXADECIMAL = IDS.map((id) =>
  `0x0*${id.toString(16)}`.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`),
);

/** A known chain by its id in decimal. */
export const chainIdSchema = choiceSchema(DECIMAL, "not the id of a known chain");

/** A known chain by its id, in decimal or hexadecimal, or by a name. */
export const chainSchema = choiceSchema(
  [...DECIMAL, ...HEXADECIMAL, ...CHAIN_NAMES],
  "not a known chain",
);

const NUMBERS = IDS.map(Number).filter(Number.isSafeInteger);
const chainNumber = z.number().refine(
  (id) => NUMBERS.includes(id),
  (id) => ({ message: `"${id}" is not a known chain` }),
);

/** The destination of a task: published as text, and as a number in an older version of the pages. */
export const destinationSchema = z.union([
  chainSchema,
  describedAs(chainNumber, { enum: NUMBERS }),
]);

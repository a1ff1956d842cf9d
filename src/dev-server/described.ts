import { z } from "zod";

import type { JsonForm } from "../request/reader.js";
import type { WireSchema } from "./route.js";

/** What the tests of refined schemas say in JSON Schema: a test is a function, which no description can carry. */
const FORMS = new WeakMap<WireSchema, JsonForm>();

/** Notes what a schema's test says in JSON Schema, for the description. Returns the schema. */
export function described<T extends WireSchema>(schema: T, form: JsonForm): T {
  FORMS.set(schema, form);
  return schema;
}

/** Returns what {@link described} noted of a schema. */
export function formNoted(schema: WireSchema): JsonForm {
  return FORMS.get(schema) ?? {};
}

/** Returns a schema of text that has a form. The error quotes the text. */
export function textOf(form: RegExp, words: string): z.ZodEffects<z.ZodString> {
  const schema = z.string().refine(
    (text) => form.test(text),
    (text) => ({ message: `"${text.slice(0, 80)}" is ${words}` }),
  );
  return described(schema, { pattern: form.source });
}

/** Returns a schema of one of several texts. The error quotes the text. */
export function oneOf(texts: readonly string[], words: string): z.ZodEffects<z.ZodString> {
  return textOf(new RegExp(`^(?:${texts.join("|")})$`), words);
}

import { z } from "zod";

import { formNoted } from "../src/dev-server/described.js";
import type { WireSchema } from "../src/dev-server/route.js";
import type { JsonForm } from "../src/request/reader.js";

/**
 * Returns the JSON Schema of what a zod schema takes, for the types in use. (zod's own needs schemas of zod 4, and
 * loading that beside Hardhat's zod 3 takes each command 30 ms.)
 */
export function jsonSchema(schema: WireSchema): JsonForm {
  const { description } = schema;
  const form = { ...bareSchema(schema), ...formNoted(schema) };
  return description === undefined ? form : Object.assign({ description }, form);
}

type DiscriminatedUnion = z.ZodDiscriminatedUnion<string, z.ZodDiscriminatedUnionOption<string>[]>;

function is<T extends WireSchema>(
  kind: new (definition: never) => T,
  schema: WireSchema,
): schema is T {
  return schema instanceof kind;
}

function bareSchema(schema: WireSchema): JsonForm {
  if (is<z.ZodEffects<WireSchema>>(z.ZodEffects, schema)) return jsonSchema(schema.innerType());
  if (is<z.ZodOptional<WireSchema>>(z.ZodOptional, schema)) return jsonSchema(schema.unwrap());
  if (is<z.ZodNullable<WireSchema>>(z.ZodNullable, schema)) {
    return { anyOf: [jsonSchema(schema.unwrap()), { type: "null" }] };
  }
  if (is<z.ZodDefault<WireSchema>>(z.ZodDefault, schema)) {
    return { ...jsonSchema(schema.removeDefault()), default: schema._def.defaultValue() };
  }
  if (is<z.ZodUnion<[WireSchema, ...WireSchema[]]>>(z.ZodUnion, schema)) {
    return { anyOf: schema.options.map(jsonSchema) };
  }
  if (is<DiscriminatedUnion>(z.ZodDiscriminatedUnion, schema)) {
    return { anyOf: schema.options.map(jsonSchema) };
  }
  if (is<z.ZodObject<Record<string, WireSchema>>>(z.ZodObject, schema)) return objectSchema(schema);
  if (is<z.ZodRecord<z.ZodString, WireSchema>>(z.ZodRecord, schema)) {
    return {
      type: "object",
      additionalProperties: jsonSchema(schema.valueSchema),
      propertyNames: jsonSchema(schema.keySchema),
    };
  }
  if (is<z.ZodArray<WireSchema>>(z.ZodArray, schema)) {
    return {
      type: "array",
      items: jsonSchema(schema.element),
      minItems: schema._def.minLength?.value,
    };
  }
  if (is<z.ZodEnum<[string, ...string[]]>>(z.ZodEnum, schema)) return { enum: schema.options };
  if (is<z.ZodLiteral<unknown>>(z.ZodLiteral, schema)) return { const: schema.value };
  if (is(z.ZodString, schema)) return stringSchema(schema);
  if (is(z.ZodNumber, schema)) {
    const { isInt, minValue, maxValue } = schema;
    return {
      type: isInt ? "integer" : "number",
      minimum: minValue ?? undefined,
      maximum: maxValue ?? undefined,
    };
  }
  if (is(z.ZodBoolean, schema)) return { type: "boolean" };
  return {};
}

function objectSchema(schema: z.ZodObject<Record<string, WireSchema>>): JsonForm {
  const members = Object.entries(schema.shape);
  const required = members.filter(([, member]) => !member.isOptional()).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([name, member]) => [name, jsonSchema(member)])),
    required,
    additionalProperties: schema._def.unknownKeys === "strict" ? false : undefined,
  };
}

function stringSchema(schema: z.ZodString): JsonForm {
  const pattern = schema._def.checks.flatMap((check) =>
    check.kind === "regex" ? check.regex.source : [],
  )[0];
  return { type: "string", minLength: schema.minLength ?? undefined, pattern };
}

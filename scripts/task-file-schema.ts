/** Writes task.schema.json, the JSON Schema of task files, from the schemas that read them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { format, resolveConfig } from "prettier";
import type { z } from "zod";
import {
  ignoreOverride,
  type OverrideCallback,
  parseDef,
  type PostProcessCallback,
  zodToJsonSchema,
} from "zod-to-json-schema";

import { moduleFormSchema } from "../src/program/module-reference.js";
import { readInjectedRoots } from "../src/request/injected-state.js";
import type { JsonForm } from "../src/request/readers.js";
import { formOf } from "../src/request/schema.js";
import { taskRequestSchema, taskSchema } from "../src/request/task-schema.js";
import { root } from "./root.js";

const file = join(root, "task.schema.json");
const TASK = { $ref: "#/definitions/task" };
const $schema = { type: "string", description: "Tells an editor what this file is; nobody else reads it." };

/** What a task file may be: a request, one task, or a list of tasks for the connected chain. */
export function taskFileSchema(): JsonForm {
  const task = jsonSchema(taskSchema("supported"), false);
  const request = jsonSchema(taskRequestSchema("supported"), true);
  const module = jsonSchema(moduleFormSchema, false);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Tasks of the data processor",
    if: { type: "array" },
    then: { items: TASK, minItems: 1 },
    else: {
      if: { required: ["type"] },
      then: { $ref: "#/definitions/taskFile" },
      else: { $ref: "#/definitions/request" },
    },
    definitions: {
      request: withEditorKey(request),
      task: { anyOf: [...variantsOf(task), moduleByClass(module)] },
      taskFile: { anyOf: [...variantsOf(task), moduleByClass(module)].map(withEditorKey) },
    },
  };
}

/** In files a module may be named by its class, with arguments by name, in place of its hash and inputs. */
function moduleByClass(module: JsonForm): JsonForm {
  return {
    type: "object",
    properties: { type: { enum: ["Module"] }, module, injected_state: readInjectedRoots.form?.() ?? {} },
    required: ["type", "module"],
    additionalProperties: false,
  };
}

function withEditorKey(schema: JsonForm): JsonForm {
  return { ...schema, properties: { $schema, ...objectOf(schema["properties"]) } };
}

function jsonSchema(schema: z.ZodType<unknown, z.ZodTypeDef, unknown>, tasksByName: boolean): JsonForm {
  const override: OverrideCallback = (definition, refs) => {
    const form = formOf(definition);
    const described = { ...(definition.description === undefined ? {} : { description: definition.description }) };
    if (form?.kind === "value") return { ...described, ...form.form };
    if (form?.kind !== "variants") return ignoreOverride;
    if (tasksByName && form.what === "a task") return TASK;
    return { ...described, anyOf: form.variants.map((one) => objectOf(parseDef(one._def, refs, true))) };
  };
  const postProcess: PostProcessCallback = (json, definition) => {
    const form = formOf(definition);
    return form?.kind === "also" ? { ...json, allOf: [form.form] } : json;
  };
  const json = zodToJsonSchema(schema, { $refStrategy: "none", override, postProcess });
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== "$schema"));
}

function variantsOf(schema: JsonForm): readonly JsonForm[] {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) throw new TypeError("a task has variants");
  return anyOf.map(objectOf);
}

function objectOf(value: unknown): JsonForm {
  if (typeof value !== "object" || value === null) throw new TypeError("a schema is an object");
  return { ...value };
}

/** The file's text. */
export async function taskFileSchemaText(): Promise<string> {
  return await format(JSON.stringify(taskFileSchema()), { ...(await resolveConfig(file)), parser: "json" });
}

if (process.argv[1] === import.meta.filename) await writeFile(file, await taskFileSchemaText());

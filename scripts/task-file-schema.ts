/** Writes task.schema.json, the JSON Schema of task files, from the schemas that read them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { moduleForm } from "../src/program/module-task.js";
import { injectedRoots } from "../src/request/injected-state.js";
import type { JsonForm } from "../src/request/reader.js";
import { requestReader, taskReader } from "../src/request/parse.js";
import { root } from "./root.js";

const file = join(root, "task.schema.json");
const TASK = { $ref: "#/definitions/task" };
const $schema = {
  type: "string",
  description: "Tells an editor what this file is; nobody else reads it.",
};

/** What a task file may be: a request, one task, or a list of tasks for the connected chain. */
export function taskFileSchema(): JsonForm {
  const tasks = [...variantsOf(taskReader.form()), moduleByClass()];
  const request = requestReader.form();
  const properties = objectOf(request["properties"]);
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
      request: withEditorKey({
        ...request,
        properties: { ...properties, tasks: { ...objectOf(properties["tasks"]), items: TASK } },
      }),
      task: { anyOf: tasks },
      taskFile: { anyOf: tasks.map(withEditorKey) },
    },
  };
}

/** In files a module may be named by its class, with arguments by name, in place of its hash and inputs. */
function moduleByClass(): JsonForm {
  return {
    type: "object",
    properties: {
      type: { enum: ["Module"] },
      module: moduleForm.form(),
      injected_state: injectedRoots.form(),
    },
    required: ["type", "module"],
    additionalProperties: false,
  };
}

function withEditorKey(schema: JsonForm): JsonForm {
  return { ...schema, properties: { $schema, ...objectOf(schema["properties"]) } };
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

/** The file's text, on one line: the package carries it, and editors read it. */
export function taskFileSchemaText(): string {
  return `${JSON.stringify(taskFileSchema())}\n`;
}

if (process.argv[1] === import.meta.filename) await writeFile(file, taskFileSchemaText());

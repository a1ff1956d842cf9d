/** Writes docs/openapi.json, the OpenAPI document of the development server, from the schemas that read requests and replies. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { isRecord } from "../src/base/collections.js";
import type { BodySchema, Route, RouteBody, WireSchema } from "../src/dev-server/route.js";
import { describedRoutes } from "../src/dev-server/server.js";
import type { JsonForm } from "../src/request/reader.js";
import { BLOCK_REFERENCE } from "../src/request/block-reference.js";
import { requestReader, taskReader } from "../src/request/parse.js";
import { jsonSchema } from "./json-schema.js";
import { root } from "./root.js";

const file = join(root, "docs", "openapi.json");

/** Returns the OpenAPI document of routes, made of the schemas that read requests and replies. */
export function openApi(routes: readonly Route[]): JsonForm {
  const paths: Record<string, Record<string, JsonForm>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  const keys = routes.flatMap(({ key }) => key ?? []);
  return {
    openapi: "3.1.0",
    info: {
      title: "hardhat-hdp development server",
      version: "1",
      description:
        "The data processor, the program registry, the storage proof interface and the state server over a local chain. No proof of a computation is made: what is proven are the values read.",
    },
    paths,
    components: {
      schemas: { Task: withoutNamedBlocks(taskReader.form()) },
      securitySchemes: Object.fromEntries(
        keys.map(({ in: place, name, scheme }) => [
          name,
          scheme === undefined
            ? { type: "apiKey", in: place, name }
            : { type: "http", scheme: scheme.toLowerCase() },
        ]),
      ),
    },
  };
}

/** Returns a form without blocks by tag or day: a server takes numbers, to which commands resolve them. */
function withoutNamedBlocks<T>(form: T): T {
  if (Array.isArray(form)) return form.map(withoutNamedBlocks) as T;
  if (!isRecord(form)) return form;
  const members = Object.entries(form).map(([name, value]) => {
    const kept =
      name === "anyOf" && Array.isArray(value)
        ? value.filter((one) => !isRecord(one) || one["pattern"] !== BLOCK_REFERENCE)
        : value;
    return [name, withoutNamedBlocks(kept)] as const;
  });
  return Object.fromEntries(members) as T;
}

function schemaOf(schema: BodySchema): JsonForm {
  if (schema === requestReader) return REQUEST;
  return "form" in schema ? schema.form() : jsonSchema(schema);
}

const { properties, ...request } = requestReader.form();
/** The specification's request, with what the server takes beside it. */
const REQUEST = {
  ...request,
  properties: {
    ...(isRecord(properties) ? properties : {}),
    tasks: { type: "array", items: { $ref: "#/components/schemas/Task" }, minItems: 1 },
    webhook_url: { type: ["string", "null"], description: "Called when the tasks have ended." },
  },
};

const TEXT = { type: "string" } as const;

function operation(route: Route): JsonForm {
  const {
    path,
    interface: tag,
    summary,
    key,
    keyNeeded,
    query = {},
    optionalQuery = {},
    queryForm,
    body,
    retired,
  } = route;
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { name, in: "path", required: true, schema: TEXT };
  });
  const queryParameters = Object.entries({ ...query, ...optionalQuery }).map(
    ([name, description]) => {
      const form: WireSchema | undefined = queryForm?.shape[name];
      const schema = form === undefined ? TEXT : jsonSchema(form);
      return { name, in: "query", description, required: name in query, schema };
    },
  );
  const refused = { type: "object", properties: { error: TEXT, code: TEXT } };
  return {
    tags: [tag],
    summary,
    ...(retired === true ? { deprecated: true } : {}),
    ...(key === undefined
      ? {}
      : { security: [{ [key.name]: [] }, ...(keyNeeded === "always" ? [] : [{}])] }),
    parameters: [...pathParameters, ...queryParameters],
    ...(body === undefined ? {} : { requestBody: { required: true, content: bodyContent(body) } }),
    responses: {
      [String(route.status ?? 200)]: {
        description: "Accepted or found",
        content: replyContent(route),
      },
      ...publishedReplies(route, refused),
      "4XX": {
        description: "Refused: why",
        content: { "application/json": { schema: refused } },
      },
    },
  };
}

function replyContent({ reply, jsonReply }: Route): JsonForm {
  if (reply !== "text") return { "application/json": { schema: jsonSchema(reply) } };
  const text = { "text/plain": { schema: TEXT } };
  return jsonReply === undefined
    ? text
    : { ...text, "application/json": { schema: jsonSchema(jsonReply) } };
}

/** Returns the replies that a service publishes in a form of their own. */
function publishedReplies({ published = {} }: Route, refused: JsonForm): JsonForm {
  const rows = Object.entries(published).map(([status, { about, body }]) => {
    const json = { "application/json": { schema: refused } };
    const content = { ...json, "text/plain": { schema: TEXT } };
    return [
      status,
      body === "none" ? { description: about } : { description: about, content },
    ] as const;
  });
  return Object.fromEntries(rows);
}

function bodyContent(body: RouteBody): JsonForm {
  if (body.type === "json") {
    const [only, ...others] = body.schemas.map(schemaOf);
    return {
      "application/json": {
        schema: others.length === 0 ? only : { anyOf: [only, ...others] },
        example: body.example,
      },
    };
  }
  const [part] = body.parts;
  const { properties, required = [] } = body.fields === undefined ? {} : jsonSchema(body.fields);
  const schema = {
    type: "object",
    properties: {
      [part]: { type: "string", format: "binary" },
      ...(isRecord(properties) ? properties : {}),
    },
    required: [part, ...(Array.isArray(required) ? required.map(String) : [])],
  };
  return { "multipart/form-data": { schema } };
}

/** The file's text, on one line: the package carries it, and tools read it. */
export async function openApiText(): Promise<string> {
  return `${JSON.stringify(openApi(await describedRoutes()))}\n`;
}

if (process.argv[1] === import.meta.filename) await writeFile(file, await openApiText());

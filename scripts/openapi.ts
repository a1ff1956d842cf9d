/** Writes docs/openapi.json, the OpenAPI document of the development server, from the schemas that read requests and replies. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { isRecord } from "../src/base/collections.js";
import type { BodySchema, Route, RouteBody } from "../src/dev-server/route.js";
import { describedRoutes } from "../src/dev-server/server.js";
import type { JsonForm } from "../src/request/reader.js";
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
      schemas: { Task: taskReader.form() },
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
    body,
    reply,
    retired,
  } = route;
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { name, in: "path", required: true, schema: TEXT };
  });
  const queryParameters = Object.entries({ ...query, ...optionalQuery }).map(
    ([name, description]) => {
      return { name, in: "query", description, required: name in query, schema: TEXT };
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
      "200": {
        description: "Accepted or found",
        content:
          reply === "text"
            ? { "text/plain": { schema: TEXT } }
            : { "application/json": { schema: jsonSchema(reply) } },
      },
      default: {
        description: "Refused: why",
        content: { "application/json": { schema: refused } },
      },
    },
  };
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

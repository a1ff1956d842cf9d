import { zodToJsonSchema } from "zod-to-json-schema";

import type { Route, WireSchema } from "./router.js";

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.0 document of routes, made of the same schemas that read requests and replies. */
export function openApi(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes.filter(({ hidden }) => hidden !== true)) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  const keys = routes.flatMap(({ key, optionalKey }) => [key, optionalKey]).filter((key) => key !== undefined);
  return {
    openapi: "3.0.3",
    info: {
      title: "hardhat-hdp local front",
      version: "1",
      description:
        "The data processor, the program registry and the storage proof interface over a local chain. No proof of a computation is made: what is proven are the values read.",
    },
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        keys.map(({ in: place, name }) => [name, { type: "apiKey", in: place, name }]),
      ),
    },
  };
}

function operation(route: Route): Json {
  const { key, optionalKey, body } = route;
  return {
    tags: [route.interface],
    summary: route.summary,
    ...(key === undefined ? {} : { security: [{ [key.name]: [] }] }),
    ...(optionalKey === undefined ? {} : { security: [{ [optionalKey.name]: [] }, {}] }),
    parameters: [
      ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema: text })),
      ...(route.query ?? []).map(({ name, summary, required }) => ({
        ...{ name, in: "query", description: summary, schema: text },
        required: required === true,
      })),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(body) } }),
    responses: {
      "200": {
        description: "Accepted or found",
        content:
          route.reply === "text"
            ? { "text/plain": { schema: text } }
            : { "application/json": { schema: schemaOf(route.describedReply ?? route.reply) } },
      },
      default: {
        description: "Refused: what was wrong",
        content: { "application/json": { schema: { type: "object", properties: { error: text, code: text } } } },
      },
    },
  };
}

const text = { type: "string" } as const;

function content(body: NonNullable<Route["body"]>): Json {
  if (body.type === "multipart") {
    const properties = { [body.part]: { type: "string", format: "binary" } };
    return { "multipart/form-data": { schema: { type: "object", properties, required: [body.part] } } };
  }
  return { "application/json": { schema: schemaOf(body.described ?? body.schema), example: body.example } };
}

function schemaOf(schema: WireSchema): unknown {
  return zodToJsonSchema(schema, { target: "openApi3", $refStrategy: "none" });
}

import { z } from "zod";

import { jsonReply, lastingReply, textReply, type FrontReply } from "../front-problem.js";
import type { Route } from "../router.js";

/** What `GET /` tells about a front, for programs that are configured by it. */
export interface FrontInfo {
  readonly name: "hardhat-hdp local front";
  /** Address of the chain node beside it, if there is one. */
  readonly chainUrl?: string | undefined;
  /** Where results are finalized. */
  readonly executionStore?: string | undefined;
}

export const frontInfoSchema = z
  .object({
    name: z.string(),
    chainUrl: z.string().optional(),
    executionStore: z.string().optional(),
    swagger: z.string(),
    openapi: z.string(),
  })
  .passthrough();

/** What describes the server: an information document, the OpenAPI document and the page that is made of it. */
export function descriptionRoutes(info: () => FrontInfo, described: () => readonly Route[]): readonly Route[] {
  let openApi: Promise<FrontReply> | undefined;
  let page: Promise<FrontReply> | undefined;
  const common = { method: "GET", interface: "this server" } as const;
  return [
    {
      ...common,
      path: "/",
      summary: "What this server is, and what it finalizes into",
      reply: frontInfoSchema,
      handle: () => jsonReply(200, { ...info(), swagger: "/swagger/", openapi: "/openapi.json" }),
    },
    {
      ...common,
      path: "/openapi.json",
      summary: "This description, as an OpenAPI document",
      reply: z.record(z.unknown()),
      handle: () =>
        (openApi ??= import("../openapi.js").then((made) => lastingReply(jsonReply(200, made.openApi(described()))))),
    },
    {
      ...common,
      path: "/swagger/",
      summary: "This description, as a page from which requests can be sent",
      reply: "text",
      handle: () =>
        (page ??= import("../swagger-page.js").then(({ SWAGGER_PAGE }) =>
          lastingReply({
            ...textReply(200, SWAGGER_PAGE, "text/html; charset=utf-8"),
            headers: {
              "content-security-policy": "default-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'",
            },
          }),
        )),
    },
    {
      ...common,
      path: "/swagger",
      summary: "The page's address without its slash",
      reply: "text",
      hidden: true,
      handle: () => ({ status: 308, headers: { location: "/swagger/" } }),
    },
  ];
}

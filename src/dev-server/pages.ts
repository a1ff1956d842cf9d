import { readFile } from "node:fs/promises";

import { shipped } from "../base/files.js";
import type { Reply } from "./route.js";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript" } as const;

/** A file of the pages that the server has for browsers. */
export type PageFile = `${"index" | "endpoints"}.html` | `${"page" | "endpoints"}.${"css" | "js"}`;

/** Returns a file of the pages: the dashboard, which displays the data of the other routes, and that of the endpoints. */
export async function pageFile(name: PageFile): Promise<Reply> {
  const text = await readFile(shipped(`dist/dashboard/${name}`));
  const headers = {
    "content-security-policy": POLICY,
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
  };
  return {
    status: 200,
    // The address of the dashboard answers programs with JSON.
    headers: name === "index.html" ? { ...headers, vary: "accept" } : headers,
    body: { type: `${typeOf(name)}; charset=utf-8`, text },
  };
}

function typeOf(name: PageFile): string {
  if (name.endsWith(".html")) return TYPES.html;
  return name.endsWith(".css") ? TYPES.css : TYPES.js;
}

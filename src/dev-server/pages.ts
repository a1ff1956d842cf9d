import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

import { shipped } from "../base/files.js";
import type { Headers, Reply } from "./route.js";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
} as const;

/** A file of the pages that the server has for browsers. */
export type PageFile =
  | `${"index" | "endpoints"}.html`
  | `${"page" | "endpoints"}.${"css" | "js"}`
  | "stream.js"
  | "icon.svg";

interface LoadedFile {
  readonly plain: Buffer;
  readonly compressed: Buffer;
  readonly etag: string;
}

const loaded = new Map<PageFile, Promise<LoadedFile>>();

/**
 * Returns a file of the pages: the dashboard, which displays the data of the other routes, and that of the endpoints.
 * Compressed where the browser accepts it; 304 where it has the file already.
 */
export async function pageFile(name: PageFile, requested: Headers): Promise<Reply> {
  const file = loaded.get(name) ?? load(name);
  loaded.set(name, file);
  const { plain, compressed, etag } = await file;
  const headers = {
    "content-security-policy": POLICY,
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    etag,
    // The address of the dashboard answers programs with JSON.
    vary: name === "index.html" ? "accept, accept-encoding" : "accept-encoding",
  };
  if (requested["if-none-match"] === etag) return { status: 304, headers };
  const type = TYPES[pageExtension(name)];
  if (!/\bgzip\b/.test(String(requested["accept-encoding"])))
    return { status: 200, headers, body: { type, text: plain } };
  const encoded = { ...headers, "content-encoding": "gzip" };
  return { status: 200, headers: encoded, body: { type, text: compressed } };
}

async function load(name: PageFile): Promise<LoadedFile> {
  const plain = await readFile(shipped(`dist/dashboard/${name}`));
  const digest = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { plain, compressed: gzipSync(plain, { level: 9 }), etag: `"${digest}"` };
}

function pageExtension(name: PageFile): keyof typeof TYPES {
  if (name.endsWith(".html")) return "html";
  if (name.endsWith(".css")) return "css";
  return name.endsWith(".svg") ? "svg" : "js";
}

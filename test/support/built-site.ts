import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

import { root } from "./hardhat-cli.js";

/** What `npm run docs` builds. */
export const dist = join(root, "site", "dist");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** A file of the site as a server with clean addresses finds it. */
export function fileOf(address: string): string | undefined {
  const path = join(dist, decodeURIComponent(address));
  return [path, `${path}.html`, join(path, "index.html")].find(
    (file) => existsSync(file) && extname(file) !== "",
  );
}

/** The built site, as it is served. */
export interface BuiltSite {
  /** With a trailing slash. */
  readonly url: string;
  readonly close: () => void;
}

/** Serves the built site on a free port. */
export async function serveSite(): Promise<BuiltSite> {
  const server = createServer((request, response) => {
    const file = fileOf(new URL(request.url ?? "/", "http://site").pathname);
    response.writeHead(file === undefined ? 404 : 200, {
      "content-type": TYPES[extname(file ?? "")] ?? "text/plain",
    });
    response.end(file === undefined ? "" : readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/`, close: () => server.close() };
}

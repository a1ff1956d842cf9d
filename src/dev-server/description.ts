import { readFile } from "node:fs/promises";

import { shipped } from "../base/files.js";
import { moduleTaskHealthSchema } from "../service/data-processor/module-tasks-edition.js";
import { storageProofAliveSchema } from "../service/storage-proof.js";
import { dashboardPage } from "./dashboard.js";
import { jsonReply, type Route, routesOf, textReply } from "./route.js";

/** The reply to `GET /`, in addition to the server's name. */
export interface DevServerInfo {
  /** Address of the chain node that runs with the server. */
  readonly chainUrl?: string | undefined;
  /** Address of the execution store for results. */
  readonly executionStore?: string | undefined;
}

export function aliveRoutes(): readonly Route[] {
  return routesOf("this server", undefined, {
    "GET /is-alive": {
      summary: "Liveness of all interfaces; needs no key",
      reply: moduleTaskHealthSchema.merge(storageProofAliveSchema),
      // Two interfaces publish this path: the body has the members of both.
      handle: () => jsonReply({ message: "Alive!", status: "healthy", database: "operational", queues: "operational" }),
    },
  });
}

const CONTENT_POLICY = "default-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'";

/** Returns the routes that describe the server: its information, its OpenAPI document and a page of that document. */
export function descriptionRoutes(info: DevServerInfo = {}): readonly Route[] {
  let file: Promise<Buffer> | undefined;
  const page = Buffer.from(PAGE);
  const document = {
    summary: "The description as an OpenAPI document: npm run schema writes it",
    reply: "text",
    handle: async () => textReply(await (file ??= readFile(shipped("docs/openapi.json"))), "application/json"),
  } as const;
  return routesOf("this server", undefined, {
    "GET /": {
      summary: "What this server is, and what it finalizes into; the dashboard for a browser",
      reply: "text",
      handle: async ({ headers }) => {
        if (String(headers["accept"] ?? "").includes("text/html")) return await dashboardPage();
        const about = {
          name: "hardhat-hdp development server",
          ...info,
          swagger: "/swagger/",
          openapi: "/openapi.json",
        };
        return { ...jsonReply(about), headers: { vary: "accept" } };
      },
    },
    "GET /openapi.json": document,
    "GET /api-docs/openapi.json": document,
    "GET /swagger/": {
      summary: "The description as a page from which requests can be sent",
      reply: "text",
      handle: () => ({
        ...textReply(page, "text/html; charset=utf-8"),
        headers: { "content-security-policy": CONTENT_POLICY },
      }),
    },
    "GET /swagger": {
      summary: "The page's address without its slash",
      reply: "text",
      handle: () => ({ status: 308, headers: { location: "/swagger/" } }),
    },
  });
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
details, pre { border: 1px solid #8884; border-radius: 6px; margin: .4rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; }
form { display: grid; gap: .5rem; }
input, textarea, button { font: inherit; }
textarea, pre { font: 13px/1.4 ui-monospace, monospace; }
textarea { min-height: 9rem; }
button { justify-self: start; }
pre { overflow: auto; max-height: 24rem; white-space: pre-wrap; }
`;

// Runs in the browser. Sets all content as text, never as markup.
const SCRIPT = `
const find = (id) => document.getElementById(id);
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

async function send(method, address, input, output) {
  const url = new URL(address, location.href);
  const key = find("key").value;
  url.searchParams.set("apiKey", key);
  const headers = { "X-API-KEY": key, "api-key": key };
  let body;
  if (input?.type === "file") {
    body = new FormData();
    if (input.files[0]) body.set(input.name, input.files[0]);
  } else if (input) {
    headers["content-type"] = "application/json";
    body = input.value;
  }
  const reply = await fetch(url, { method, headers, body });
  let text = await reply.text();
  try { text = JSON.stringify(JSON.parse(text), null, 2); } catch { /* text as it came */ }
  output.textContent = reply.status + " " + reply.statusText + "\\n\\n" + text;
  output.dataset.state = "done";
}

function endpoint(path, method, { summary, parameters, requestBody }) {
  const query = parameters.filter((one) => one.in === "query").map(({ name }) => name + "=").join("&");
  const address = element("input", { name: "address", value: query === "" ? path : path + "?" + query });
  const form = element("form", {}, address);
  const { "application/json": json, "multipart/form-data": file } = requestBody?.content ?? {};
  let input;
  if (json) input = element("textarea", { name: "body", value: JSON.stringify(json.example, null, 2) });
  if (file) input = element("input", { type: "file", name: file.schema.required[0] });
  if (input) form.append(input);
  if (json) form.append(element("details", {}, element("summary", { textContent: "Schema" }),
    element("pre", { textContent: JSON.stringify(json.schema, null, 2) })));
  const output = element("pre", {});
  form.append(element("button", { textContent: "Send" }), output);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(method, address.value, input, output).catch((error) => { output.textContent = error.message; });
  });
  const made = element("details", {}, element("summary", { textContent: method + " " + path + ": " + summary }), form);
  made.dataset.endpoint = method + " " + path;
  return made;
}

fetch("/openapi.json").then((reply) => reply.json()).then(({ info, paths }) => {
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => endpoint(path, method.toUpperCase(), operation)));
  find("description").textContent = info.description;
  find("endpoints").replaceChildren(...endpoints);
  document.body.dataset.state = "ready";
}).catch((error) => {
  find("endpoints").textContent = "The description cannot be loaded: " + error.message;
});
`;

/** Page of the endpoints in /openapi.json, with forms that send requests. Loads only from this server. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hardhat-hdp development server</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<h1>hardhat-hdp development server</h1>
<p id="description"></p>
<p>The same as a document: <a href="/openapi.json">/openapi.json</a></p>
<label>API key: <input id="key" value="local" autocomplete="off"></label>
<main id="endpoints">Loading…</main>
<script>${SCRIPT}</script>
</html>
`;

// What a reload of the dashboard takes behind a forwarded port of 1.6 Mbit/s and 40 ms, beside the same where nothing is
// compressed and the browser is told of no version of a file. Needs Chromium.
import { createServer, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

import { startDevServer } from "../src/entries/local.js";
import { openBrowser } from "../test/support/chromium.js";
import { finishedProcessor } from "./finished-processor.js";
import { line, row } from "./measure.js";

const LINE = {
  offline: false,
  latency: 40,
  downloadThroughput: 200_000,
  uploadThroughput: 200_000,
};
const RELOADS = 5;
/** Headers of requests by which files are sent compressed, or not again. */
const SPARING = ["accept-encoding", "if-none-match"];

const server = await startDevServer({
  processor: finishedProcessor(() => {
    throw new Error("nothing is submitted");
  }),
  providerFor: () => ({ request: () => Promise.reject(new Error("nothing is read")) }),
});

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

interface Measured {
  readonly milliseconds: number;
  readonly kilobytes: number;
}

/** Reloads the dashboard through a proxy that leaves out headers of requests, and counts the bytes of files. */
async function measure(left: readonly string[]): Promise<Measured | undefined> {
  let bytes = 0;
  const proxy = createServer((given, response) => {
    const { url = "/", method, headers } = given;
    const asked = httpRequest(new URL(url, server.url), {
      method,
      headers: without(headers, left),
    });
    asked.on("response", (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      if (!url.endsWith("/events")) reply.on("data", (part: Buffer) => (bytes += part.length));
      reply.pipe(response);
    });
    asked.on("error", () => response.destroy());
    response.on("close", () => asked.destroy());
    given.pipe(asked);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}/`;
  const browser = await openBrowser(address);
  if (browser === undefined) return undefined;
  const { page } = browser;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", LINE);
  await page.goto(address);
  const times: number[] = [];
  bytes = 0;
  for (let reload = 0; reload < RELOADS; reload += 1) {
    const start = performance.now();
    await page.reload();
    await page.getByRole("heading", { name: "Submissions" }).waitFor();
    times.push(performance.now() - start);
  }
  await browser.close();
  proxy.closeAllConnections();
  proxy.close();
  const [fastest = Number.NaN] = times.sort((a, b) => a - b);
  return { milliseconds: fastest, kilobytes: bytes / RELOADS / 1_000 };
}

const before = await measure(SPARING);
const now = await measure([]);
if (before !== undefined && now !== undefined) {
  const all = `${before.kilobytes.toFixed(1)} kB, ${before.milliseconds.toFixed(0)} ms`;
  line("dashboard, a reload with all files whole", all);
  const { milliseconds: value, kilobytes } = now;
  row({ name: "dashboard, bytes of a reload", value: kilobytes, unit: "kB", aim: 5 });
  row({ name: "dashboard, a reload at 1.6 Mbit/s", value, aim: 500 });
}
await server.close();

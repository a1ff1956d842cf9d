// Writes docs/images/{dashboard,dashboard-submission}.png, the dashboard of a real `hdp:node` in Chromium, and
// site/card.png, the picture of links to the site. Run after `npm run build`: npm run docs:pictures
// With a folder, writes there every view, and pages of the site if it is built, at three widths in both themes instead, to
// be looked at: npx tsx scripts/dashboard-pictures.ts /tmp/views
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Page } from "playwright-core";

import { SMALL_CLASS } from "../test/dev-server/small-class.js";
import { dist, serveSite } from "../test/support/built-site.js";
import { openBrowser } from "../test/support/chromium.js";
import { runNode } from "../test/support/running-node.js";
import { root } from "./root.js";

const CHAIN = "ETHEREUM_SEPOLIA";
const LAST = 59;
const ACCOUNT = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

async function send(url: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": "any", "api-key": "any" };
  const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await reply.text();
  if (!reply.ok || text.includes('"error"'))
    throw new Error(`${url} answered ${reply.status}: ${text}`);
}

function task(
  sampledProperty: string,
  compute: object,
  blockRangeStart = 0,
  blockRangeEnd = LAST,
): object {
  const datalake = {
    type: "BlockSampled",
    chainId: CHAIN,
    blockRangeStart,
    blockRangeEnd,
    sampledProperty,
  };
  return { type: "DatalakeCompute", datalake, compute };
}

/** Writes the pictures that are committed. */
async function writeDocs(page: Page): Promise<void> {
  const take = async (
    name: string,
    height: number,
    colorScheme: "light" | "dark",
  ): Promise<void> => {
    await page.setViewportSize({ width: 1000, height });
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(root, "docs", "images", `${name}.png`) });
  };
  await take("dashboard", 810, "light");
  await page.getByRole("link", { name: "average of header.base_fee_per_gas" }).click();
  await page.locator(".chart canvas").waitFor();
  await take("dashboard-submission", 1200, "dark");
  await page.setViewportSize({ width: 1200, height: 630 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(pathToFileURL(join(root, "site", "card.html")).href);
  await page.screenshot({ path: join(root, "site", "card.png") });
}

/** Returns the address of each view, by the name of its pictures. */
async function findViews(page: Page, server: string): Promise<Readonly<Record<string, string>>> {
  const linked = async (title: string): Promise<string> => {
    const address = await page.getByRole("link", { name: title }).first().getAttribute("href");
    return `${server}/${address ?? ""}`;
  };
  const submission = await linked("average of header.base_fee_per_gas");
  const failed = await linked("sum of header.number");
  const held = await linked("minimum of header.gas_limit");
  await page.goto(`${server}/#/proofs`);
  return {
    submissions: `${server}/#/submissions`,
    submission,
    failed,
    held,
    searched: `${server}/#/submissions?search=gas&state=finalized`,
    compared: `${submission}?with=${failed.split("/").at(-1) ?? ""}`,
    programs: `${server}/#/programs`,
    proofs: `${server}/#/proofs`,
    proof: await linked("block 40 of chain"),
    "proof-failed": await linked("block 99999 of chain"),
    faults: `${server}/#/faults`,
    requests: `${server}/#/requests`,
    "new-task": `${server}/#/new`,
    endpoints: `${server}/swagger/#post-tasks`,
  };
}

/** Writes pages at three widths in both themes, whole. */
async function writeViews(
  page: Page,
  views: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, address] of Object.entries(views)) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto("about:blank");
      await page.goto(address);
      await page.locator("main h1, main h2").first().waitFor();
      if (name === "submission") await page.locator(".chart canvas").waitFor();
      for (const width of [360, 768, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        // The chart is drawn anew for its width.
        await page.waitForTimeout(200);
        const path = join(folder, `${name}-${String(width)}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
  }
}

/** Writes pages of the built site at three widths in both themes. */
async function writeSite(page: Page, folder: string): Promise<void> {
  const { url, close } = await serveSite();
  const names = ["", "get-started", "playground", "recipes", "errors/", "dashboard"];
  const views = names.map((name) => [`site-${name.replace("/", "") || "home"}`, url + name]);
  await writeViews(page, Object.fromEntries(views) as Record<string, string>, folder);
  close();
}

const node = await runNode([]);
const browser = await openBrowser(node.server);
try {
  if (browser === undefined) throw new Error("needs Chromium");
  let id = 0;
  const call = async (method: string, ...params: unknown[]): Promise<void> => {
    await send(node.chain, { jsonrpc: "2.0", id: (id += 1), method, params });
  };
  for (let block = 2; block <= LAST + 1; block += 1) {
    // Base fees that rise and fall, so that there is a chart to see.
    const gwei = 12 + 6 * Math.sin(block / 7) + 3 * Math.sin(block * 1.9);
    await call("hardhat_setNextBlockBaseFeePerGas", `0x${Math.round(gwei * 1e9).toString(16)}`);
    await call("evm_mine");
  }
  const submit = async (...tasks: object[]): Promise<void> => {
    await send(`${node.server}/tasks`, { destinationChainId: CHAIN, tasks });
  };
  await submit(task("header.base_fee_per_gas", { aggregateFnId: "avg" }, 2));
  await submit(task(`account.${ACCOUNT}.balance`, { aggregateFnId: "avg" }, 1));
  const used = {
    aggregateFnId: "count",
    aggregateFnCtx: { operator: "gt", valueToCompare: "0x0" },
  };
  await submit(task("header.gas_used", used), task("header.gas_limit", { aggregateFnId: "max" }));
  await submit(task("header.gas_used", { aggregateFnId: "sum" }));
  await submit(task("header.number", { aggregateFnId: "sum" }, 0, 99_999));
  const { page } = browser;
  await page.goto(`${node.server}/`);
  await page.locator(".state.failed").waitFor();
  while ((await page.locator(".state.finalized").count()) < 4) await page.waitForTimeout(100);
  await send(`${node.server}/dashboard/faults`, { faults: "stuck-at:CachedMmrRoot" });
  await submit(task("header.gas_limit", { aggregateFnId: "min" }));
  await page.locator(".state.held").first().waitFor();
  const form = new FormData();
  form.set("program", new Blob([JSON.stringify(SMALL_CLASS)]));
  const uploaded = await fetch(`${node.server}/submit-program?apiKey=any`, {
    method: "POST",
    body: form,
  });
  if (!uploaded.ok) throw new Error(await uploaded.text());
  for (const block of [40, 99_999]) {
    const asked = { header: ["STATE_ROOT"], accounts: { [ACCOUNT]: { props: ["BALANCE"] } } };
    const data = { "11155111": { [`block:${String(block)}`]: asked } };
    await send(`${node.server}/submit-request`, { destination_chain_id: "SN_SEPOLIA", data });
  }
  await page.locator(".bar a", { hasText: "Proofs2" }).waitFor();
  const [folder] = process.argv.slice(2);
  if (folder === undefined) await writeDocs(page);
  else await writeViews(page, await findViews(page, node.server), folder);
  if (folder !== undefined && existsSync(dist)) await writeSite(page, folder);
} finally {
  await browser?.close();
  await node.interrupt();
}

// Writes docs/images/{dashboard,dashboard-submission}.png, the dashboard of a real `hdp:node` in Chromium, and
// site/card.png, the picture of links to the site. Run after `npm run build`: npm run docs:pictures
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { openBrowser } from "../test/support/chromium.js";
import { runNode } from "../test/support/running-node.js";
import { root } from "./root.js";

const CHAIN = "ETHEREUM_SEPOLIA";
const LAST = 59;
const ACCOUNT = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

async function send(url: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": "any" };
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
  const take = async (
    name: string,
    height: number,
    colorScheme: "light" | "dark",
  ): Promise<void> => {
    await page.setViewportSize({ width: 1000, height });
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(root, "docs", "images", `${name}.png`) });
  };
  await take("dashboard", 790, "light");
  await page.getByRole("link", { name: "average of header.base_fee_per_gas" }).click();
  await page.locator(".chart canvas").waitFor();
  await take("dashboard-submission", 1200, "dark");
  await page.setViewportSize({ width: 1200, height: 630 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(pathToFileURL(join(root, "site", "card.html")).href);
  await page.screenshot({ path: join(root, "site", "card.png") });
} finally {
  await browser?.close();
  await node.interrupt();
}

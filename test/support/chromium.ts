import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium, type Page } from "playwright-core";

/** Chromium of this machine, if it has one. */
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => existsSync(path),
);
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A name of a test, for proxies in front of a server.
  "--host-resolver-rules=MAP hdp.test 127.0.0.1",
  // Proxies of tests end TLS with certificates of their own.
  "--ignore-certificate-errors",
];

/** A page in a browser with a profile of its own. */
export interface BrowserPage {
  readonly page: Page;
  /** Errors of the page's scripts, and what it asked others than its own server for. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
}

/**
 * Opens an empty page; undefined where this machine has no Chromium.
 *
 * @param url the server that the page may ask
 */
export async function openBrowser(url: string): Promise<BrowserPage | undefined> {
  if (CHROMIUM === undefined) {
    console.log("      no Chromium on this machine: install it to look at pages");
    return undefined;
  }
  const profile = await mkdtemp(join(tmpdir(), "hdp-browser-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: QUIET,
    timeout: 50_000,
  });
  const complaints: string[] = [];
  const page = await browser.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:"))
      complaints.push(request.url());
  });
  const close = async (): Promise<void> => {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { page, complaints, close };
}

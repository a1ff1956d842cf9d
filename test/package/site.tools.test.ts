import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "chai";
import type { Page } from "playwright-core";

import { type BuiltSite, dist, fileOf, serveSite } from "../support/built-site.js";
import { type BrowserPage, openBrowser } from "../support/chromium.js";
import {
  account,
  blockSampled,
  type DatalakeComputeTask,
  header,
  inForm,
  taskHash,
} from "../../src/entries/request.js";
import { command, root } from "../support/hardhat-cli.js";

const docs = join(root, "docs");
/** Pages by their address, `""` being the first one. */
const PAGES = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) =>
    name
      .replaceAll("\\", "/")
      .replace(/\.md$/, "")
      .replace(/(^|\/)README$/, "$1"),
  );

/** Windows of a phone, a tablet and a desktop. */
const DEVICES = [
  { width: 390, height: 844 },
  { width: 768, height: 900 },
  { width: 1280, height: 900 },
] as const;

/** Keeps the whole page as a picture, with HDP_KEEP_SCREENS=1: look at the difference before you commit it. */
async function keepScreen(page: Page, name: string): Promise<void> {
  if (process.env["HDP_KEEP_SCREENS"] !== "1") return;
  const folder = join(root, "test", "package", "screens");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

// What is run in the page is text: these tests have no types of a browser.
const IS_DARK = 'document.documentElement.classList.contains("dark")';

/** How far the page scrolls sideways, and what reaches beyond the window. */
const BEYOND = `(() => {
  const limit = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().right > limit + 1 && one.closest("pre, [class*=line-numbers]") === null)
    .map((one) => one.tagName + ": " + (one.textContent ?? "").trim().slice(0, 60));
  return { scrolls: document.documentElement.scrollWidth - limit, wide };
})()`;

/** Code of the page that reaches beyond its block. */
const CUT_OFF = `[...document.querySelectorAll("main pre")]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent)`;

interface Look {
  /** Luminance of the page, 0 to 1. */
  readonly background: number;
  /** Of words and code to what is behind them, 1 to 21. */
  readonly contrasts: readonly number[];
}

const LOOK = `(() => {
  const light = (color) => {
    const [r, g, b] = (color.match(/[\\d.]+/g) ?? []).map(Number).map((part) => {
      const value = part / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = getComputedStyle(document.body).backgroundColor;
  const behind = (one) => {
    if (one === null) return page;
    const color = getComputedStyle(one).backgroundColor;
    return color.startsWith("rgba") ? behind(one.parentElement) : color;
  };
  const words = ".task-form label, .task-form input, .part h2, .part pre, main h1, main p, main td, main th, main p a, main pre code span span";
  const contrasts = [...document.querySelectorAll(words)].map((one) => {
    const [dark, bright] = [light(getComputedStyle(one).color), light(behind(one))].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  });
  return { background: light(page), contrasts };
})()`;

describe("the site", function () {
  this.timeout(300_000);

  before(async function () {
    // HDP_SITE=built looks at the site as it was built before.
    if (process.env["HDP_SITE"] === "built" && existsSync(dist)) return;
    const npm = async (...args: string[]): Promise<{ code: number | null; said: string }> => {
      const { code, stdout, stderr } = await command("npm", ["--prefix", "site", ...args]);
      return { code, said: stdout + stderr };
    };
    const installed = await npm(
      "install",
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
      "--prefer-offline",
    );
    if (installed.code !== 0) {
      console.log(
        `      the site's generator cannot be installed: ${installed.said.split("\n")[0] ?? ""}`,
      );
      this.skip();
    }
    const built = await npm("run", "build");
    expect(built.code, built.said).to.equal(0);
  });

  it("publishes each page of docs/, and the page as plain text beside it", () => {
    for (const page of PAGES) {
      expect(fileOf(page), page).to.be.a("string");
      const twin = join(
        dist,
        page === "" ? "index.md" : page.endsWith("/") ? `${page.slice(0, -1)}.md` : `${page}.md`,
      );
      const source = readFileSync(
        join(docs, page === "" || page.endsWith("/") ? `${page}README.md` : `${page}.md`),
        "utf8",
      );
      const title = /^# (.*)$/m.exec(source)?.[1] ?? "";
      expect(readFileSync(twin, "utf8"), twin).to.include(`# ${title}`);
    }
  });

  it("publishes llms.txt with every page of the menu, and llms-full.txt with all of them", () => {
    const list = readFileSync(join(dist, "llms.txt"), "utf8");
    const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    expect(links.length).to.be.at.least(PAGES.length - 1);
    for (const link of links) expect(existsSync(join(dist, link)), link).to.equal(true);
    const all = readFileSync(join(dist, "llms-full.txt"), "utf8");
    for (const words of ["# Task requests", "# In tests", "# Commands", "# Starknet"])
      expect(all).to.include(words);
  });

  it("shows no raw markup, and has navigation, an edit link, an icon, a card and the version", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    for (const page of PAGES) {
      const html = readFileSync(fileOf(page) ?? "", "utf8");
      const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
      expect(main.replaceAll(/<pre[\s\S]*?<\/pre>|<code[\s\S]*?<\/code>/g, ""), page).not.to.match(
        /&lt;\/?(div|span|p|br)\b/,
      );
      expect(html, page).to.include('rel="icon"').and.include(`v${version}`);
      expect(html, page).to.match(/property="og:title" content="[^"]*hardhat-hdp/);
      const card =
        /property="og:image" content="https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/main\/([^"]+)"/.exec(
          html,
        );
      expect(existsSync(join(root, card?.[1] ?? "none")), page).to.equal(true);
      expect(html, page)
        .to.include(`/edit/main/docs/`)
        .and.match(/class="VPLink[^"]*VPNavBarMenuLink/);
    }
  });

  it("describes each page by its own words, and names its address in the page and in the site map", () => {
    const map = readFileSync(join(dist, "sitemap.xml"), "utf8");
    const descriptions = PAGES.map((page) => {
      const html = readFileSync(fileOf(page) ?? "", "utf8");
      const canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1] ?? "";
      expect(canonical, page).to.match(/^https:\/\/.*\//);
      expect(canonical.endsWith(`/${page}`), canonical).to.equal(true);
      expect(map, page).to.include(`<loc>${canonical}</loc>`);
      const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? "";
      expect(description.length, page).to.be.within(20, 260);
      return description;
    });
    expect(new Set(descriptions).size).to.be.above(PAGES.length * 0.8);
  });

  it("contains no dead link and no dead anchor", () => {
    const dead: string[] = [];
    const htmls = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".html"),
    );
    const ids = new Map<string, ReadonlySet<string>>();
    const idsOf = (file: string): ReadonlySet<string> => {
      const known = ids.get(file);
      if (known !== undefined) return known;
      const found = new Set(
        [...readFileSync(file, "utf8").matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id),
      );
      ids.set(file, found);
      return found;
    };
    for (const name of htmls.filter((one) => one !== "404.html")) {
      const html = readFileSync(join(dist, name), "utf8");
      const from = `http://site/${name.replaceAll("\\", "/").replace(/(index)?\.html$/, "")}`;
      for (const [, href = ""] of html.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)) {
        if (/^(https?|mailto):/.test(href)) continue;
        const { pathname, hash } = new URL(href.replaceAll("&amp;", "&"), from);
        const file = fileOf(pathname);
        const anchor = decodeURIComponent(hash.slice(1));
        if (
          file === undefined ||
          (anchor !== "" && anchor !== "VPContent" && !idsOf(file).has(anchor))
        ) {
          dead.push(`${name}: ${href}`);
        }
      }
    }
    expect([...new Set(dead)]).to.deep.equal([]);
  });

  describe("in a browser", () => {
    let site: BuiltSite;
    let url: string;
    let browser: BrowserPage | undefined;
    let page: Page;
    let complaints: string[];

    before(async function () {
      site = await serveSite();
      ({ url } = site);
      browser = await openBrowser(url);
      if (browser === undefined) this.skip();
      ({ page, complaints } = browser);
    });
    after(async () => {
      await browser?.close();
      site.close();
    });

    it("fits the width of a phone, a tablet and a desktop on every page", async () => {
      for (const name of PAGES) {
        await page.goto(`${url}${name}`, { waitUntil: "domcontentloaded" });
        await page.locator("main h1").first().waitFor();
        for (const size of DEVICES) {
          await page.setViewportSize(size);
          const { scrolls, wide } = await page.evaluate<{ scrolls: number; wide: string[] }>(
            BEYOND,
          );
          expect({ name, size, scrolls, wide }).to.deep.equal({ name, size, scrolls: 0, wide: [] });
        }
      }
    }).timeout(300_000);

    it("opens with a line, the install command, two buttons and a picture, and cuts off none of its code", async () => {
      await page.goto(url);
      const hero = page.locator(".hero");
      expect(await hero.locator("h1").textContent()).to.match(/^hardhat-hdp/);
      expect(await hero.locator("h1 + p").textContent()).to.match(/^Contracts that act on .*\.$/);
      expect((await hero.locator("pre").textContent())?.trim()).to.equal(
        "npm install --save-dev hardhat-hdp viem",
      );
      const buttons = await hero.getByRole("link").allTextContents();
      expect(buttons.filter((one) => one.length > 1)).to.deep.equal(["Get started", "Playground"]);
      const drawn = "document.querySelector('.hero img').naturalWidth > 0";
      await page.waitForFunction(drawn);
      for (const size of DEVICES) {
        await page.setViewportSize(size);
        expect(await page.evaluate(CUT_OFF), String(size.width)).to.deep.equal([]);
      }
      // Of all widths that have the menu these are the narrowest.
      for (const width of [768, 800, 839]) {
        await page.setViewportSize({ width, height: 900 });
        const { scrolls } = await page.evaluate<{ scrolls: number }>(BEYOND);
        expect(scrolls, String(width)).to.equal(0);
      }
      await hero.getByRole("link", { name: "Get started" }).click();
      await page.waitForURL(/\/get-started$/);
    });

    it("shows the last line of its terminal pictures at once, and in print, before it plays them", async () => {
      const OPACITY = 'getComputedStyle(document.querySelector(".line:last-of-type")).opacity';
      for (const name of ["tests", "submit", "explain"]) {
        await page.setContent(readFileSync(join(docs, "images", `${name}.svg`), "utf8"));
        expect(await page.evaluate(OPACITY), name).to.equal("1");
        // Each picture plays after two seconds.
        await page.evaluate("document.getAnimations().forEach((one) => (one.currentTime = 2_001))");
        expect(await page.evaluate(OPACITY), name).to.equal("0");
        await page.emulateMedia({ media: "print" });
        expect(await page.evaluate(OPACITY), name).to.equal("1");
        await page.emulateMedia({ media: "screen" });
      }
    });

    it("shows the lists of its index pages as cards, each a link as a whole", async () => {
      for (const [name, least] of [
        ["", 3],
        ["recipes", 12],
        ["errors/", 8],
        ["comparison", 6],
      ] as const) {
        await page.goto(`${url}${name}`);
        const cards = page.locator(".cards > li:has(.card), .cards tbody > tr:has(.card)");
        expect(await cards.count(), name).to.be.at.least(least);
      }
      await page.goto(`${url}errors/`);
      await page.locator(".cards tr", { hasText: "HDP-1xxx" }).click({ position: { x: 4, y: 4 } });
      await page.waitForURL(/\/errors\/requests$/);
    });

    it("shows a dark mode that can be read", async () => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${url}testing`);
      const look = async (): Promise<Look> => await page.evaluate<Look>(LOOK);
      const day = await look();
      await page.locator("button.VPSwitchAppearance:visible").first().click();
      await page.waitForFunction(IS_DARK);
      await page.waitForTimeout(600);
      const night = await look();
      expect(day.background).to.be.above(0.9);
      expect(night.background).to.be.below(0.05);
      for (const { contrasts } of [day, night]) expect(Math.min(...contrasts)).to.be.at.least(3);
      await page.reload();
      expect(await page.evaluate<boolean>(IS_DARK)).to.equal(true);
    });

    it("writes in its playground the task that is chosen by keys, on a phone and in both themes, and keeps it in the address", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${url}playground?to=63`);
      const hash = async (): Promise<string> =>
        (await page.getByLabel("Task hash", { exact: true }).textContent()) ?? "";
      const hashOf = (task: DatalakeComputeTask): string => taskHash(inForm(task, "module"));
      await page.getByText("average of header.base_fee_per_gas, blocks 0..63").waitFor();
      expect(await hash()).to.equal(
        hashOf(blockSampled({ from: 0, to: 63, property: header("base_fee_per_gas") }).avg()),
      );
      await page.getByLabel("Property of a").focus();
      await page.keyboard.press("a"); // selects "account", as a reader without a mouse does
      await page.getByLabel("Field").selectOption("balance");
      await page.getByLabel("Function").selectOption("count");
      await page.getByLabel("than or to").fill("5");
      const property = account("0x7f2C6f930306D3AA736B3A6C6A98f512F74036D4", "balance");
      const counted = blockSampled({ from: 0, to: 63, property }).count("gteq", 5n);
      expect(await hash()).to.equal(hashOf(counted));
      await page.getByLabel("Form").selectOption("datalake");
      expect(await hash()).to.equal(taskHash(counted));
      for (const language of ["JSON", "TypeScript", "Solidity", "Cairo"])
        expect(await page.getByLabel(language, { exact: true }).textContent()).to.match(/count/i);
      await page.reload();
      expect(await hash()).to.equal(taskHash(counted));
      await page.getByLabel("Address").fill("0x12");
      await page.getByRole("alert").getByText("datalake.sampledProperty").waitFor();
      await page.goto(`${url}playground`);
      await page.getByRole("button", { name: "Copy: Task hash" }).waitFor();
      const look = async (): Promise<Look> => await page.evaluate<Look>(LOOK);
      for (const isDark of [false, true]) {
        await page.evaluate(`document.documentElement.classList.toggle("dark", ${isDark})`);
        await page.waitForTimeout(600);
        expect(Math.min(...(await look()).contrasts)).to.be.at.least(3);
        for (const size of DEVICES) {
          await page.setViewportSize(size);
          const { scrolls } = await page.evaluate<{ scrolls: number }>(BEYOND);
          expect(scrolls).to.equal(0);
          await keepScreen(page, `playground-${size.width}-${isDark ? "dark" : "light"}`);
        }
      }
      await page.evaluate('document.documentElement.classList.remove("dark")');
    });

    it("finds words of a page by its search", async () => {
      await page.goto(url);
      await page.locator("button.DocSearch-Button, #local-search button").first().click();
      await page.locator("#localsearch-input").fill("execution store");
      const results = page.locator("#localsearch-list a.result");
      await results.first().waitFor();
      expect(await results.count()).to.be.at.least(3);
      for (const [word, where] of [
        ["install", "get-started"],
        ["airdrop", "./"],
        ["Herodotus", "./"],
        ["grow-order", "commands"],
      ] as const) {
        await page.locator("#localsearch-input").fill(word);
        await page
          .locator(`#localsearch-list a.result[href*="${where === "./" ? "/" : where}"]`)
          .first()
          .waitFor();
      }
      await page.locator('#localsearch-list a.result[href*="commands"]').first().waitFor();
      await page.locator('#localsearch-list a.result[href*="commands"]').first().click();
      await page.waitForURL(/\/commands/);
    });

    it("asks no other server for anything, and no script fails", () => {
      expect([...new Set(complaints)]).to.deep.equal([]);
    });
  });
});

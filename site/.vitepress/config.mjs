import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { defineConfig } from "vitepress";
import llmstxt from "vitepress-plugin-llms";

// The form for browsers: what Node would take fails there, in the search box for instance.
const vue = dirname(createRequire(import.meta.url).resolve("vue/package.json"));
const REPOSITORY = "https://github.com/hardhat-hdp/hardhat-hdp";
const DESCRIPTION =
  "Write, test and deploy contracts that act on proven historical data: a Hardhat 3 plugin, a Solidity test kit and a Starknet Foundry helper for data processors such as Herodotus'.";
const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);
// Where the site is published: for canonical links and the site map, which are absolute.
const SITE = process.env.SITE_URL ?? "https://hardhat-hdp.github.io/hardhat-hdp/";
// Cards need an absolute address, whatever the site's own is.
const CARD = "https://raw.githubusercontent.com/hardhat-hdp/hardhat-hdp/main/site/card.png";
const icon = readFileSync(new URL("../icon.svg", import.meta.url), "utf8");
const page = (text, link) => ({ text, link: `/${link}` });

/** Returns the first sentences of a page, without its marks, at most 160 characters. */
function descriptionOf(file) {
  const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");
  const paragraphs = text.split(/\n{2,}/).map((one) => one.trim());
  const first = paragraphs.find((one) => /^[A-Z`*[]/.test(one));
  if (first === undefined) return DESCRIPTION;
  const words = first
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ");
  return words.length <= 160 ? words : `${words.slice(0, 157).replace(/\s\S*$/, "")} …`;
}

/** Pages whose lists and tables of links are shown as cards. */
const INDEX_PAGES = ["index.md", "recipes.md", "errors/index.md", "comparison.md"];

/** Returns whether a page is rendered, by its name on the site. */
function isPage({ env }, page) {
  return env.relativePath === page;
}

/** Returns the first link of a line or cell that begins with it. */
function leadingLink({ children }) {
  const first = children?.find(({ type, content }) => type !== "text" || content !== "");
  return first?.type === "link_open" ? first : undefined;
}

/** Makes cards of each list whose items begin with a link, and of each table whose rows have a cell that does. */
function makeCards(tokens) {
  const ends = { bullet_list_open: "bullet_list_close", table_open: "table_close" };
  for (const [at, token] of tokens.entries()) {
    if (ends[token.type] === undefined) continue;
    const inside = tokens.slice(
      at,
      tokens.findIndex((one, i) => i > at && one.type === ends[token.type]),
    );
    const rows = [];
    for (const one of inside) {
      if (one.type === "tr_open" || one.type === "list_item_open") rows.push([]);
      if (one.type === "inline") rows.at(-1)?.push(one);
    }
    const items = token.type === "table_open" ? rows.slice(1) : rows;
    const links = items.map((row) => row.map(leadingLink).find((link) => link !== undefined));
    if (links.includes(undefined)) continue;
    token.attrJoin("class", "cards");
    for (const link of links) link.attrJoin("class", "card");
  }
}

/** Returns the address of a page, as links on the site have it. */
function addressOf(page) {
  return new URL(page.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ""), SITE).href;
}

// Code scrolls inside its block, and wraps in a table. On a narrow screen each row of a table becomes a list of its cells,
// under their column's name, so that no table scrolls sideways.
const STYLE = `
.vp-doc pre { overflow-x: auto }
.vp-doc td code { overflow-wrap: anywhere; white-space: normal }
.VPNavBarMenuLink { white-space: nowrap }
@media (min-width: 768px) and (max-width: 959px) {
  .VPNavBarMenu .VPNavBarMenuLink.VPNavBarMenuLink { padding: 0 6px; font-size: 13px }
  .VPNavBar .content-body { column-gap: 0 }
  .DocSearch-Button .DocSearch-Button-Placeholder, .DocSearch-Button .DocSearch-Button-Keys { display: none }
}
.Layout.home .VPDoc .container .content .content-container { max-width: 1104px }
.Layout.home .VPDoc .container .content { max-width: 1168px; margin: 0 auto }
.hero h1 { color: var(--vp-c-brand-1); font-size: 22px; margin: 0 }
.hero p { margin: 0 }
.hero h1 + p { font-size: clamp(24px, 3.2vw, 36px); font-weight: 650; line-height: 1.25; letter-spacing: -0.02em; text-wrap: balance }
.hero div[class*=language-] { margin: 8px 0 0 }
.hero p:has(> a) { display: flex; gap: 12px }
.hero p > a { border: 1px solid var(--vp-c-divider); border-radius: 20px; padding: 8px 20px; font-weight: 600; text-decoration: none }
.hero p > a:first-child { border-color: transparent; background: var(--vp-button-brand-bg); color: #fff }
.hero p > a:first-child:hover { background: var(--vp-button-brand-hover-bg) }
.hero { display: grid; gap: 20px; align-content: center }
@media (min-width: 960px) {
  .hero { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); column-gap: 56px; padding: 24px 0 }
  .hero > * { grid-column: 1 }
  .hero p:has(> img) { grid-column: 2; grid-row: 1 / span 4; align-self: center }
}
.Layout.home .vp-doc pre code { white-space: pre-wrap !important; width: auto; max-width: 100%; overflow-wrap: anywhere }
.vp-doc ul.cards, .vp-doc table.cards tbody { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 250px), 1fr)); gap: 12px; list-style: none; padding: 0; margin: 16px 0 }
.vp-doc ul.cards > li, .vp-doc table.cards tr { position: relative; display: block; border: 1px solid var(--vp-c-divider); border-radius: 8px; background: var(--vp-c-bg-soft); padding: 14px 16px; margin: 0; line-height: 1.5; font-size: 15px }
.vp-doc ul.cards > li:hover, .vp-doc table.cards tr:hover { border-color: var(--vp-c-brand-1) }
.cards .card { font-weight: 600; font-size: 16px }
.cards .card::before { content: ""; position: absolute; inset: 0 }
.cards a:not(.card) { position: relative; z-index: 1 }
.vp-doc table.cards { display: block }
.vp-doc table.cards thead { position: absolute; clip-path: inset(50%) }
.vp-doc table.cards td { display: block; border: 0; padding: 0; overflow-wrap: anywhere }
.vp-doc table.cards td + td { margin-top: 6px }
@media (max-width: 640px) {
  .vp-doc table, .vp-doc tbody, .vp-doc tr, .vp-doc td { display: block; width: 100% }
  .vp-doc thead { display: none }
  .vp-doc tr { padding: 8px 0 }
  .vp-doc td { border: 0; padding: 2px 12px; overflow-wrap: anywhere }
  .vp-doc table:not(.cards) td::before { content: attr(data-column); display: block; font-size: 12px; color: var(--vp-c-text-2) }
}`;

// The pages are those of ../docs, which are in the package too: the site adds a frame, search and plain-text twins.
export default defineConfig({
  title: "hardhat-hdp",
  description: DESCRIPTION,
  // Project pages lie below the repository's name.
  base: process.env.SITE_BASE ?? "/",
  srcDir: "../docs",
  outDir: "./dist",
  cacheDir: "./.vitepress/cache",
  cleanUrls: true,
  head: [
    [
      "link",
      {
        rel: "icon",
        type: "image/svg+xml",
        href: `data:image/svg+xml,${encodeURIComponent(icon)}`,
      },
    ],
    ["meta", { property: "og:type", content: "website" }],
    ["meta", { property: "og:image", content: CARD }],
    ["meta", { name: "twitter:card", content: "summary_large_image" }],
    ["style", {}, STYLE],
  ],
  sitemap: { hostname: SITE },
  transformPageData: ({ filePath, frontmatter }) => ({
    description: descriptionOf(filePath),
    ...(filePath === "README.md" && {
      frontmatter: { ...frontmatter, sidebar: false, aside: false, pageClass: "home" },
    }),
  }),
  transformHead: ({ title, description, page }) => [
    ["meta", { property: "og:title", content: title }],
    ["meta", { property: "og:description", content: description }],
    ["link", { rel: "canonical", href: addressOf(page) }],
  ],
  rewrites: { "README.md": "index.md", "errors/README.md": "errors/index.md" },
  markdown: {
    // As on GitHub, where the pages link to each other too.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .trim()
          .replaceAll(/\s/g, "-"),
    },
    // Pages name arguments as <file>: of HTML only what they mean as HTML is let through.
    config(md) {
      const meant = (tokens, at) =>
        /^\s*<\/?(a|kbd)\b/.test(tokens[at].content)
          ? tokens[at].content
          : md.utils.escapeHtml(tokens[at].content);
      md.renderer.rules.html_inline = meant;
      md.renderer.rules.html_block = meant;
      // What lies beside the pages in the repository is read there.
      md.core.ruler.push("beside", ({ tokens }) => {
        for (const link of tokens.flatMap(({ children }) => children ?? [])) {
          const href = link.type === "link_open" ? (link.attrGet("href") ?? "") : "";
          if (href.startsWith("errors/README.md"))
            link.attrSet("href", href.replace("README.md", ""));
          if (/^\.\.\/(README|CHANGELOG|examples\/)/.test(href)) {
            link.attrSet("href", `${REPOSITORY}/blob/main/${href.slice(3)}`);
          }
        }
      });
      md.renderer.rules.table_open = (tokens, at, options, _, self) =>
        self.renderToken(tokens, at, options);
      md.core.ruler.push("hero", (state) => {
        if (!isPage(state, "index.md")) return;
        const { tokens, Token } = state;
        const html = (tag, nesting) => {
          const token = new Token(`hero_${nesting > 0 ? "open" : "close"}`, tag, nesting);
          if (nesting > 0) token.attrSet("class", "hero");
          return token;
        };
        const end = tokens.findIndex(({ type, tag }) => type === "heading_open" && tag === "h2");
        tokens.splice(end, 0, html("div", -1));
        tokens.unshift(html("div", 1));
      });
      md.core.ruler.push("cards", (state) => {
        if (INDEX_PAGES.some((page) => isPage(state, page))) makeCards(state.tokens);
      });
      md.core.ruler.push("columns", ({ tokens }) => {
        let names = [];
        let column = 0;
        for (const [at, token] of tokens.entries()) {
          if (token.type === "thead_open") names = [];
          if (token.type === "th_open") names.push(tokens[at + 1].content.replaceAll(/[*`]/g, ""));
          if (token.type === "tr_open") column = 0;
          if (token.type === "td_open") token.attrSet("data-column", names[column++] ?? "");
        }
      });
      // Of a heading the outline takes the words, which are HTML there.
      md.core.ruler.push("headings", ({ tokens }) => {
        for (const { type, children } of tokens) {
          if (type !== "inline" || children === null) continue;
          for (const child of children) {
            if (child.type === "html_inline" && !/^<\/?(a|kbd)\b/.test(child.content))
              child.type = "text";
          }
        }
      });
    },
  },
  // llms.txt, llms-full.txt, and each page as Markdown beside its HTML.
  vite: {
    plugins: [llmstxt({ excludeIndexPage: false, injectLLMHint: false })],
    // The pages lie outside of this folder, and with them what Vite would look for beside them.
    resolve: {
      alias: [
        { find: /^vue$/, replacement: join(vue, "dist", "vue.runtime.esm-bundler.js") },
        { find: /^vue\/server-renderer$/, replacement: join(vue, "server-renderer", "index.mjs") },
      ],
    },
  },
  themeConfig: {
    logo: `data:image/svg+xml,${encodeURIComponent(icon)}`,
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    outline: [2, 3],
    nav: [
      page("Get started", "get-started"),
      page("Playground", "playground"),
      page("Recipes", "recipes"),
      page("Concepts", "concepts"),
      page("Commands", "commands"),
      page("API", "api"),
      { text: `v${version}`, link: `${REPOSITORY}/blob/main/CHANGELOG.md` },
    ],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: "Edit this page on GitHub" },
    sidebar: [
      {
        text: "Start",
        items: [
          page("Get started", "get-started"),
          page("Playground", "playground"),
          page("Recipes", "recipes"),
          page("Concepts", "concepts"),
          page("Consuming results safely", "consuming-results"),
          page("Threat model", "threat-model"),
          page("Comparison", "comparison"),
        ],
      },
      {
        text: "Coming from",
        collapsed: true,
        items: [
          page("Chainlink Functions", "coming-from/chainlink-functions"),
          page("Gelato Web3 Functions", "coming-from/gelato-web3-functions"),
          page("Axiom", "coming-from/axiom"),
          page("vlayer", "coming-from/vlayer"),
          page("Brevis", "coming-from/brevis"),
          page("Storage proofs by hand", "coming-from/storage-proofs"),
        ],
      },
      {
        text: "Guides",
        items: [
          page("Testing", "testing"),
          page("With Foundry", "foundry"),
          page("In your project", "projects"),
          page("Verify, explain, record", "verify"),
          page("Dashboard", "dashboard"),
          page("Submissions", "submissions"),
          page("Testing failures", "testing-failures"),
          page("Task forms", "task-forms"),
          page("Modules", "modules"),
          page("Starknet", "starknet"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Commands", "commands"),
          page("Configuration", "configuration"),
          page("API", "api"),
          page("Errors", "errors/"),
          page("Task files and builder", "requests"),
          page("Contracts", "contracts"),
          page("Local data processor", "local-data-processor"),
          page("Nodes", "nodes"),
          page("Proven calls", "proven-calls"),
          page("Cairo packages", "cairo-packages"),
          page("Cairo machine", "cairo-vm"),
          page("Service over HTTP", "service"),
          page("Development server", "dev-server"),
        ],
      },
    ],
  },
});

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
@media (max-width: 640px) {
  .vp-doc table, .vp-doc tbody, .vp-doc tr, .vp-doc td { display: block; width: 100% }
  .vp-doc thead { display: none }
  .vp-doc tr { padding: 8px 0 }
  .vp-doc td { border: 0; padding: 2px 12px; overflow-wrap: anywhere }
  .vp-doc td::before { content: attr(data-column); display: block; font-size: 12px; color: var(--vp-c-text-2) }
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
  transformPageData: ({ filePath }) => ({ description: descriptionOf(filePath) }),
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

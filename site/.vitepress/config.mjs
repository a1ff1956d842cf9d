import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { defineConfig } from "vitepress";
import llmstxt from "vitepress-plugin-llms";

// The form for browsers: what Node would take fails there, in the search box for instance.
const vue = dirname(createRequire(import.meta.url).resolve("vue/package.json"));
const REPOSITORY = "https://github.com/hardhat-hdp/hardhat-hdp";
const page = (text, link) => ({ text, link: `/${link}` });

// The pages are those of ../docs, which are in the package too: the site adds a frame, search and plain-text twins.
export default defineConfig({
  title: "hardhat-hdp",
  description: "A Hardhat 3 toolkit for the data processor: tasks over proven on-chain data, computed locally in tests",
  srcDir: "../docs",
  outDir: "./dist",
  cacheDir: "./.vitepress/cache",
  cleanUrls: true,
  // Code scrolls by itself on a narrow screen, indented blocks too, which have no frame.
  head: [["style", {}, ".vp-doc pre { overflow-x: auto }"]],
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
        /^\s*<\/?(a|kbd)\b/.test(tokens[at].content) ? tokens[at].content : md.utils.escapeHtml(tokens[at].content);
      md.renderer.rules.html_inline = meant;
      md.renderer.rules.html_block = meant;
      // What lies beside the pages in the repository is read there.
      md.core.ruler.push("beside", ({ tokens }) => {
        for (const link of tokens.flatMap(({ children }) => children ?? [])) {
          const href = link.type === "link_open" ? (link.attrGet("href") ?? "") : "";
          if (href.startsWith("errors/README.md")) link.attrSet("href", href.replace("README.md", ""));
          if (href.startsWith("../README") || href.startsWith("../CHANGELOG")) {
            link.attrSet("href", `${REPOSITORY}/blob/main/${href.slice(3)}`);
          }
        }
      });
      // Of a heading the outline takes the words, which are HTML there.
      md.core.ruler.push("headings", ({ tokens }) => {
        for (const { type, children } of tokens) {
          if (type !== "inline" || children === null) continue;
          for (const child of children) {
            if (child.type === "html_inline" && !/^<\/?(a|kbd)\b/.test(child.content)) child.type = "text";
          }
        }
      });
    },
  },
  // llms.txt, llms-full.txt, and each page as Markdown beside its HTML.
  vite: {
    plugins: [llmstxt({ excludeIndexPage: false })],
    // The pages lie outside of this folder, and with them what Vite would look for beside them.
    resolve: {
      alias: [
        { find: /^vue$/, replacement: join(vue, "dist", "vue.runtime.esm-bundler.js") },
        { find: /^vue\/server-renderer$/, replacement: join(vue, "server-renderer", "index.mjs") },
      ],
    },
  },
  themeConfig: {
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    outline: [2, 3],
    sidebar: [
      {
        text: "Tasks",
        items: [
          page("Requests", "requests"),
          page("Local data processor", "local-data-processor"),
          page("Verify, explain, record", "verify"),
        ],
      },
      {
        text: "In tests",
        items: [
          page("Testing", "testing"),
          page("In your project", "projects"),
          page("Contracts", "contracts"),
          page("Consuming results safely", "consuming-results"),
          page("Testing failures", "testing-failures"),
          page("Starknet", "starknet"),
        ],
      },
      { text: "Modules", items: [page("Modules", "modules"), page("Cairo machine", "cairo-vm")] },
      {
        text: "The service",
        items: [
          page("Service", "service"),
          page("Endpoints", "endpoints"),
          page("Submissions", "submissions"),
          page("Development server", "dev-server"),
          page("One task everywhere", "one-task-everywhere"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Commands", "commands"),
          page("Configuration", "configuration"),
          page("API", "api"),
          page("Errors", "errors/"),
        ],
      },
    ],
  },
});

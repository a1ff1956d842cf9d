import { fileURLToPath } from "node:url";

import { defineConfig } from "vitepress";
import llmstxt from "vitepress-plugin-llms";

const resolved = (name) => fileURLToPath(import.meta.resolve(name));
const page = (text, link) => ({ text, link: `/${link}` });

// The pages are those of ../docs, which are in the package too: the site adds a frame, search and plain-text twins.
export default defineConfig({
  title: "hardhat-hdp",
  description: "A Hardhat 3 toolkit for the data processor: tasks over proven on-chain data, computed locally in tests",
  srcDir: "../docs",
  outDir: "./dist",
  cacheDir: "./.vitepress/cache",
  cleanUrls: true,
  // The index of errors is a folder, which a server answers with its page.
  ignoreDeadLinks: [/^\.\/errors$/],
  rewrites: { "README.md": "index.md", "errors/README.md": "errors/index.md" },
  markdown: {
    // Pages name arguments as <file>: of HTML only what they mean as HTML is let through.
    config(md) {
      const meant = (tokens, at) =>
        /^\s*<\/?(a|kbd)\b/.test(tokens[at].content) ? tokens[at].content : md.utils.escapeHtml(tokens[at].content);
      md.renderer.rules.html_inline = meant;
      md.renderer.rules.html_block = meant;
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
    plugins: [llmstxt()],
    // The pages lie outside of this folder, and with them what Vite would look for beside them.
    resolve: { alias: Object.fromEntries(["vue/server-renderer", "vue"].map((name) => [name, resolved(name)])) },
  },
  themeConfig: {
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: "https://github.com/hardhat-hdp/hardhat-hdp" }],
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
          page("Journal", "journal"),
          page("Local front", "local-front"),
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

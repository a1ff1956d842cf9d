// Bundles the playground of the site: one script and one style sheet, of `hardhat-hdp/request` as a user's bundler takes it
// and Preact. Run by the site's build, after `npm run build`.
import { build } from "esbuild";

import { root } from "./root.js";

await build({
  absWorkingDir: root,
  entryPoints: ["dashboard/playground.tsx", "dashboard/playground.css"],
  outdir: "site/.vitepress/playground",
  tsconfig: "dashboard/tsconfig.json",
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  legalComments: "none",
});

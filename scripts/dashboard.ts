// Bundles the pages that the development server shows (`dashboard/`), each into one script and one style sheet.
import { copyFileSync } from "node:fs";
import { join } from "node:path";

import { build, type Metafile } from "esbuild";

import { root } from "./root.js";

const folder = "dist/dashboard";

/** Writes `dist/dashboard` and returns what its files are made of. */
export async function bundleDashboard(): Promise<Metafile["outputs"]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      page: "dashboard/main.tsx",
      stream: "dashboard/worker.ts",
      endpoints: "dashboard/endpoints.ts",
    },
    outdir: folder,
    tsconfig: "dashboard/tsconfig.json",
    bundle: true,
    minify: true,
    format: "esm",
    // Chromium 123, Firefox 120 and Safari 17.5 have `light-dark()` of style sheets.
    target: ["chrome123", "firefox120", "safari17.5"],
    legalComments: "none",
    metafile: true,
  });
  for (const page of ["index.html", "endpoints.html"]) {
    copyFileSync(join(root, "dashboard", page), join(root, folder, page));
  }
  copyFileSync(join(root, "site", "icon.svg"), join(root, folder, "icon.svg"));
  return metafile.outputs;
}

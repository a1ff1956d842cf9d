// The second half of `npm run build`: the JavaScript that is shipped, bundled by entry with shared chunks, with maps.
// A chunk holds what the same entries and lazy imports need, so that none loads more. Types are tsc's, a file each: of
// what it wrote to `.types`, those that the public entries speak of.
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { build, type Metafile } from "esbuild";
import ts from "typescript";
import { z } from "zod";

import { root } from "./root.js";

const manifest = z.object({
  exports: z.record(z.union([z.string(), z.object({ types: z.string(), default: z.string() })])),
  dependencies: z.record(z.string()),
  peerDependencies: z.record(z.string()),
});
const installed = z.object({ name: z.string(), version: z.string() });

/** What a worker thread starts with: a file of its own. */
const THREADS = ["src/front/class-thread.ts"];

const { exports, dependencies, peerDependencies } = manifest.parse(
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
);
const entries = Object.values(exports).flatMap((target) => (typeof target === "string" ? [] : [target]));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    ...entries.map((entry) => entry.default.replace("./dist/", "src/").replace(/\.js$/, ".ts")),
    ...THREADS,
  ],
  outdir: "dist",
  outbase: "src",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.13",
  external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
  // The sources are shipped beside the maps.
  sourcemap: true,
  sourcesContent: false,
  legalComments: "inline",
  metafile: true,
});

writeFileSync(join(root, "dist", "THIRD-PARTY-NOTICES.txt"), notices(metafile));
const declarations = declarationsOf(entries.map(({ types }) => types.replace("./dist/", "")));
for (const file of declarations.flatMap((name) => [name, `${name}.map`])) {
  mkdirSync(join(root, "dist", dirname(file)), { recursive: true });
  copyFileSync(join(root, ".types", file), join(root, "dist", file));
}
const files = new Set([
  ...Object.keys(metafile.outputs),
  ...declarations.flatMap((name) => [`dist/${name}`, `dist/${name}.map`]),
]);
for (const file of globSync("dist/**/*.{js,js.map,d.ts,d.ts.map}", { cwd: root })) {
  if (!files.has(file)) rmSync(join(root, file));
}
// Last: set-up takes it for the sign of a whole build. Tests read from it what each chunk holds.
writeFileSync(join(root, "dist", ".metafile.json"), JSON.stringify(metafile));

/** The declarations of some files and of all that these name, by their paths in `.types`. */
function declarationsOf(start: readonly string[]): string[] {
  const found = new Set(start);
  for (const file of found) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, ".types", file), "utf8"));
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith(".")) found.add(join(dirname(file), fileName.replace(/\.js$/, ".d.ts")));
    }
  }
  return [...found];
}

/** The licences of the packages of which chunks hold a part. */
function notices({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version } = installed.parse(JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")));
    const [file] = globSync("LICENSE*", { cwd: join(root, folder) });
    if (file === undefined) throw new Error(`${folder} has no licence to hand on`);
    return `${name} ${version}\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return `The JavaScript of this package holds parts of these packages.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

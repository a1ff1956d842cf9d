// The second half of `npm run build`: the JavaScript that is shipped, bundled by entry with shared chunks, with maps.
// A chunk holds what the same entries and lazy imports need, so that none loads more. Types are tsc's, a file each: of
// what it wrote to `.types`, those that the public entries speak of.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { decode, encode } from "@jridgewell/sourcemap-codec";
import { build, type Metafile, type Plugin } from "esbuild";
import ts from "typescript";
import { z } from "zod";

import { bundleDashboard } from "./dashboard.js";
import { root } from "./root.js";

const manifest = z.object({
  exports: z.record(z.union([z.string(), z.object({ types: z.string(), default: z.string() })])),
  dependencies: z.record(z.string()),
  peerDependencies: z.record(z.string()),
});
const installed = z.object({ name: z.string(), version: z.string() });
const sourceMap = z.object({ mappings: z.string() }).passthrough();

/** The few functions in use are carried, which saves loading some 270 files; clients are the peer's own. */
const CARRIED = "viem/utils";
/** Of that, what clients alone import, and lazily. */
const UNUSED = "/utils/ccip.js";
/** Has the one `import()` of all chunks. */
const LAZILY = "dist/chunks/lazily.js";

const { exports, dependencies, peerDependencies } = manifest.parse(
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
);
const entries = Object.values(exports).flatMap((target) =>
  typeof target === "string" ? [] : [target],
);

const entryPoints = entries.map((entry) =>
  entry.default.replace("./dist/", "src/").replace(/\.js$/, ".ts"),
);
const external = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
/** What the package asks for when it is used. */
const fromOutside: Plugin = {
  name: "from-outside",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^[@\w]/ }, ({ path }) => {
      const isExternal = external.some((name) => path === name || path.startsWith(`${name}/`));
      return isExternal && path !== CARRIED ? { path, external: true } : undefined;
    });
    // What is imported lazily counts as used, also where what imports it is not: calls by clients, in this case.
    bundler.onResolve({ filter: /\/ccip\.js$/ }, ({ path, kind }) =>
      kind === "dynamic-import" && path.endsWith(UNUSED) ? { path, external: true } : undefined,
    );
  },
};
/** Each file of another package is one place in the maps: its lines are not shipped. */
const othersInOnePlace: Plugin = {
  name: "others-in-one-place",
  setup: (bundler) => {
    bundler.onLoad({ filter: /node_modules\/.*\.js$/ }, ({ path }) => {
      const code = readFileSync(path, "utf8").replaceAll(/^\/\/# sourceMappingURL=.*$/gm, "");
      const map = JSON.stringify({ version: 3, sources: [basename(path)], mappings: "AAAA" });
      const url = `data:application/json;base64,${Buffer.from(map).toString("base64")}`;
      return { contents: `${code}\n//# sourceMappingURL=${url}` };
    });
  },
};

const built = await build({
  absWorkingDir: root,
  entryPoints,
  outdir: "dist",
  outbase: "src",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  // jsonc-parser: what it has as "main" calls `require` with names that no bundler sees.
  mainFields: ["module", "main"],
  target: "node22.13",
  // Names stay for stack traces, and maps name file and line of the sources. These are not shipped: nothing reads them
  // but a debugger, and they are a third of the package. Types, with what is said of them, are files of their own.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  sourcemap: true,
  sourcesContent: false,
  legalComments: "inline",
  metafile: true,
  plugins: [fromOutside, othersInOnePlace],
});

/** One file without Node's modules: bundlers for web pages take it, by the condition "browser". */
const forBrowsers = await build({
  absWorkingDir: root,
  entryPoints: ["src/entries/request.ts"],
  outfile: "dist/browser/request.js",
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  keepNames: true,
  lineLimit: 160,
  legalComments: "inline",
  metafile: true,
  inject: ["scripts/browser/buffer.ts"],
  alias: {
    "hardhat/plugins": "./scripts/browser/hardhat-plugins.ts",
    "node:timers/promises": "./scripts/browser/timers.ts",
    "node:util": "./scripts/browser/util.ts",
  },
});
const browserFiles = Object.keys(forBrowsers.metafile.outputs);

const outputs = needed(built.metafile);
const page = await bundleDashboard();
writeFileSync(
  join(root, "dist", "THIRD-PARTY-NOTICES.txt"),
  notices({ ...outputs, ...page, ...forBrowsers.metafile.outputs }),
);
const declarations = declarationsOf(entries.map(({ types }) => types.replace("./dist/", "")));
for (const file of declarations) {
  mkdirSync(join(root, "dist", dirname(file)), { recursive: true });
  const text = readFileSync(join(root, ".types", file), "utf8");
  writeFileSync(
    join(root, "dist", file),
    text
      .replaceAll(/^(?: {4})+/gm, ({ length }) => " ".repeat(length / 4))
      // Projects without Starknet have no starknet.js, and some check the types of libraries.
      .replaceAll(/^import type .* from "starknet";$/gm, "// @ts-ignore\n$&")
      // Types of errors are made from messages and hints; titles and descriptions are half of the catalogue's bytes.
      .replaceAll(/^( +readonly (?:title|description): )".*";$/gm, "$1string;"),
  );
}
for (const file of Object.keys(outputs).filter((name) => name.endsWith(".map"))) {
  writeFileSync(join(root, file), byLines(readFileSync(join(root, file), "utf8")));
}
for (const file of Object.keys(outputs).filter(
  (name) => name.includes("/chunks/") && name.endsWith(".js"),
)) {
  writeFileSync(join(root, file), withoutImportCalls(readFileSync(join(root, file), "utf8")));
}
writeFileSync(join(root, LAZILY), "export const lazily=(chunk)=>import(chunk);\n");
const files = new Set([
  ...Object.keys(outputs),
  ...Object.keys(page),
  ...browserFiles,
  LAZILY,
  ...declarations.map((file) => `dist/${file}`),
]);
for (const file of globSync("dist/**/*.{js,map,d.ts}", { cwd: root })) {
  if (!files.has(file)) rmSync(join(root, file));
}
// Last: set-up takes it for the sign of a whole build. Tests read from it what each chunk holds.
writeFileSync(join(root, "dist", ".metafile.json"), JSON.stringify({ outputs }));

/** A map that names lines of the sources and no places in them: all that stack traces need, in a third of the bytes. */
function byLines(text: string): string {
  const map = sourceMap.parse(JSON.parse(text));
  const lines = decode(map.mappings).map((segments) =>
    segments.filter(([, source, line], at) => {
      const [, sourceBefore, lineBefore] = segments[at - 1] ?? [];
      return at === 0 || source !== sourceBefore || line !== lineBefore;
    }),
  );
  return JSON.stringify({ ...map, mappings: encode(lines) });
}

/**
 * Hardhat loads through tsx, which copies every file that has an `import()` piece by piece, with a map of it: that takes
 * longer than loading it. Chunks import each other through one small file; nothing in them changes its place.
 */
function withoutImportCalls(code: string): string {
  const changed = code.replaceAll(/\bimport(?=\("\.\/[\w-]+-[A-Z0-9]{8}\.js"\))/g, "lazily");
  if (changed === code) return code;
  if (/\blazily\b/.test(code))
    throw new Error("a chunk has a name of its own for what imports lazily");
  return changed.replace(/(?=\n\/\/# sourceMappingURL=)/, '\nimport{lazily}from"./lazily.js";');
}

/** What entries load and import lazily, with the maps: the bundler writes chunks too that nothing needs in the end. */
function needed({ outputs: all }: Metafile): Metafile["outputs"] {
  const found = new Set(
    Object.keys(all).filter((file) => entryPoints.includes(all[file]?.entryPoint ?? "")),
  );
  for (const file of found) {
    for (const { path, external } of all[file]?.imports ?? []) {
      if (external !== true) found.add(path);
      else if (path.endsWith(UNUSED))
        throw new Error(`${file} imports ${path}, which is taken for unused`);
    }
  }
  return Object.fromEntries(
    Object.entries(all).filter(([file]) => found.has(file.replace(/\.map$/, ""))),
  );
}

/** The declarations of some files and of all that these name, by their paths in `.types`. */
function declarationsOf(start: readonly string[]): string[] {
  const found = new Set(start);
  for (const file of found) {
    const text = readFileSync(join(root, ".types", file), "utf8");
    const imported = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
    // The one form that is not seen there.
    const namespaces = [...text.matchAll(/^export \* as \w+ from "([^"]+)"/gm)].map(
      ([, name = ""]) => name,
    );
    for (const fileName of [...imported, ...namespaces]) {
      if (fileName.startsWith("."))
        found.add(join(dirname(file), fileName.replace(/\.js$/, ".d.ts")));
    }
  }
  return [...found];
}

/** The licences of the packages of which chunks and the dashboard hold a part. */
function notices(files: Metafile["outputs"]): string {
  const sources = Object.values(files).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = sources.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version } = installed.parse(
      JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")),
    );
    const [file] = globSync("LICENSE*", { cwd: join(root, folder) });
    if (file === undefined) throw new Error(`${folder} has no licence to hand on`);
    return `${name} ${version}\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return `The JavaScript of this package holds parts of these packages.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

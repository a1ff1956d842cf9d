import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

import { root } from "./hardhat-cli.js";

const imported = z.object({ path: z.string(), kind: z.string(), external: z.boolean().optional() });
const chunk = z.object({
  bytes: z.number(),
  inputs: z.record(z.unknown()),
  imports: z.array(imported),
  entryPoint: z.string().optional(),
});
const metafile = z.object({ outputs: z.record(chunk) });

/** A file of `dist`: the sources it was made of, and what it imports. */
export interface BuiltFile {
  readonly path: string;
  readonly bytes: number;
  readonly sources: readonly string[];
  /** Files that load with it, and others that it imports lazily. */
  readonly loads: readonly string[];
  readonly loadsLater: readonly string[];
  /** Packages and modules of Node that load with it, and those that it imports lazily. */
  readonly packages: readonly string[];
  readonly packagesLater: readonly string[];
}

/** What `npm run build` made, as the bundler reports it. */
export class BuiltPackage {
  readonly files: ReadonlyMap<string, BuiltFile>;
  readonly #entries: ReadonlyMap<string, string>;

  constructor() {
    const { outputs } = metafile.parse(
      JSON.parse(readFileSync(join(root, "dist", ".metafile.json"), "utf8")),
    );
    const scripts = Object.entries(outputs).filter(([path]) => path.endsWith(".js"));
    this.files = new Map(
      scripts.map(([path, { bytes, inputs, imports }]) => {
        const ofKind = (kind: string, external: boolean): string[] =>
          imports
            .filter((one) => one.kind === kind && (one.external === true) === external)
            .map((one) => one.path);
        return [
          path,
          {
            path,
            bytes,
            sources: Object.keys(inputs),
            loads: ofKind("import-statement", false),
            loadsLater: ofKind("dynamic-import", false),
            packages: ofKind("import-statement", true),
            packagesLater: ofKind("dynamic-import", true),
          },
        ];
      }),
    );
    this.#entries = new Map(
      scripts.flatMap(([path, { entryPoint }]) =>
        entryPoint === undefined ? [] : [[entryPoint, path]],
      ),
    );
  }

  /** The file that stands for a source which is a public entry or imported lazily. */
  of(source: string): BuiltFile {
    const file = this.files.get(this.#entries.get(source) ?? "");
    if (file === undefined)
      throw new Error(`nothing in dist stands for ${source}: has it been built?`);
    return file;
  }

  /** A file, and all that load with it before a line of it runs. */
  loadedWith(file: BuiltFile): BuiltFile[] {
    const found = new Set([file]);
    for (const { loads } of found) {
      for (const path of loads) {
        const next = this.files.get(path);
        if (next !== undefined) found.add(next);
      }
    }
    return [...found];
  }

  /** The sources in files that Node has loaded, by their addresses. */
  sourcesOf(urls: readonly string[]): string[] {
    const paths = urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
    return [...this.files.values()]
      .filter(({ path }) => paths.includes(join(root, path)))
      .flatMap(({ sources }) => sources);
  }
}

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

import { getAllFilesMatching } from "@nomicfoundation/hardhat-utils/fs";

import { isRecord } from "../base/collections.js";
import { parsePlainJson } from "../base/json.js";
import { sierraPath } from "../program/scarb.js";

/** Returns the Scarb package that built a class into `<package>/target/<profile>`. */
export function findPackage(file: string): string | undefined {
  const target = dirname(dirname(file));
  const folder = dirname(target);
  return basename(target) === "target" && existsSync(join(folder, "Scarb.toml"))
    ? folder
    : undefined;
}

/** Returns the paths of a package's sources. */
export async function listSources(folder: string): Promise<readonly string[]> {
  return await getAllFilesMatching(join(folder, "src"), (path) => path.endsWith(".cairo"));
}

/** What the package of a class says of it. */
export interface PackageFacts {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly scarbToml: string | undefined;
  /** Texts by path within the package, with forward slashes. */
  readonly sources: Readonly<Record<string, string>> | undefined;
  /** The ABI of the Sierra class beside the file. */
  readonly abi: unknown;
}

/** Returns what is known of the package that built a class; nothing for a class that lies elsewhere. */
export async function packageFacts(file: string): Promise<PackageFacts> {
  const abi = await abiBeside(file);
  const folder = findPackage(file);
  if (folder === undefined)
    return { name: undefined, version: undefined, scarbToml: undefined, sources: undefined, abi };
  const scarbToml = await readFile(join(folder, "Scarb.toml"), "utf8");
  const { parse } = await import("smol-toml");
  const { package: section } = parse(scarbToml);
  const said = (key: string): string | undefined => {
    const value: unknown = isRecord(section) ? section[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const texts = await Promise.all(
    (await listSources(folder)).map(
      async (path) =>
        [relative(folder, path).replaceAll("\\", "/"), await readFile(path, "utf8")] as const,
    ),
  );
  const sources = Object.fromEntries(texts.sort(([one], [other]) => (one < other ? -1 : 1)));
  return { name: said("name"), version: said("version"), scarbToml, sources, abi };
}

async function abiBeside(file: string): Promise<unknown> {
  const sierra = sierraPath(file);
  if (sierra === undefined || !existsSync(sierra)) return undefined;
  const json = parsePlainJson(await readFile(sierra, "utf8"));
  return isRecord(json) ? json["abi"] : undefined;
}

import { existsSync } from "node:fs";

/**
 * A file that comes with this package, by its path in it, wherever the code that asks has been put.
 *
 * @example shipped("contracts/starknet/artifacts/class-hashes.json")
 */
export function shipped(path: string): URL {
  return new URL(path, packageFolder());
}

function packageFolder(): URL {
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    if (existsSync(new URL("package.json", folder))) return folder;
    if (folder.pathname === "/") throw new Error(`There is no package round ${import.meta.url}.`);
  }
}

// Gives the Cairo packages, and the tag that the pages name, the version of package.json: the release workflow runs it
// after `changeset version`. It is written so that Node runs it as it is.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const cairo = join("contracts", "starknet");

/** Where the version stands besides package.json. */
export const VERSIONED_FILES: readonly string[] = [
  join(cairo, "Scarb.toml"),
  ...["hardhat_hdp_module", "hardhat_hdp_testing", "hardhat_hdp_prebuilt"].map((name) =>
    join(cairo, name, "Scarb.toml"),
  ),
  join("docs", "starknet.md"),
  join("docs", "cairo-packages.md"),
];

/** A version of the packages in a manifest, and the tag of one in a page. */
const VERSION =
  /(^version = "|hardhat_hdp\w* = \{ path = "[^"]*", version = "|tag = "v|`v(?=\d+\.\d+\.\d+` is version)|(?<=`v\S+` is version ))\d+\.\d+\.\d+(?:-[\w.]+)?/gm;

/** Returns a text with a version in the place of the packages' own. */
export function withVersion(text: string, version: string): string {
  return text.replaceAll(VERSION, (_, before: string) => `${before}${version}`);
}

if (process.argv[1] === import.meta.filename) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly version: string;
  };
  for (const file of VERSIONED_FILES) {
    const text = readFileSync(join(root, file), "utf8");
    writeFileSync(join(root, file), withVersion(text, version));
  }
}

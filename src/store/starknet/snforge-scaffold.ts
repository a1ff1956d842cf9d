import { HdpError } from "../../base/errors.js";
import { TomlText } from "./toml-text.js";

/** The mock's path in Cairo, as `build-external-contracts` names it. */
const MOCK = "hardhat_hdp::mock::ExecutionStoreMock";
/** The first version with everything the helpers use. */
const SNFORGE = "0.63.0";

export interface ScarbAdditions {
  /** Path of this package's Cairo packages from the folder of `Scarb.toml`, with forward slashes. */
  readonly cairoPath: string;
}

/**
 * `Scarb.toml` with what a test against the mock needs. Text is only added: every line that was there stays as it is,
 * comments included, and a setting that is there already is left alone. Unchanged where nothing is missing.
 *
 * @throws HDP-8016 for a file whose form this cannot add to safely
 */
export function addToScarbToml(text: string, { cairoPath }: ScarbAdditions): string {
  const toml = new TomlText(text, "Scarb.toml");
  if (!toml.hasTable("package")) {
    throw new HdpError({
      code: "HDP-8016",
      message: "Scarb.toml has no [package] section, so it has no tests of its own.",
      hints: ["Name the folder of one package: npx hardhat hdp:snforge:init <dir>"],
    });
  }
  toml.addKey("dependencies", "hardhat_hdp", `{ path = "${cairoPath}" }`);
  if (!toml.hasKey("dependencies", "starknet")) toml.addKey("dependencies", "starknet", `">=2.13.1"`);
  toml.addKey("dev-dependencies", "hardhat_hdp_testing", `{ path = "${cairoPath}/testing" }`);
  if (!toml.hasKey("dependencies", "snforge_std")) toml.addKey("dev-dependencies", "snforge_std", `"${SNFORGE}"`);
  toml.addToArray("target.starknet-contract", "build-external-contracts", MOCK, "array");
  toml.addKey("scripts", "test", `"snforge test"`);
  toml.addToArray("tool.scarb", "allow-prebuilt-plugins", "snforge_std", "table");
  return toml.text;
}

/**
 * The version of `snforge_std` that `Scarb.toml` pins, where it is older than the helpers need. Undefined where it is new
 * enough, open upwards (`>=0.50.0`), or told by something else than a version.
 */
export function outdatedSnforge(text: string): { readonly found: string; readonly needed: string } | undefined {
  const toml = new TomlText(text, "Scarb.toml");
  const written = toml.written("dev-dependencies", "snforge_std") ?? toml.written("dependencies", "snforge_std") ?? "";
  const [, open, found = ""] = /(?:^|tag|version)[\s="^~v]*(>?)=?\s*v?(\d+(?:\.\d+){0,2})/.exec(written) ?? [];
  if (found === "" || open === ">") return undefined;
  const [have, need] = [found, SNFORGE].map((version) => version.split(".").map(Number));
  const differs = [0, 1, 2].find((part) => (have?.[part] ?? 0) !== (need?.[part] ?? 0));
  return differs !== undefined && (have?.[differs] ?? 0) < (need?.[differs] ?? 0)
    ? { found, needed: SNFORGE }
    : undefined;
}

/** A new `Scarb.toml`. */
export function newScarbToml(packageName: string, additions: ScarbAdditions): string {
  return addToScarbToml(`[package]\nname = "${packageName}"\nversion = "0.1.0"\nedition = "2024_07"\n`, additions);
}

/** `snfoundry.toml` with a profile for a devnet on this machine; `text` is undefined where there is none yet. */
export function addToSnfoundryToml(text = ""): string {
  const toml = new TomlText(text, "snfoundry.toml");
  if (toml.hasTable("sncast.devnet")) return text;
  toml.addKey("sncast.devnet", "account", `"devnet-1"`);
  toml.addKey("sncast.devnet", "url", `"http://127.0.0.1:5050"`);
  return toml.text;
}

/** A folder's name as the name of a Cairo package. */
export function cairoPackageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(name) ? name : `package_${name}`.replace(/_$/, "");
}

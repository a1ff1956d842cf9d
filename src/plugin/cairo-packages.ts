import { relative } from "node:path";
import { fileURLToPath } from "node:url";

import { findUp } from "@nomicfoundation/hardhat-utils/fs";

import { shipped } from "../base/files.js";

/** Where this package has its Cairo packages. */
export const ownCairo = fileURLToPath(shipped("contracts/starknet/"));

/**
 * Returns the path from a folder to the Cairo packages, with forward slashes, as a `Scarb.toml` there names them. Prefers
 * the installed package, whose path is right on every machine, to this one.
 */
export async function cairoPathFrom(folder: string, projectRoot: string): Promise<string> {
  const installed = await findUp("node_modules/hardhat-hdp/contracts/starknet", projectRoot);
  return relative(folder, installed ?? ownCairo).replaceAll("\\", "/");
}

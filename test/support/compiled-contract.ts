import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { CompiledContract } from "../../scripts/solidity-compiler.js";
import { root } from "./hardhat-cli.js";

let compiled: Readonly<Record<string, CompiledContract>> | undefined;

/** A contract that tests deploy, by its name, as `npm run contracts` compiled it. */
export function compiledContract(name: string): CompiledContract {
  compiled ??= JSON.parse(
    readFileSync(join(root, "test", "compiled-contracts.json"), "utf8"),
  ) as Readonly<Record<string, CompiledContract>>;
  const contract = compiled[name];
  if (contract === undefined) throw new Error(`${name} was not compiled: npm run contracts`);
  return contract;
}

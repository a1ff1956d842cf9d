// Compiles the package's Solidity with the pinned compiler and settings whose output is shipped.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { root } from "./toolchain.mjs";

const require = createRequire(import.meta.url);
const solc = require("solc");

/** Settings of the shipped bytecode: the widest EVM that knows no PUSH0, and no metadata hash, so that it is stable. */
const SETTINGS = {
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
};

/** Version of the compiler that is installed, without its commit. */
export const compilerVersion = solc.version().split("+")[0];

/** Where an imported path is: in the package's contracts, or in an installed package. */
function read(path) {
  const own = join(root, path);
  return { contents: readFileSync(existsSync(own) ? own : require.resolve(path), "utf8") };
}

/**
 * Compiles files of the package, given by their paths from its root.
 * Returns `{ [contract name]: { abi, bytecode, deployedBytecode } }` of these files; throws on any error or warning.
 */
export function compile(paths, settings = SETTINGS) {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(paths.map((path) => [path, { content: readFileSync(join(root, path), "utf8") }])),
    settings: {
      ...settings,
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  const complaints = (output.errors ?? []).map((error) => error.formattedMessage);
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  return Object.fromEntries(
    paths.flatMap((path) =>
      Object.entries(output.contracts[path] ?? {}).map(([name, contract]) => [
        name,
        {
          abi: contract.abi,
          bytecode: `0x${contract.evm.bytecode.object}`,
          deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
        },
      ]),
    ),
  );
}

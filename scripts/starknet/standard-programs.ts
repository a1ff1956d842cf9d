import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";
import { z } from "zod";

import { shortStringFelt } from "../../src/base/felt.js";
import { toWord } from "../../src/base/hex.js";
import { parseCompiledClassText } from "../../src/program/compiled-class.js";
import { programHash } from "../../src/program/program-hash.js";
import { filesOf, type FolderFiles } from "../../test/support/snforge.js";
import type { StarknetTools } from "../../test/support/starknet-tools.js";
import { root } from "../root.js";
import { scarbBuild } from "./scarb-build.js";

export const programsFolder = join(root, "contracts", "starknet", "programs");

const PROGRAMS = [
  { name: "blocks", contract: "Blocks", about: "a datalake task over sampled blocks" },
  {
    name: "transactions",
    contract: "Transactions",
    about: "a datalake task over the transactions of one block",
  },
] as const;

interface Facts {
  readonly name: string;
  readonly about: string;
  readonly programHash: Hex;
  /** The first input, a short string. */
  readonly format: string;
}

/** Builds the standard programs, and writes their hashes for TypeScript, Solidity and Cairo: text by file. */
export async function buildStandardPrograms(
  tools: StarknetTools,
): Promise<Readonly<Record<string, string>>> {
  const manifest = readFileSync(join(programsFolder, "Scarb.toml"), "utf8");
  const sources: FolderFiles = filesOf(join(programsFolder, "src"), "src/");
  const files = { ...sources, "Scarb.toml": manifest };
  const classes: Record<string, string> = {};
  const facts: Facts[] = [];
  for (const { name, contract, about } of PROGRAMS) {
    const { casm } = await scarbBuild(tools, files, `hardhat_hdp_programs_${contract}`);
    const text = inOneSegment(casm);
    const file = join(programsFolder, "compiled", `${contract}.compiled_contract_class.json.br`);
    classes[file] = text;
    const hash = programHash(parseCompiledClassText(text, { file }));
    facts.push({ name, about, programHash: hash, format: formatOf(sources[`src/${name}.cairo`]) });
  }
  return {
    ...classes,
    [join(root, "src", "request", "program-facts.ts")]: typescriptOf(facts),
    [join(root, "contracts", "libraries", "HdpPrograms.sol")]: solidityOf(facts),
    [join(root, "contracts", "starknet", "hardhat_hdp", "src", "programs.cairo")]: cairoOf(facts),
  };
}

const compiled = z
  .object({ bytecode: z.array(z.string()), bytecode_segment_lengths: z.unknown() })
  .passthrough();

/**
 * Returns a compiled class with its bytecode in one segment: then the hash by segments, which registries of 2024 name a
 * program by, is the flat hash, which the prover computes. A list of one length would give a third hash.
 */
function inOneSegment(casm: string): string {
  const parsed = compiled.parse(JSON.parse(casm));
  return `${JSON.stringify({ ...parsed, bytecode_segment_lengths: parsed.bytecode.length })}\n`;
}

function formatOf(source = ""): string {
  const format = /^ *const FORMAT: felt252 = '([^']+)';$/m.exec(source)?.[1];
  if (format === undefined) throw new Error("a program's source has no FORMAT");
  return format;
}

function typescriptOf(facts: readonly Facts[]): string {
  const entries = facts.map(
    ({ name, programHash: hash, format }) => `  ${name}: {
    programHash: "${hash}",
    format: "${format}",
  },
`,
  );
  return `// Written by \`npm run cairo\` from contracts/starknet/programs.

/** Hash of each standard program, and the short string that is its first input. */
export const PROGRAM_FACTS = {
${entries.join("")}} as const;
`;
}

function solidityOf(facts: readonly Facts[]): string {
  const constants = facts.map(
    ({ name, about, programHash: hash, format }) => `
    /// @notice Program hash: ${about}.
    bytes32 internal constant ${name.toUpperCase()}_PROGRAM = ${toWord(BigInt(hash))};
    /// @notice First input of the same: '${format}'.
    bytes32 internal constant ${name.toUpperCase()}_FORMAT = ${toWord(shortStringFelt(format))};
`,
  );
  return `// SPDX-License-Identifier: MIT
// Written by \`npm run cairo\` from contracts/starknet/programs.
pragma solidity >=0.8.21 <0.9.0;

/// @title HdpPrograms
/// @author The hardhat-hdp authors
/// @notice Program hashes of the standard programs, and the word that each has as its first input.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpPrograms {${constants.join("")}}
`;
}

function cairoOf(facts: readonly Facts[]): string {
  const constants = facts.map(
    ({ name, about, programHash: hash, format }) => `
/// Program hash: ${about}.
pub const ${name.toUpperCase()}_PROGRAM: felt252 =
    ${hash};
/// First input of the same.
pub const ${name.toUpperCase()}_FORMAT: felt252 = '${format}';
`,
  );
  return `// SPDX-License-Identifier: MIT
//! Program hashes of the standard programs, and the word that each has as its first input.
//! Written by \`npm run cairo\` from contracts/starknet/programs.
${constants.join("")}`;
}

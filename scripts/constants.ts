// `npm run constants` (a part of `npm run generate`): writes what follows from the tables of fields, functions and chains
// into the Solidity types, the Cairo package and the documentation. A test compares the files with what it writes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { capitalize } from "@nomicfoundation/hardhat-utils/string";
import { format } from "prettier";

import { CHAINS } from "../src/request/chains.js";
import { AGGREGATE_FUNCTIONS, type FieldKind, FIELDS, FUNCTIONS } from "../src/request/fields.js";
import { type FieldSupport, listFields } from "../src/request/field-support.js";
import { root } from "./root.js";

const SOLIDITY_TYPES = "contracts/libraries/HdpTypes.sol";
const SOLIDITY_TEXTS = "contracts/test/HdpTaskText.sol";
const CAIRO_DATALAKE = "contracts/starknet/hardhat_hdp/src/datalake.cairo";
const CAIRO_FIELDS = "contracts/starknet/hardhat_hdp/src/fields.cairo";
const CAIRO_CHAINS = "contracts/starknet/hardhat_hdp/src/chains.cairo";
const REQUESTS_PAGE = "docs/requests.md";

/** The first line of a Cairo source. */
const LICENSE = "// SPDX-License-Identifier: MIT\n";

/** What each kind of fields is called in the contracts. */
const KINDS: Readonly<
  Record<FieldKind, { readonly solidity: string; readonly cairo: string; readonly of: string }>
> = {
  header: { solidity: "HeaderField", cairo: "header", of: "a block header" },
  account: { solidity: "AccountField", cairo: "account", of: "an account" },
  tx: { solidity: "TransactionField", cairo: "transaction", of: "a transaction" },
  tx_receipt: { solidity: "ReceiptField", cairo: "receipt", of: "a receipt" },
};

/** Ids of the published contracts, behind the functions, that no data processor evaluates. */
const WITHOUT_FUNCTION = ["MERKLE", "SLR"];

const kinds = Object.entries(FIELDS) as readonly (readonly [
  FieldKind,
  Readonly<Record<string, { readonly about: string }>>,
])[];
const functions = Object.entries(FUNCTIONS);

/** Returns the text with one occurrence replaced. @throws if the text has none */
function replaced(text: string, pattern: RegExp, by: string): string {
  if (!pattern.test(text)) throw new Error(`nothing matches ${String(pattern)}`);
  return text.replace(pattern, () => by);
}

function solidityTypes(text: string): string {
  const enums = kinds.map(([kind, fields]) => [KINDS[kind].solidity, Object.keys(fields)] as const);
  const all = [["AggregateFn", [...AGGREGATE_FUNCTIONS, ...WITHOUT_FUNCTION]] as const, ...enums];
  return all.reduce((written, [name, members]) => {
    const lines = members.map((member) => `    ${member.toUpperCase()}`).join(",\n");
    return replaced(
      written,
      new RegExp(`^enum ${name} \\{[^}]*\\}`, "m"),
      `enum ${name} {\n${lines}\n}`,
    );
  }, text);
}

/** Returns the library of texts with the names of functions and fields, a string for each kind. */
function solidityTexts(text: string): string {
  const named = kinds.map(([kind, fields]) => {
    const constant = KINDS[kind].solidity.replace("Field", "").toUpperCase();
    return [`${constant}_FIELDS`, Object.keys(fields)] as const;
  });
  const functionIds = [...AGGREGATE_FUNCTIONS, ...WITHOUT_FUNCTION.map((id) => id.toLowerCase())];
  return [["FUNCTIONS", functionIds] as const, ...named].reduce((written, [name, members]) => {
    const lines = members.join(",").match(/.{1,90}(?:,|$)/g) ?? [];
    const literals = lines.map((line) => `\n        "${line}"`).join("");
    return replaced(
      written,
      new RegExp(`(?<=string private constant ${name} =)[^;]*(?=;)`),
      lines.length === 1 ? ` "${lines.join("")}"` : literals,
    );
  }, text);
}

function cairoDatalake(text: string): string {
  const variants = functions.map(
    ([name, { about }]) => `    /// ${about}.\n    ${capitalize(name)},\n`,
  );
  const ids = functions.map(([name], id) => `        AggregateFn::${capitalize(name)} => ${id},\n`);
  const withEnum = replaced(
    text,
    /^pub enum AggregateFn \{[^}]*\}/m,
    `pub enum AggregateFn {\n${variants.join("")}}`,
  );
  return replaced(
    withEnum,
    /(?<=^(?:pub(?:\(crate\))? )?fn aggregate_fn_id\(.*\n {4}match aggregate_fn \{\n)[^}]*(?= {4}\})/m,
    ids.join(""),
  );
}

function cairoFields(): string {
  const modules = kinds.map(([kind, fields]) => {
    const constants = Object.entries(fields).map(
      ([name, { about }], id) =>
        `    /// ${about}.\n    pub const ${name.toUpperCase()}: u8 = ${id};\n`,
    );
    const { cairo, of } = KINDS[kind];
    return `/// Fields of ${of}.\npub mod ${cairo} {\n${constants.join("")}}\n`;
  });
  return `${LICENSE}//! Ids of the fields a datalake can sample, as they are hashed.\n\n${modules.join("\n")}`;
}

function cairoChains(): string {
  const constants = Object.entries(CHAINS).map(
    ([name, { id, about }]) => `/// ${about}.\npub const ${name}: u256 = ${id};\n`,
  );
  return `${LICENSE}//! Chain ids as they are hashed into datalakes.\n\n${constants.join("")}`;
}

async function requestsPage(text: string): Promise<string> {
  const quoted = AGGREGATE_FUNCTIONS.map((name) => `\`${name}\``);
  const all = `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1) ?? ""}`;
  const withHead = replaced(text, /^\| Kind .*$/m, `| Kind | With ${all} | With none |`);
  const table = kinds.reduce((written, [kind]) => {
    const names = (takes: (field: FieldSupport) => boolean): string =>
      listFields(kind)
        .filter(takes)
        .map(({ field }) => field)
        .join(", ");
    const supported = names((field) => field.functions.length > 0);
    const others = names((field) => field.functions.length === 0);
    return replaced(
      written,
      new RegExp(`^\\| \`${kind}\` .*$`, "m"),
      `| \`${kind}\` | ${supported} | ${others} |`,
    );
  }, withHead);
  return await format(table, { parser: "markdown", printWidth: 100 });
}

/** Returns the text of each file that follows from the tables, by its path. */
export async function constants(): Promise<Readonly<Record<string, string>>> {
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  return {
    [SOLIDITY_TYPES]: solidityTypes(read(SOLIDITY_TYPES)),
    [SOLIDITY_TEXTS]: solidityTexts(read(SOLIDITY_TEXTS)),
    [CAIRO_DATALAKE]: cairoDatalake(read(CAIRO_DATALAKE)),
    [CAIRO_FIELDS]: cairoFields(),
    [CAIRO_CHAINS]: cairoChains(),
    [REQUESTS_PAGE]: await requestsPage(read(REQUESTS_PAGE)),
  };
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of Object.entries(await constants()))
    writeFileSync(join(root, path), text);
}

import type { Address, Hex } from "viem";

import { wrongChecksum } from "../base/checksum.js";
import { nearest } from "../base/text.js";
import {
  AGGREGATE_FUNCTIONS,
  type AggregateFn,
  FIELD_NAMES,
  type FieldKind,
  fieldSupport,
  supportedFields,
} from "./fields.js";
import { type JsonForm, quote, type Reader, readText, type Report } from "./readers.js";
import type { BlockProperty, SampledProperty, TransactionProperty } from "./task.js";

/** What `TransactionsInBlock` and `BlockSampled` sample, in the words of messages. */
const FORMS = {
  header: "header.{field}",
  account: "account.{address}.{field}",
  storage: "storage.{address}.{slot}",
  tx: "tx.{field}",
  tx_receipt: "tx_receipt.{field}",
} as const;
type Kind = keyof typeof FORMS;

const BLOCK_KINDS = ["header", "account", "storage"] as const satisfies Kind[];
const TRANSACTION_KINDS = ["tx", "tx_receipt"] as const satisfies Kind[];

/** The specification's text of a property: lower case, 32-byte slots. */
export function formatSampledProperty(property: SampledProperty): string {
  switch (property.kind) {
    case "account":
      return `account.${property.address}.${property.field}`;
    case "storage":
      return `storage.${property.address}.${property.slot}`;
    case "header":
    case "tx":
    case "tx_receipt":
      return `${property.kind}.${property.field}`;
  }
}

/** Reads `header.`, `account.` and `storage.` properties, the kind and field in any letter case. */
export const readBlockProperty: Reader<BlockProperty> = (value, report) => {
  const parts = split(value, report, BLOCK_KINDS, "BlockSampled");
  if (parts === undefined) return undefined;
  const [kind, first, second] = parts;
  if (kind === "header") {
    const field = readField(FIELD_NAMES.header, kind, first, value, report);
    return field === undefined ? undefined : { kind, field };
  }
  const address = readAddress(first, value, report);
  if (kind === "account") {
    const field = readField(FIELD_NAMES.account, kind, second ?? "", value, report);
    return address === undefined || field === undefined ? undefined : { kind, address, field };
  }
  const slot = readSlot(second ?? "", value, report);
  return address === undefined || slot === undefined ? undefined : { kind, address, slot };
};

readBlockProperty.form = () =>
  propertyForm(
    names("header"),
    named("header"),
    `${anyCase("account")}\\.${ADDRESS}\\.(${FIELD_NAMES.account.map(anyCase).join("|")})`,
    `${anyCase("storage")}\\.${ADDRESS}\\.0[xX][0-9a-fA-F]{1,64}`,
  );

/** Reads `tx.` and `tx_receipt.` properties, the kind and field in any letter case. */
export const readTransactionProperty: Reader<TransactionProperty> = (value, report) => {
  const parts = split(value, report, TRANSACTION_KINDS, "TransactionsInBlock");
  if (parts === undefined) return undefined;
  const [kind, first] = parts;
  if (kind === "tx") {
    const field = readField(FIELD_NAMES.tx, kind, first, value, report);
    return field === undefined ? undefined : { kind, field };
  }
  const field = readField(FIELD_NAMES.tx_receipt, kind, first, value, report);
  return field === undefined ? undefined : { kind, field };
};

readTransactionProperty.form = () =>
  propertyForm([...names("tx"), ...names("tx_receipt")], named("tx"), named("tx_receipt"));

const ADDRESS = "0[xX][0-9a-fA-F]{40}";

/** Words for who completes, patterns for who checks: letter case does not count. */
function propertyForm(words: readonly string[], ...patterns: readonly string[]): JsonForm {
  return { anyOf: [{ enum: words }, { type: "string", pattern: `^(${patterns.join("|")})$` }] };
}

function names(kind: FieldKind): readonly string[] {
  return supportedFields(kind).map((name) => `${kind}.${name}`);
}

function named(kind: FieldKind): string {
  return `${anyCase(kind)}\\.(${FIELD_NAMES[kind].map(anyCase).join("|")})`;
}

/** The fields of these kinds over which no function can run. */
export function fieldsWithoutFunctions(): JsonForm {
  const kinds = (["header", "tx", "tx_receipt"] as const).map((kind) => {
    const without = FIELD_NAMES[kind].filter((name) => fieldSupport(kind, name).functions.length === 0);
    return `${anyCase(kind)}\\.(${without.map(anyCase).join("|")})`;
  });
  return { pattern: `^(${kinds.join("|")})$` };
}

/** A pattern of a word in any letter case, which the patterns of a JSON Schema have no flag for. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function split<K extends Kind>(
  value: unknown,
  report: Report,
  kinds: readonly K[],
  datalake: string,
): readonly [K, string, string?] | undefined {
  const forms = kinds.map((kind) => FORMS[kind]);
  const text = readText(value, report, `text of the form ${forms.join(" or ")}`);
  if (text === undefined) return undefined;
  const [word = "", first = "", second, ...rest] = text.split(".");
  const kind = kinds.find((known) => known === word.toLowerCase());
  const parts = kind === undefined ? 0 : FORMS[kind].split(".").length - 1;
  const complete = parts === (second === undefined ? 1 : 2) && rest.length === 0 && first !== "" && second !== "";
  if (kind !== undefined && complete) return second === undefined ? [kind, first] : [kind, first, second];
  const other = Object.keys(FORMS).find((known) => known === word.toLowerCase());
  report({
    code: "HDP-1105",
    message:
      kind === undefined && other !== undefined
        ? `${quote(text)} cannot be sampled by a ${datalake} datalake.`
        : `${quote(text)} is not a sampled property.`,
    value,
    allowed: forms,
    suggestion: other === undefined ? suggestKind(text, word, kinds) : undefined,
    hints: [`${datalake} samples ${forms.join(", ")}.`],
  });
  return undefined;
}

function suggestKind(text: string, word: string, kinds: readonly string[]): string | undefined {
  const kind = nearest(word, kinds);
  return kind === undefined || !text.includes(".") ? undefined : kind + text.slice(word.length);
}

function readField<F extends string>(
  fields: readonly F[],
  kind: FieldKind,
  word: string,
  value: unknown,
  report: Report,
): F | undefined {
  const field = fields.find((known) => known === word.toLowerCase());
  if (field !== undefined) return field;
  const near = nearest(word, fields);
  const names = { header: "a header", account: "an account", tx: "a transaction", tx_receipt: "a receipt" };
  report({
    code: "HDP-1104",
    message: `${quote(value)} is not ${names[kind]} field.`,
    value,
    allowed: fields,
    suggestion: near === undefined ? undefined : String(value).replace(/[^.]*$/, near),
    hints: [`Fields: ${fields.join(", ")}.`],
  });
  return undefined;
}

function readAddress(text: string, value: unknown, report: Report): Address | undefined {
  if (/^0x[0-9a-f]{40}$/i.test(text)) {
    const address: Address = `0x${text.slice(2).toLowerCase()}`;
    const wrong = wrongChecksum(text);
    if (wrong === undefined) return address;
    report({ code: "HDP-1110", message: wrong.message, value, hints: [wrong.hint] });
    return undefined;
  }
  report({
    code: "HDP-1110",
    message: `${quote(text)} is not an address.`,
    value,
    hints: [`An address is 0x and 40 hex digits, in any letter case${countDigits(text)}.`],
  });
  return undefined;
}

function countDigits(text: string): string {
  const digits = /^0x([0-9a-f]*)$/i.exec(text)?.[1];
  return digits === undefined ? "" : `; this one has ${digits.length}`;
}

function readSlot(text: string, value: unknown, report: Report): Hex | undefined {
  const digits = /^0x([0-9a-f]{1,64})$/i.exec(text)?.[1];
  if (digits !== undefined) return `0x${digits.toLowerCase().padStart(64, "0")}`;
  report({
    code: "HDP-1111",
    message: `${quote(text)} is not a storage slot.`,
    value,
    hints: ["A slot is 0x and up to 64 hex digits; a short one is padded on the left."],
  });
  return undefined;
}

/** Aggregate functions that may run over a property; a storage slot is an integer and supports all. */
export function functionsOf(property: SampledProperty): readonly AggregateFn[] {
  return property.kind === "storage" ? AGGREGATE_FUNCTIONS : fieldSupport(property.kind, property.field).functions;
}

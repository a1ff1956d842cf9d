import { HdpError } from "../../errors.js";
import type { Abi } from "./abi.js";
import { CORE_TYPES } from "./cairo-type.js";
import type { CairoMember, CairoType } from "./cairo-type.js";

const MAX_FIXED_LENGTH = 100_000;

/** Reads the Cairo type names of one ABI. Recursive types are fine: a part is looked up only when it is reached. */
export class TypeTable {
  readonly #known = new Map<string, CairoType>(CORE_TYPES);
  readonly #declared = new Map<string, CairoType>();

  public constructor(abi: Abi) {
    for (const entry of abi) {
      if (entry.type === "struct") {
        this.#declared.set(entry.name, { kind: "struct", name: entry.name, members: entry.members });
      } else if (entry.type === "enum") {
        this.#declared.set(entry.name, { kind: "enum", name: entry.name, variants: entry.variants });
      }
    }
  }

  /** @throws HdpError HDP-7009 where no rule says how the type is encoded. */
  public type(typeName: string): CairoType {
    const trimmed = typeName.trim().replace(/^@+/, "");
    let found = this.#known.get(trimmed);
    if (found === undefined) {
      found = this.#read(trimmed);
      this.#known.set(trimmed, found);
    }
    return found;
  }

  #read(name: string): CairoType {
    const generic = /^([A-Za-z0-9_:]+?)::<(.*)>$/s.exec(name);
    const read = generic === null ? undefined : this.#readGeneric(generic[1] ?? "", splitTypes(generic[2] ?? ""));
    const type = read ?? this.#declared.get(name) ?? readTuple(name) ?? readFixedArray(name);
    if (type === undefined) throw unsupported(name);
    return this.#refuseEmptyElements(type, name);
  }

  #readGeneric(base: string, [first, second]: readonly string[]): CairoType | undefined {
    if (first === undefined) return undefined;
    switch (base) {
      case "core::array::Array":
      case "core::array::Span":
        return { kind: "array", element: first };
      case "core::option::Option":
        return { kind: "option", inner: first };
      case "core::zeroable::NonZero":
        return { kind: "nonZero", inner: first };
      case "core::box::Box":
        return this.type(first);
      case "core::result::Result":
        return second === undefined ? undefined : resultType(first, second);
      case "core::internal::bounded_int::BoundedInt":
        return boundedInteger(first, second);
      default:
        return undefined;
    }
  }

  /** A list of values without felts cannot be told from a shorter one by what it takes. */
  #refuseEmptyElements(type: CairoType, name: string): CairoType {
    if ((type.kind === "array" || type.kind === "fixedArray") && this.type(type.element).kind === "unit") {
      throw unsupported(name);
    }
    return type;
  }
}

function resultType(ok: string, err: string): CairoType {
  const variants: CairoMember[] = [
    { name: "Ok", type: ok },
    { name: "Err", type: err },
  ];
  return { kind: "enum", name: `core::result::Result::<${ok}, ${err}>`, variants };
}

function boundedInteger(low: string, high: string | undefined): CairoType | undefined {
  const pattern = /^-?\d{1,80}$/;
  if (high === undefined || !pattern.test(low) || !pattern.test(high)) return undefined;
  return { kind: "integer", name: `BoundedInt<${low}, ${high}>`, min: BigInt(low), max: BigInt(high) };
}

function readTuple(name: string): CairoType | undefined {
  if (!name.startsWith("(") || !name.endsWith(")")) return undefined;
  return { kind: "tuple", elements: splitTypes(name.slice(1, -1)) };
}

function readFixedArray(name: string): CairoType | undefined {
  const match = /^\[(.*);\s*(\d{1,7})\]$/s.exec(name);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const length = Number(match[2]);
  return length > MAX_FIXED_LENGTH ? undefined : { kind: "fixedArray", element: match[1], length };
}

/** Splits at the commas that are not inside of brackets. A last comma, as in `(felt252,)`, starts no part. */
function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if ("<([".includes(character)) depth += 1;
    else if (">)]".includes(character)) depth -= 1;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, text.slice(start).trim()].filter((part) => part !== "");
}

function unsupported(name: string): HdpError {
  return new HdpError({
    code: "HDP-7009",
    message: `the ABI has the type "${name.slice(0, 200)}", which module inputs cannot carry.`,
    hints: [
      "Inputs carry: felt252, integers, bool, addresses, class hashes, bytes31, ByteArray, Array, Span, [T; N], tuples,",
      "structs, enums, Option, Result, NonZero. Structs and enums must be declared in the ABI.",
    ],
  });
}

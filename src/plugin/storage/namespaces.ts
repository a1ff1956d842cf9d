import { z } from "zod";

import { isRecord } from "../../base/collections.js";
import { erc7201 } from "../../request/storage-slots.js";
import type { Layout } from "./layout.js";

type Types = NonNullable<Layout["types"]>;
type StoragePlace = Layout["storage"][number];

/** A type as the compiler's syntax tree writes it. */
type TypeName = { readonly typeDescriptions: { typeIdentifier: string; typeString: string } } & (
  | { readonly nodeType: "ElementaryTypeName" }
  | { readonly nodeType: "UserDefinedTypeName"; readonly referencedDeclaration: number }
  | { readonly nodeType: "FunctionTypeName"; readonly visibility: string }
  | { readonly nodeType: "Mapping"; readonly keyType: TypeName; readonly valueType: TypeName }
  | {
      readonly nodeType: "ArrayTypeName";
      readonly baseType: TypeName;
      /** The expression of a fixed array's length. */
      readonly length?: unknown;
    }
);

const typeDescriptions = z.object({ typeIdentifier: z.string(), typeString: z.string() });
const typeNameSchema: z.ZodType<TypeName> = z.lazy(() =>
  z.discriminatedUnion("nodeType", [
    z.object({ nodeType: z.literal("ElementaryTypeName"), typeDescriptions }),
    z.object({
      nodeType: z.literal("UserDefinedTypeName"),
      typeDescriptions,
      referencedDeclaration: z.number(),
    }),
    z.object({
      nodeType: z.literal("FunctionTypeName"),
      typeDescriptions,
      visibility: z.string(),
    }),
    z.object({
      nodeType: z.literal("Mapping"),
      typeDescriptions,
      keyType: typeNameSchema,
      valueType: typeNameSchema,
    }),
    z.object({
      nodeType: z.literal("ArrayTypeName"),
      typeDescriptions,
      baseType: typeNameSchema,
      length: z.unknown(),
    }),
  ]),
);

const structSchema = z.object({
  nodeType: z.literal("StructDefinition"),
  id: z.number(),
  name: z.string(),
  canonicalName: z.string(),
  documentation: z.object({ text: z.string() }).nullish(),
  members: z.array(z.object({ name: z.string(), typeName: typeNameSchema })),
});
const declarationSchema = z.discriminatedUnion("nodeType", [
  structSchema,
  z.object({
    nodeType: z.literal("EnumDefinition"),
    id: z.number(),
    name: z.string(),
    members: z.array(z.unknown()),
  }),
  z.object({ nodeType: z.literal("ContractDefinition"), id: z.number(), name: z.string() }),
  z.object({
    nodeType: z.literal("UserDefinedValueTypeDefinition"),
    id: z.number(),
    name: z.string(),
    underlyingType: typeNameSchema,
  }),
]);
const contractSchema = z.object({
  nodeType: z.literal("ContractDefinition"),
  name: z.string(),
  linearizedBaseContracts: z.array(z.number()),
});
const namespacedSchema = structSchema.extend({ documentation: z.object({ text: z.string() }) });
type Struct = z.infer<typeof structSchema>;

const NAMESPACE = /@custom:storage-location\s+erc7201:(\S+)/;

/**
 * Returns a contract's layout with the members of its namespaces (ERC-7201) as variables: the compiler's own layout
 * lacks them. They are found by `@custom:storage-location erc7201:<id>` on structs of the contract and of its bases. A
 * name that another variable has too is written with contract and struct: `Vault.VaultStorage.total`.
 *
 * @param trees the syntax trees of all compiled sources
 */
export function withNamespaces(
  layout: Layout,
  trees: Readonly<Record<string, unknown>>,
  { source, contract }: { readonly source: string; readonly contract: string },
): Layout {
  const nodes = new SyntaxNodes(Object.values(trees));
  const types = new StorageTypes(nodes);
  const spaces = listNamespaces(nodes.contract(trees[source], contract), nodes);
  const members = spaces.flatMap(({ struct, base }) =>
    types.placeMembers(struct.members).map((place) => ({
      struct,
      place: { ...place, slot: BigInt.asUintN(256, base + BigInt(place.slot)).toString() },
    })),
  );
  const names = [...layout.storage, ...members.map(({ place }) => place)].map(({ label }) => label);
  const variables = members.map(({ struct, place }) => {
    const isUnique = names.filter((name) => name === place.label).length === 1;
    return isUnique ? place : { ...place, label: `${struct.canonicalName}.${place.label}` };
  });
  return {
    storage: [...layout.storage, ...variables],
    types: { ...types.table, ...layout.types },
  };
}

/** Declarations of all sources by the number that the compiler gave them. */
class SyntaxNodes {
  readonly #nodes = new Map<unknown, Readonly<Record<string, unknown>>>();

  public constructor(trees: readonly unknown[]) {
    for (const node of trees.flatMap(childNodes)) {
      for (const declared of [node, ...childNodes(node)]) this.#nodes.set(declared["id"], declared);
    }
  }

  public get(id: number): Readonly<Record<string, unknown>> {
    const node = this.#nodes.get(id);
    if (node === undefined) throw new TypeError(`the compiler's output has no declaration ${id}`);
    return node;
  }

  /** Returns a contract's definition in the tree of its source; undefined where the trees were not kept. */
  public contract(tree: unknown, name: string): z.infer<typeof contractSchema> | undefined {
    const parsed = childNodes(tree).map((node) => contractSchema.safeParse(node).data);
    return parsed.find((contract) => contract?.name === name);
  }
}

function childNodes(node: unknown): readonly Readonly<Record<string, unknown>>[] {
  const nodes = isRecord(node) ? node["nodes"] : undefined;
  return Array.isArray(nodes) ? nodes.filter(isRecord) : [];
}

interface Namespace {
  readonly struct: Struct;
  /** Its first slot. */
  readonly base: bigint;
}

/** Returns the namespaces of a contract, those of its bases first. */
function listNamespaces(
  contract: z.infer<typeof contractSchema> | undefined,
  nodes: SyntaxNodes,
): readonly Namespace[] {
  const contracts = (contract?.linearizedBaseContracts ?? []).toReversed();
  return contracts
    .flatMap((id) => childNodes(nodes.get(id)))
    .flatMap((node) => {
      const struct = namespacedSchema.safeParse(node).data;
      const id = NAMESPACE.exec(struct?.documentation.text ?? "")?.[1];
      return struct === undefined || id === undefined
        ? []
        : [{ struct, base: BigInt(erc7201(id)) }];
    });
}

/** How a type is placed: structs and fixed arrays begin a slot, and what is behind them too. */
interface Placed {
  readonly name: string;
  readonly bytes: number;
  readonly hasOwnSlots: boolean;
}

/** Types by the names and sizes that they have in the compiler's layout. */
class StorageTypes {
  readonly table: Types = {};
  readonly #nodes: SyntaxNodes;

  public constructor(nodes: SyntaxNodes) {
    this.#nodes = nodes;
  }

  /** Returns the members of a struct with their slots from its start. */
  public placeMembers(members: Struct["members"]): readonly StoragePlace[] {
    let [slot, offset] = [0, 0];
    return members.map(({ name: label, typeName }) => {
      const { name: type, bytes, hasOwnSlots } = this.#placed(typeName);
      if (offset > 0 && (hasOwnSlots || offset + bytes > WORD)) [slot, offset] = [slot + 1, 0];
      const place = { label, slot: slot.toString(), offset, type };
      offset += bytes;
      if (hasOwnSlots || offset >= WORD) [slot, offset] = [slot + Math.ceil(offset / WORD), 0];
      return place;
    });
  }

  #placed(type: TypeName): Placed {
    switch (type.nodeType) {
      case "ElementaryTypeName":
        return this.#elementary(type.typeDescriptions.typeIdentifier);
      case "FunctionTypeName": {
        const bytes = type.visibility === "external" ? 24 : 8;
        return this.#value(type.typeDescriptions.typeIdentifier, bytes);
      }
      case "Mapping":
        return this.#mapping(type.keyType, type.valueType);
      case "ArrayTypeName":
        return this.#array(type.baseType, type.typeDescriptions.typeString);
      case "UserDefinedTypeName":
        return this.#declared(type.referencedDeclaration);
    }
  }

  #elementary(identifier: string): Placed {
    const dynamic = /^t_(string|bytes)(_|$)/.exec(identifier)?.[1];
    if (dynamic === undefined) return this.#value(identifier, elementarySize(identifier));
    const name = `t_${dynamic}_storage`;
    this.table[name] = { encoding: "bytes", numberOfBytes: WORD.toString() };
    return { name, bytes: WORD, hasOwnSlots: false };
  }

  #mapping(keyType: TypeName, valueType: TypeName): Placed {
    const key = this.#placed(keyType).name.replace(/_storage$/, "_memory_ptr");
    const value = this.#placed(valueType).name;
    const name = `t_mapping(${key},${value})`;
    this.table[name] = { encoding: "mapping", key, value, numberOfBytes: WORD.toString() };
    return { name, bytes: WORD, hasOwnSlots: false };
  }

  #array(baseType: TypeName, typeString: string): Placed {
    const base = this.#placed(baseType);
    const length = /\[(\d+)\]$/.exec(typeString)?.[1];
    const name = `t_array(${base.name})${length ?? "dyn"}_storage`;
    const encoding = length === undefined ? "dynamic_array" : "inplace";
    const bytes = length === undefined ? WORD : WORD * slotsOfArray(Number(length), base.bytes);
    this.table[name] = { encoding, base: base.name, numberOfBytes: bytes.toString() };
    return { name, bytes, hasOwnSlots: length !== undefined };
  }

  #declared(id: number): Placed {
    const declared = declarationSchema.parse(this.#nodes.get(id));
    switch (declared.nodeType) {
      case "StructDefinition":
        return this.#struct(declared);
      case "EnumDefinition":
        return this.#value(`t_enum(${declared.name})${id}`, declared.members.length > 256 ? 2 : 1);
      case "ContractDefinition":
        return this.#value(`t_contract(${declared.name})${id}`, ADDRESS);
      case "UserDefinedValueTypeDefinition": {
        const { bytes } = this.#placed(declared.underlyingType);
        return this.#value(`t_userDefinedValueType(${declared.name})${id}`, bytes);
      }
    }
  }

  #struct(struct: Struct): Placed {
    const name = `t_struct(${struct.name})${struct.id}_storage`;
    // Before its members: a struct may hold itself in a mapping or a dynamic array.
    const entry = (this.table[name] ??= { encoding: "inplace", numberOfBytes: "0" });
    if (entry.members === undefined) {
      entry.members = [];
      entry.members = [...this.placeMembers(struct.members)];
      entry.numberOfBytes = this.#countBytes(entry.members).toString();
    }
    return { name, bytes: Number(entry.numberOfBytes), hasOwnSlots: true };
  }

  /** Returns the bytes of whole slots that members take. */
  #countBytes(members: readonly StoragePlace[]): number {
    const last = members.at(-1);
    const bytes = Number(this.table[last?.type ?? ""]?.numberOfBytes ?? 0);
    return WORD * (Number(last?.slot ?? 0) + Math.max(1, Math.ceil(bytes / WORD)));
  }

  #value(name: string, bytes: number): Placed {
    this.table[name] = { encoding: "inplace", numberOfBytes: bytes.toString() };
    return { name, bytes, hasOwnSlots: false };
  }
}

const WORD = 32;
const ADDRESS = 20;

/** Returns the size of an elementary type of fixed size: `t_bool`, `t_address_payable`, `t_int24`, `t_bytes4`. */
function elementarySize(identifier: string): number {
  if (identifier === "t_bool") return 1;
  if (identifier.startsWith("t_address")) return ADDRESS;
  const [, kind, size] = /^t_(u?int|bytes)(\d+)$/.exec(identifier) ?? [];
  if (size === undefined) throw new TypeError(`the size of ${identifier} in storage is not known`);
  return kind === "bytes" ? Number(size) : Number(size) / 8;
}

function slotsOfArray(length: number, elementBytes: number): number {
  if (elementBytes > WORD / 2) return length * Math.ceil(elementBytes / WORD);
  return Math.ceil(length / Math.floor(WORD / elementBytes));
}

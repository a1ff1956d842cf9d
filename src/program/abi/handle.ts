import { HdpError } from "../../base/errors.js";
import { type Abi, type AbiParameter, mainFunction } from "./abi.js";
import { shortName, TypeTable } from "./type-table.js";
import { MAX_VALUE_DEPTH } from "./value-errors.js";

/**
 * Felts that the data processor puts before a module's inputs: the flattened size of the data handle `HDP`, the first
 * parameter of `main`. 4 or 6 in the generations of 2024, 8 in the current one: two for each of its members.
 *
 * @throws HdpError HDP-7007 without `main`, HDP-7008 where the first parameter is no data handle.
 */
export function leadingFelts(abi: Abi): number {
  const handle = mainFunction(abi).inputs[0];
  if (handle === undefined) throw noHandle("it takes no parameters");
  const table = new TypeTable(abi);
  const size =
    shortName(handle.type) === "HDP" && table.type(handle.type).kind === "struct"
      ? fixedSize(table, handle.type, 0)
      : undefined;
  if (size === undefined || size === 0) throw noHandle(`it is "${handle.name}" of type ${handle.type}`);
  return size;
}

/** Parameters of `main` that a task's inputs fill: all but the data handle. */
export function moduleParameters(abi: Abi): readonly AbiParameter[] {
  leadingFelts(abi);
  return mainFunction(abi).inputs.slice(1);
}

/** Felts of every value of a type, where all have the same number. */
function fixedSize(table: TypeTable, typeName: string, depth: number): number | undefined {
  if (depth > MAX_VALUE_DEPTH) return undefined;
  const type = table.type(typeName);
  switch (type.kind) {
    case "felt":
    case "integer":
    case "address":
    case "bytes31":
    case "bool":
      return 1;
    case "limbs":
      return type.limbs;
    case "unit":
      return 0;
    case "nonZero":
      return fixedSize(table, type.inner, depth + 1);
    case "fixedArray": {
      const size = fixedSize(table, type.element, depth + 1);
      return size === undefined ? undefined : size * type.length;
    }
    case "tuple":
      return sum(type.elements.map((element) => fixedSize(table, element, depth + 1)));
    case "struct":
      return sum(type.members.map((member) => fixedSize(table, member.type, depth + 1)));
    case "array":
    case "byteArray":
    case "option":
    case "enum":
      return undefined;
  }
}

function sum(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (total, size) => (total === undefined || size === undefined ? undefined : total + size),
    0,
  );
}

function noHandle(found: string): HdpError {
  return new HdpError({
    code: "HDP-7008",
    message: `the first parameter of \`main\` is not the data handle: ${found}.`,
    hints: [
      "The data processor passes the handle first: pub fn main(ref self: ContractState, hdp: HDP, …)",
      "Its type must be a struct named HDP, as in the package hdp_cairo.",
    ],
  });
}

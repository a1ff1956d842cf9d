import { assemble, type Line, push, returning } from "../support/cairo-assembler.js";

const TOO_LONG = BigInt(`0x${Buffer.from("Input too long for arguments").toString("hex")}`);

/** Main that takes ten felts of calldata (a data handle of eight, and two inputs), and loops without end. */
const LOOP: readonly Line[] = [
  { opcode: "assert", dst: ["fp", -3], op0: ["ap", 0], op1: ["fp", -4], result: "add", ap: "one" },
  { opcode: "assert", dst: ["ap", 0], op0: ["ap", -1], op1: -10n, result: "add", ap: "one" },
  { dst: ["ap", -1], op1: 4n, jump: "jnz" },
  { op1: 0n, jump: "rel" },
  push(TOO_LONG),
  ...returning([["ap", -2]], [], 1n),
];

/** A class of so many felts behind a loop without end: as long to read as a class can be, and to run. */
export function heavyModule(felts: readonly string[]): string {
  const base = assemble(LOOP) as { readonly bytecode: readonly string[] };
  return JSON.stringify({ ...base, bytecode: [...base.bytecode, ...felts] });
}

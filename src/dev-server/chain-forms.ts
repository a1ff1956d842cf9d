import { z } from "zod";

import { CHAIN_ALIASES, CHAIN_IDENTIFIERS, chainIdOf } from "../request/chains.js";
import { described, oneOf } from "./described.js";

const IDS = CHAIN_IDENTIFIERS.map(chainIdOf);
const DECIMAL = IDS.map((id) => `0*${id}`);
const HEXADECIMAL = IDS.map((id) =>
  `0x0*${id.toString(16)}`.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`),
);

/** A known chain by its id in decimal. */
export const chainIdSchema = oneOf(DECIMAL, "not the id of a known chain");

/** A known chain by its id, in decimal or hexadecimal, or by a name. */
export const chainSchema = oneOf(
  [...DECIMAL, ...HEXADECIMAL, ...CHAIN_IDENTIFIERS, ...CHAIN_ALIASES],
  "not a known chain",
);

const NUMBERS = IDS.map(Number).filter(Number.isSafeInteger);
const chainNumber = z.number().refine(
  (id) => NUMBERS.includes(id),
  (id) => ({ message: `"${id}" is not a known chain` }),
);

/** The destination of a task: published as text, and as a number in an older edition of the pages. */
export const destinationSchema = z.union([chainSchema, described(chainNumber, { enum: NUMBERS })]);

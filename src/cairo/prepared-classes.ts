import { copyJson, sameJson } from "../base/json-value.js";
import { parseCompiledClass } from "../program/compiled-class.js";
import { prepareClass, type PreparedClass } from "./run-contract.js";

/** Felts of all kept classes together: about 100 bytes each. */
const MAX_FELTS = 1_000_000;

interface Kept {
  /** A copy of the JSON that the class was prepared from. */
  readonly json: unknown;
  readonly prepared: PreparedClass;
  readonly felts: number;
}

/**
 * Prepared classes by content: one that was seen before is compared with its copy, which takes a fraction of reading it,
 * and starts with all instructions known that earlier runs have reached. The least recently used go first.
 */
export class PreparedClasses {
  readonly #kept: Kept[] = [];

  /** @throws HdpError HDP-7001 to HDP-7003 as by `parseCompiledClass`. */
  public prepare(json: unknown): PreparedClass {
    const index = this.#kept.findIndex((known) => sameJson(known.json, json));
    const [known] = index < 0 ? [] : this.#kept.splice(index, 1);
    if (known !== undefined) {
      this.#kept.push(known);
      return known.prepared;
    }
    const prepared = prepareClass(parseCompiledClass(json));
    const felts = prepared.program.code.length;
    this.#kept.push({ json: copyJson(json), prepared, felts });
    let sum = this.#kept.reduce((total, kept) => total + kept.felts, 0);
    while (sum > MAX_FELTS && this.#kept.length > 1) sum -= this.#kept.shift()?.felts ?? 0;
    return prepared;
  }
}

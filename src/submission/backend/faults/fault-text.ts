import { keysOf } from "../../../base/collections.js";
import { nearest } from "../../../base/text.js";
import { notAllowed } from "../../../errors/hdp-error.js";
import { type Fault, FAULTS } from "./fault.js";

/** Parses faults, separated by commas: `http-burst:503:3, stuck-at:CachedMmrRoot`. @throws HdpError HDP-6003 */
export function readFaults(text: string, path: string): Fault[] {
  return text.split(",").map((item) => {
    const [kind = ""] = item.trim().split(":");
    const known = keysOf(FAULTS).find((name) => name === kind);
    const fault = known === undefined ? undefined : faultIn(item.trim(), known);
    if (fault !== undefined) return fault;
    const meant = known ?? nearest(kind, keysOf(FAULTS));
    const allowed = keysOf(FAULTS).map(written).join(", ");
    throw notAllowed(item.trim().slice(0, 100), "a fault", {
      path,
      near: meant && written(meant),
      allowed,
    });
  });
}

function faultIn(text: string, kind: Fault["kind"]): Fault | undefined {
  const { parts, read } = FAULTS[kind];
  const found = new RegExp(`^${[kind, ...parts.map((part) => `(${part})`)].join(":")}$`).exec(text);
  return found === null ? undefined : read(found.slice(1));
}

/** Returns the text of a fault that {@link readFaults} parses. */
export function faultText(fault: Fault): string {
  return Object.values(fault).join(":");
}

/** Returns the text form of a kind: `http-burst:<429|500|502|503|504>:<calls>`. */
function written(kind: Fault["kind"]): string {
  const { form } = FAULTS[kind];
  return form === "" ? kind : `${kind}:${form}`;
}

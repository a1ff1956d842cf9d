import { isRecord } from "../../base/collections.js";
import { isFelt, SHORT_STRING_LENGTH, shortString } from "../../base/felt.js";
import { MAX_CLASS_BYTES, namedPath, readTextFile, systemErrorWord } from "../../base/files.js";
import { parsePlainJson } from "../../base/json.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { DryRunOptions } from "../../plugin/actions/program-actions.js";
import { labelFelt } from "../../request/injected-state.js";

/**
 * Reads injected state from files: `{ "my_trie": "0x0" }` gives labels (as text or felt) their roots, and
 * `{ "my_trie": { "0x2a": "0x1" } }` the leaves of roots other than 0. Undefined where neither file is named.
 *
 * @param named labels whose roots are in tasks
 * @throws HdpError HDP-6001 for a file of another form
 */
export async function readInjectedState(
  labelsFile: string | undefined,
  leavesFile: string | undefined,
  projectRoot: string,
  named: ReadonlySet<bigint> = new Set(),
): Promise<DryRunOptions["injectedState"]> {
  if (labelsFile === undefined && leavesFile === undefined) return undefined;
  const roots = new Map<bigint, bigint>();
  for (const [label, root] of labelsFile === undefined
    ? []
    : await readObject(labelsFile, projectRoot)) {
    roots.set(parseLabel(label, labelsFile), parseFelt(root, `the root of "${label}"`, labelsFile));
  }
  if (leavesFile === undefined) return { roots };
  const leaves = new Map<bigint, (readonly [bigint, bigint])[]>();
  for (const [label, entries] of await readObject(leavesFile, projectRoot)) {
    if (!isRecord(entries))
      throw unusable(leavesFile, `the leaves of "${label}" are not an object`);
    const pairs = Object.entries(entries).map(([key, value]): readonly [bigint, bigint] => [
      parseFelt(key, `a key of "${label}"`, leavesFile),
      parseFelt(value, `the value of ${key} of "${label}"`, leavesFile),
    ]);
    leaves.set(parseLabel(label, leavesFile), pairs);
  }
  const rootless = [...leaves.keys()].find((label) => !roots.has(label) && !named.has(label));
  if (rootless !== undefined) {
    const text = shortString(rootless);
    throw unusable(
      leavesFile,
      `the label "${text}" has leaves but no root, in the tasks or in --state labels.json`,
    );
  }
  return { roots, leaves };
}

/** Maximum number of leaves: before a run, the tries of all leaves are computed, which takes a second for this many. */
const MAX_VALUES = 50_000;

async function readObject(
  file: string,
  projectRoot: string,
): Promise<readonly (readonly [string, unknown])[]> {
  const text = await readTextFile(namedPath(file, projectRoot), MAX_CLASS_BYTES).catch(
    (error: unknown) => {
      throw unusable(file, `it can't be read (${systemErrorWord(error)})`, error);
    },
  );
  const notJson = (sentence: string): HdpError =>
    unusable(file, `it is not a JSON document: ${sentence}`);
  const json = parsePlainJson(text, { source: file, notJson, maxValues: MAX_VALUES });
  if (!isRecord(json)) throw unusable(file, "it is not an object");
  return Object.entries(json);
}

function parseLabel(text: string, file: string | undefined): bigint {
  const label = labelFelt(text);
  if (label !== undefined) return label;
  throw unusable(
    file,
    `the label "${text}" is neither a felt nor text of at most ${SHORT_STRING_LENGTH} characters`,
  );
}

function parseFelt(value: unknown, what: string, file: string | undefined): bigint {
  const felt =
    typeof value === "string" && /^(0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(value)
      ? BigInt(value)
      : -1n;
  if (isFelt(felt)) return felt;
  throw unusable(file, `${what} is ${JSON.stringify(value)}, which is not a felt in quotes`);
}

function unusable(file: string | undefined, reason: string, cause?: unknown): HdpError {
  const hints = ['Labels: { "my_trie": "0x0" }. Leaves: { "my_trie": { "0x2a": "0x1" } }.'];
  return hdpError(
    "HDP-6001",
    { what: "the injected state", reason, path: undefined },
    { path: file, hints, cause },
  );
}

import { resolve } from "node:path";

import { isRecord } from "../base/collections.js";
import { HdpError } from "../errors/hdp-error.js";
import { isFelt, SHORT_STRING_LENGTH, shortString } from "../base/felt.js";
import { parsePlainJson } from "../base/json.js";
import { MOST_CLASS_BYTES, readTextFile, systemErrorWord } from "../base/files.js";
import type { InjectedStateStart } from "../cairo/injected-state.js";
import { labelFelt } from "../request/injected-state.js";

/**
 * Injected state from files: `{ "my_trie": "0x0" }` names labels (as text or as felt) with their roots, and
 * `{ "my_trie": { "0x2a": "0x1" } }` the leaves behind roots other than 0. Undefined where neither is named.
 *
 * @param named labels that have their roots from tasks
 *
 * @throws HdpError HDP-4423 for a file that is something else
 */
export async function readInjectedState(
  labelsFile: string | undefined,
  leavesFile: string | undefined,
  projectRoot: string,
  named: ReadonlySet<bigint> = new Set(),
): Promise<InjectedStateStart | undefined> {
  if (labelsFile === undefined && leavesFile === undefined) return undefined;
  const roots = new Map<bigint, bigint>();
  for (const [label, root] of labelsFile === undefined ? [] : await readObject(labelsFile, projectRoot)) {
    roots.set(labelOf(label, labelsFile), feltOf(root, `the root of "${label}"`, labelsFile));
  }
  if (leavesFile === undefined) return { roots };
  const leaves = new Map<bigint, ReadonlyMap<bigint, bigint>>();
  for (const [label, entries] of await readObject(leavesFile, projectRoot)) {
    if (!isRecord(entries)) throw wrong(leavesFile, `the leaves of "${label}" are no object`);
    const pairs = Object.entries(entries).map(([key, value]): readonly [bigint, bigint] => [
      feltOf(key, `a key of "${label}"`, leavesFile),
      feltOf(value, `the value of ${key} of "${label}"`, leavesFile),
    ]);
    leaves.set(labelOf(label, leavesFile), new Map(pairs));
  }
  const stranger = [...leaves.keys()].find((label) => !roots.has(label) && !named.has(label));
  if (stranger !== undefined) {
    const text = shortString(stranger);
    throw wrong(leavesFile, `the label "${text}" has leaves and no root, in the tasks or in --state labels.json`);
  }
  return { roots, leaves };
}

async function readObject(file: string, projectRoot: string): Promise<readonly (readonly [string, unknown])[]> {
  const text = await readTextFile(resolve(projectRoot, file), MOST_CLASS_BYTES).catch((error: unknown) => {
    throw wrong(file, `it can't be read (${systemErrorWord(error)})`, error);
  });
  const notJson = (_fault: unknown, cause: unknown): HdpError => wrong(file, "it is no JSON document", cause);
  const json = parsePlainJson(text, { source: file, notJson });
  if (!isRecord(json)) throw wrong(file, "it is no object");
  return Object.entries(json);
}

function labelOf(text: string, file: string | undefined): bigint {
  const label = labelFelt(text);
  if (label !== undefined) return label;
  throw wrong(file, `the label "${text}" is no felt and no text of at most ${String(SHORT_STRING_LENGTH)} characters`);
}

function feltOf(value: unknown, what: string, file: string | undefined): bigint {
  const felt = typeof value === "string" && /^(0x[0-9a-f]+|[0-9]+)$/i.test(value) ? BigInt(value) : -1n;
  if (isFelt(felt)) return felt;
  throw wrong(file, `${what} is ${JSON.stringify(value)}, which is no felt in quotes`);
}

function wrong(file: string | undefined, problem: string, cause?: unknown): HdpError {
  return new HdpError({
    code: "HDP-4423",
    path: file,
    message: `the file of injected state can't be used: ${problem}.`,
    hints: [
      'Labels: { "my_trie": "0x0" }. Leaves: { "my_trie": { "0x2a": "0x1" } }. Paths are relative to the project.',
    ],
    cause,
  });
}

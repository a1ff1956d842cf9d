import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import type { Hex } from "viem";
import { z } from "zod";

import { HdpError } from "../base/errors.js";
import { MOST_CLASS_BYTES, readTextFile } from "../base/text-file.js";
import { namedClasses } from "./locate-class.js";
import { knownPrograms } from "./known-programs.js";
import type { Session } from "./session.js";

const CLASS_PATH = /[\\/]|\.json$/;
const hashes = z.record(z.string().regex(/^0x[0-9a-f]{1,64}$/));

/**
 * The program hash of the class of proven calls, which is known to the project's programs from then on. The hash of so
 * large a class takes seconds: it is kept in Hardhat's cache, by the SHA-256 of the file.
 *
 * @throws HdpError HDP-4424 where there is no class
 */
export async function ethCallProgram({ config, project, root }: Session): Promise<Hex> {
  const { file, text } = await readClass(config.local.ethCallModule, root);
  const { parsePlainJson } = await import("../base/json-text.js");
  const { parseCompiledClass } = await import("../program/compiled-class.js");
  const { programHash } = await import("../program/program-hash.js");
  const json = parsePlainJson(text, { source: file });
  const key = createHash("sha256").update(text).digest("hex");
  const cache = join(project.config.paths.cache, "hdp", "program-hashes.json");
  const known = await readHashes(cache);
  const cached = known[key];
  const hash: Hex = cached === undefined ? programHash(parseCompiledClass(json, { file })) : `0x${cached.slice(2)}`;
  if (cached === undefined) {
    await mkdir(dirname(cache), { recursive: true });
    await writeFile(cache, JSON.stringify({ ...known, [key]: hash }));
  }
  // The convention is named, as finding it by trial would start the module six times.
  knownPrograms(project.config).add(hash, { compiledClassJson: json, generation: "head", leadingFelts: 8 });
  return hash;
}

/** A cache that cannot be read is empty. */
async function readHashes(path: string): Promise<Readonly<Record<string, string>>> {
  try {
    const json: unknown = JSON.parse(await readFile(path, "utf8"));
    const parsed = hashes.safeParse(json);
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

async function readClass(name: string, root: string): Promise<{ readonly file: string; readonly text: string }> {
  for (const file of CLASS_PATH.test(name) ? [resolve(root, name)] : await namedClasses(name, [root])) {
    const text = await readTextFile(file, MOST_CLASS_BYTES).catch(() => undefined);
    if (text !== undefined) return { file, text };
  }
  throw new HdpError({
    code: "HDP-4424",
    path: "hdp.local.ethCallModule",
    message: `the module of proven calls is not there ("${name}").`,
    hints: [
      "Make one: npx hardhat hdp:module:new eth_call --template eth-call",
      "Build it: npx hardhat hdp:module:build eth_call",
      'Name it: hdp: { local: { ethCallModule: "eth_call/target/dev/eth_call_Module.compiled_contract_class.json" } }',
    ],
  });
}

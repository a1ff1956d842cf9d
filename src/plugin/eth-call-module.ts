import { resolve } from "node:path";

import type { HardhatConfig } from "hardhat/types/config";
import type { Hex } from "viem";

import { HdpError } from "../errors/hdp-error.js";
import { MOST_CLASS_BYTES, readTextFile } from "../base/files.js";
import { namedClasses } from "./locate-class.js";
import { knownPrograms } from "./known-programs.js";
import { rememberedHash } from "./remembered-hashes.js";
import type { Session } from "./session.js";

const CLASS_PATH = /[\\/]|\.json$/;

/** The class that was last used in a project, as text: calls that follow one another use the same. */
const lastUsed = new WeakMap<HardhatConfig, { readonly text: string; readonly hash: Hex }>();

/**
 * The program hash of the class of proven calls, which is known to the project's programs from then on.
 *
 * @throws HdpError HDP-4424 where there is no class
 */
export async function ethCallProgram({ config, project, root }: Session): Promise<Hex> {
  const { file, text } = await readClass(config.local.ethCallModule, root);
  const last = lastUsed.get(project.config);
  if (last?.text === text) return last.hash;
  const { parsePlainJson } = await import("../base/json.js");
  const { parseCompiledClass } = await import("../program/compiled-class.js");
  const { programHash } = await import("../program/program-hash.js");
  const json = parsePlainJson(text, { source: file });
  const hash = await rememberedHash(project.config.paths.cache, text, () =>
    programHash(parseCompiledClass(json, { file })),
  );
  // The convention is named, as finding it by trial would start the module six times.
  knownPrograms(project.config).add(hash, { compiledClassJson: json, generation: "head", leadingFelts: 8 });
  lastUsed.set(project.config, { text, hash });
  return hash;
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

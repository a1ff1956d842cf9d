import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

import { root } from "./hardhat-cli.js";

const FOLDER = join(root, "test", "conformance", "eth-call", "compiled");
const NAME = "eth_call_Module.compiled_contract_class.json";

/** Returns the path of the class of proven calls, unpacked: see test/conformance/eth-call/compiled/README.md. */
export function ethCallClass(): string {
  const packed = readFileSync(join(FOLDER, `${NAME}.br`));
  const version = createHash("sha256").update(packed).digest("hex").slice(0, 16);
  const folder = join(root, "node_modules", ".cache", "hardhat-hdp", "eth-call", version);
  const file = join(folder, NAME);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Several test processes may unpack it at a time.
  const unfinished = `${file}.${process.pid.toString()}`;
  writeFileSync(unfinished, brotliDecompressSync(packed));
  renameSync(unfinished, file);
  return file;
}

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const child = fileURLToPath(new URL("wasm-cairo-child.mjs", import.meta.url));
const cacheFolder = join(root, "node_modules", ".cache", "hardhat-hdp", "cairo");

type Argument = string | boolean | undefined;

/** The Sierra class of the one contract in a source, as JSON text. Throws without diagnostics when it fails. */
export async function compileContract(source: string): Promise<string> {
  const output = await cachedCall("compileStarknetContract", [source, true, false], isJson);
  if (!isJson(output)) throw new Error(`wasm-cairo does not compile the contract: ${output}`);
  return output;
}

/**
 * Runs the tests of a source whose path contains `filter` in a Cairo VM and returns what the runner prints: a line
 * for each test, but only the counts when one fails.
 */
export async function runCairoTests(source: string, filter = ""): Promise<string> {
  const args = [source, true, filter, false, false, true, "none", false, false];
  return await cachedCall("runTests", args, (output) => output.includes("test result: ok."));
}

function isJson(output: string): boolean {
  return output.startsWith("{");
}

/**
 * Output of a real run, this one's or that of an earlier one with the same inputs and the same compiler. Only what
 * `succeeded` is kept: a failure may be the machine's.
 */
async function cachedCall(
  call: string,
  args: readonly Argument[],
  succeeded: (output: string) => boolean,
): Promise<string> {
  const input = JSON.stringify({ call, args });
  const key = createHash("sha256").update(compilerIdentity()).update(input).digest("hex");
  const file = join(cacheFolder, `${key}.txt`);
  const cached = readIfPresent(file);
  if (cached !== undefined) return cached;
  const output = await runChild(input);
  if (!succeeded(output)) return output;
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, output);
  renameSync(`${file}.${process.pid}`, file);
  return output;
}

/** Everything beside the call that decides the output: the compiler's own bytes and the process that hosts it. */
function compilerIdentity(): string {
  const wasm = readFileSync(new URL("wasm-cairo_bg.wasm", import.meta.resolve("wasm-cairo")));
  return createHash("sha256").update(wasm).update(readFileSync(child)).digest("hex");
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

async function runChild(input: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child], { cwd: root, stdio: ["pipe", "pipe", "pipe"] });
    const output: Buffer[] = [];
    const complaints: Buffer[] = [];
    running.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    running.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
    running.on("error", reject);
    running.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString("utf8"));
      else reject(new Error(`wasm-cairo ended with ${String(code)}: ${Buffer.concat(complaints).toString("utf8")}`));
    });
    running.stdin.end(input);
  });
}

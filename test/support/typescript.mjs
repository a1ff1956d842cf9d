// Runs the TypeScript of this repository as it stands: Node blanks its types out, so that lines and columns stay what they
// are, and neither source maps nor a compiler's helpers around functions cost time. Only for processes of the tests.
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { enableCompileCache, registerHooks, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Kept for the other workers and later runs: what V8 compiled, and the JavaScript of each file. */
const kept = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "hdp-tests");
const blanked = join(kept, "javascript");
mkdirSync(blanked, { recursive: true });
// Code from the cache is counted less precisely.
if (process.env.NODE_V8_COVERAGE === undefined) enableCompileCache(join(kept, "compiled"));

/** What has no types only after a transformation, such as a constructor's own properties, is transformed. */
function withoutTypes(source) {
  // Without the warning that it is experimental, once for each process.
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } catch (error) {
    if (error.code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") throw error;
    return stripTypeScriptTypes(source, { mode: "transform", sourceMap: true });
  } finally {
    process.emitWarning = emitWarning;
  }
}

function javaScriptOf(file) {
  const source = readFileSync(file, "utf8");
  const digest = hash("sha256", process.version + source);
  const path = join(blanked, hash("sha256", file));
  const known = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (known.startsWith(digest)) return known.slice(digest.length);
  const javaScript = withoutTypes(source);
  // In one step: no worker reads half of it.
  writeFileSync(`${path}.${process.pid}`, digest + javaScript);
  renameSync(`${path}.${process.pid}`, path);
  return javaScript;
}

const isOwnTypeScript = (url) =>
  url?.startsWith("file:") && url.endsWith(".ts") && !url.includes("/node_modules/");

registerHooks({
  resolve(specifier, context, next) {
    if (
      specifier.startsWith(".") &&
      specifier.endsWith(".js") &&
      isOwnTypeScript(context.parentURL)
    ) {
      const written = new URL(specifier.replace(/js$/, "ts"), context.parentURL);
      if (existsSync(written)) return { url: written.href, format: "module", shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!isOwnTypeScript(url)) return next(url, context);
    return { format: "module", source: javaScriptOf(fileURLToPath(url)), shortCircuit: true };
  },
});

// Runs the TypeScript of this repository as it stands: Node blanks its types out, so that lines and columns stay what they
// are, and neither source maps nor a compiler's helpers around functions cost time. Only for processes of the tests.
import { existsSync, readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

// Without the warning that it is experimental, once for each process.
const { emitWarning } = process;
process.emitWarning = () => undefined;
stripTypeScriptTypes("");
process.emitWarning = emitWarning;

/** What has no types only after a transformation, such as a constructor's own properties, is transformed. */
function javaScriptOf(source) {
  try {
    return stripTypeScriptTypes(source);
  } catch (error) {
    if (error.code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") throw error;
    return stripTypeScriptTypes(source, { mode: "transform", sourceMap: true });
  }
}

const isOwnTypeScript = (url) => url?.startsWith("file:") && url.endsWith(".ts") && !url.includes("/node_modules/");

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith(".") && specifier.endsWith(".js") && isOwnTypeScript(context.parentURL)) {
      const written = new URL(specifier.replace(/js$/, "ts"), context.parentURL);
      if (existsSync(written)) return { url: written.href, format: "module", shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!isOwnTypeScript(url)) return next(url, context);
    return { format: "module", source: javaScriptOf(readFileSync(fileURLToPath(url), "utf8")), shortCircuit: true };
  },
});

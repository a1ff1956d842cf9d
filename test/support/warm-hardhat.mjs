// A process in which Hardhat's own command line runs one command after another, so that most tests of commands need
// not wait for Hardhat to load. Each run has what a process of its own would have: its arguments, environment, standard
// input, a new runtime environment, its exit code and what it wrote. Started by warm-hardhat.ts, over whose channel it is asked.
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

const hardhat = join(import.meta.dirname, "..", "..", "node_modules", "hardhat", "dist", "src");
const load = async (file) => await import(pathToFileURL(join(hardhat, file)).href);

process.setSourceMapsEnabled(true);
const { main } = await load("internal/cli/main.js");
const { resetGlobalHardhatRuntimeEnvironment } = await load("internal/global-hre-instance.js");

let registerTsx = true;

async function run({ args, input, cwd, env }) {
  const written = { stdout: "", stderr: "" };
  const originals = {};
  for (const name of ["stdout", "stderr"]) {
    originals[name] = process[name].write;
    process[name].write = (chunk, encoding, done) => {
      written[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      const callback = typeof encoding === "function" ? encoding : done;
      if (callback !== undefined) process.nextTick(callback);
      return true;
    };
  }
  Object.defineProperty(process, "stdin", {
    configurable: true,
    value: Readable.from([Buffer.from(input)]),
  });
  const kept = new Map(
    ["exit", "uncaughtException", "unhandledRejection"].map((event) => [
      event,
      process.listeners(event),
    ]),
  );
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(env, name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, join(hardhat, "cli.js"), ...args];
  process.exitCode = undefined;
  try {
    await main(args, { registerTsx, warnAboutUnusedPlugins: true });
    for (const listener of process.listeners("exit"))
      if (!kept.get("exit").includes(listener)) listener();
    return { code: process.exitCode ?? 0, ...written };
  } finally {
    registerTsx = false;
    for (const [event, listeners] of kept) {
      for (const one of process.listeners(event))
        if (!listeners.includes(one)) process.removeListener(event, one);
    }
    for (const name of ["stdout", "stderr"]) process[name].write = originals[name];
    process.exitCode = undefined;
    resetGlobalHardhatRuntimeEnvironment();
  }
}

process.on("message", (asked) => {
  run(asked).then(
    (result) => process.send({ result }),
    (error) => process.send({ failure: String(error?.stack ?? error) }),
  );
});
process.on("disconnect", () => process.exit());

// Runs a command after set-up, under the Node that set-up chose: node scripts/run.mjs <command> [arguments]
import { setup } from "./setup.mjs";
import { run } from "./toolchain.mjs";

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error("usage: node scripts/run.mjs <command> [arguments]");
run(command, args, setup());

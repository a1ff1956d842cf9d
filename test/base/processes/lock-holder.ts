import { nodeFs } from "../../../src/base/durable-fs.js";
import { FileLock } from "../../../src/base/file-lock.js";
import { nodeProcessTable } from "../../../src/base/process-table.js";

// Holds the lock that it is told to, until its standard input ends.
const lock = new FileLock(process.argv[2] ?? "", {
  fs: nodeFs,
  processes: nodeProcessTable(),
  now: Date.now,
  sleep: () => Promise.resolve(),
  newToken: () => "holder",
  patience: 0,
  errors: { held: () => new Error("held"), unreadable: () => new Error("unreadable") },
});
await lock.acquire();
process.stdout.write("held\n");
process.stdin.resume();

/**
 * A process that races for a data folder: for each line `<folder> <time>` of its input it tries to lock the folder at
 * that time and prints `got` or the error's number; at the next line, or the input's end, it gives the folder back.
 */
import { createInterface } from "node:readline";

import { isHdpError } from "../../../src/errors/hdp-error.js";
import { lockFolder } from "../../../src/dev-server/folder-lock.js";

let release: (() => Promise<void>) | undefined;
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  await release?.();
  release = undefined;
  const [folder = "", time = ""] = line.split(" ");
  while (Date.now() < Number(time)) continue;
  try {
    release = await lockFolder(folder);
    process.stdout.write("got\n");
  } catch (error) {
    process.stdout.write(`${isHdpError(error) ? error.code : String(error)}\n`);
  }
}
await release?.();

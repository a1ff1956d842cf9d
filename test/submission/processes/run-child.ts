import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { childScript } from "../../support/child-script.js";
import type { ChildJob } from "./child.js";

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));

/** Returns a function that gives a place for a database and for what the service accepted, in a folder of the suite. */
export function places(): () => Pick<ChildJob, "path" | "accepted"> {
  let folder: string;
  let count = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "hdp-processes-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });
  return () => {
    const own = join(folder, String((count += 1)));
    return { path: join(own, "submissions.db"), accepted: `${own}.accepted` };
  };
}

/** Runs a job in a process of its own, until it ends or is killed. */
export async function runChild(
  job: ChildJob,
): Promise<{ signal: string | null; stdout: string; stderr: string }> {
  const script = await childScript(CHILD);
  return await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, JSON.stringify(job)]);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("error", reject);
    child.on("close", (_, signal) => {
      resolve({ signal, stdout, stderr });
    });
  });
}

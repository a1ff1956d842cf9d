import { join } from "node:path";

import { SubmissionStore } from "../submission/store.js";
import type { Session } from "./session.js";

/** The stores of projects, by path: a process opens one file once. */
const projects = new Map<string, SubmissionStore>();

/** The submissions of a project: `submissions.db` in its data folder. Nothing is written until something is sent. */
export function projectSubmissions(dataDir: string): SubmissionStore {
  const path = join(dataDir, "submissions.db");
  const store = projects.get(path) ?? new SubmissionStore({ path, now: Date.now });
  projects.set(path, store);
  return store;
}

class SimulatedSubmissions {
  public readonly store = new SubmissionStore({ now: Date.now });
}

/** Submissions to the local data processor: in memory for an in-process chain, which ends with this process. */
export function localSubmissions(session: Session): SubmissionStore {
  return session.isSimulated ? session.part(SimulatedSubmissions).store : projectSubmissions(session.config.dataDir);
}

/** Submissions of a session's network, to whichever data processor, the latest place first. */
export function submissionsOf(session: Session): readonly SubmissionStore[] {
  return [...new Set([localSubmissions(session), projectSubmissions(session.config.dataDir)])];
}

/** Prints what is worth knowing and stops nothing: what was seen and could not be recorded is seen again. */
export function warnOf(problem: unknown): void {
  process.emitWarning(problem instanceof Error ? problem.message : String(problem));
}

/** Lines of a stack that name a place in a file. */
const FRAME = /^ +at .*?((?:file:\/\/)?[^\s()]+):\d+:\d+\)?$/gm;

/** Returns an error whose stack begins with the frame that called `entry`. It is put into words when it is read. */
export function callSite(entry: (...args: never[]) => unknown): Error {
  const site = new Error();
  Error.captureStackTrace(site, entry);
  return site;
}

/** Frames in which hooks, Hardhat and a client library fit, between a request and the line of a project that made it. */
const REQUEST_FRAMES = 50;
/** This package, built or not. */
const OWN_FOLDER = new URL("..", import.meta.url).href;

/** Returns an error whose stack has the frames of the project alone, of those that await what runs now. */
export function requestSite(): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = REQUEST_FRAMES;
  const site = new Error();
  const stack = site.stack ?? "";
  Error.stackTraceLimit = limit;
  const frames = stack.split("\n").filter(isOfProject);
  site.stack = frames.join("\n");
  return site;
}

function isOfProject(line: string): boolean {
  if (!/^ +at /.test(line)) return false;
  return ["/node_modules/", "\\node_modules\\", "node:", OWN_FOLDER].every(
    (one) => !line.includes(one),
  );
}

/**
 * Ends the stack of an error with the frames of a call, where it does not name the file of the caller: V8 keeps ten frames,
 * which the own ones of a deep call take, and none above work that several calls await.
 */
export function keepCaller(error: unknown, site: Error): void {
  if (!(error instanceof Error) || error.stack === undefined) return;
  const frames = [...(site.stack ?? "").matchAll(FRAME)];
  const file = frames[0]?.[1];
  if (file === undefined || error.stack.includes(`${file}:`)) return;
  error.stack = [error.stack, ...frames.map(([line]) => line)].join("\n");
}

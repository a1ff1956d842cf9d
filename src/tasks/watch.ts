import { once } from "node:events";
import { existsSync, type FSWatcher, watch } from "node:fs";
import { dirname, join, relative } from "node:path";

import { namedPath } from "../base/files.js";
import { isHardhatError } from "../base/rpc.js";
import { errorMessage, plural } from "../base/text.js";
import { isHdpError, notAllowed } from "../errors/hdp-error.js";
import type { CommandContext } from "./run-command.js";
import { printBlock, style } from "./ui/screen.js";

/** What is watched. */
interface Watched {
  readonly files: readonly string[];
  /** Folders whose sources are watched at every depth: {@link isSource}. */
  readonly folders?: readonly string[];
}

/** Milliseconds without a change before work runs again: editors write a file in several steps. */
const SETTLED = 100;

/** Returns whether a path below a watched folder is written by a person, and not by a build. */
function isSource(path: string): boolean {
  const parts = path.split(/[\\/]/);
  const isMade = parts.some((part) => part === "target" || part.startsWith("."));
  return !isMade && /\.(cairo|json|toml)$/.test(path);
}

/** Work that is watched. */
interface Work {
  /** Returns what to watch; asked again after each run. */
  readonly watched: () => Watched;
  /** Runs it. Nothing has changed at the first run. */
  readonly run: (changed: readonly string[]) => Promise<unknown>;
  /** Called after each run, once changes are noticed. */
  readonly onWatching?: () => void;
}

/** Runs work now and after each change, one run after the other, until the process is interrupted. */
export async function untilInterrupted({ watched, run, onWatching }: Work): Promise<void> {
  let changed = new Set<string>();
  let due: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let watchers: readonly FSWatcher[] = [];
  const failed = new AbortController();
  const runOnce = async (): Promise<void> => {
    const those = [...changed];
    changed = new Set();
    await run(those);
    open();
    onWatching?.();
  };
  const again = (): void => {
    last = last.then(runOnce).catch((error: unknown) => failed.abort(error));
  };
  const note = (path: string): void => {
    changed.add(path);
    clearTimeout(due);
    due = setTimeout(again, SETTLED);
  };
  const open = (): void => {
    const before = watchers;
    watchers = watchFolders(watched(), note);
    for (const watcher of before) watcher.close();
  };
  // An edit during the first run counts too.
  open();
  again();
  await once(process, "SIGINT", { signal: failed.signal }).catch(() => undefined);
  for (const watcher of watchers) watcher.close();
  clearTimeout(due);
  failed.signal.throwIfAborted();
}

/** Watches folders instead of files: many editors replace a file instead of writing to it. */
function watchFolders(
  { files, folders = [] }: Watched,
  note: (path: string) => void,
): readonly FSWatcher[] {
  const parents = [...new Set(files.map(dirname))].filter(existsSync);
  const ofFiles = parents.map((folder) =>
    watch(folder, (_event, name) => {
      if (name === null || files.includes(join(folder, name))) note(join(folder, name ?? ""));
    }),
  );
  const ofFolders = [...new Set(folders)].filter(existsSync).map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => {
      if (name !== null && isSource(name)) note(join(folder, name));
    }),
  );
  return [...ofFiles, ...ofFolders];
}

/** Arguments of a command that can be run again after each change. */
export interface WatchArguments {
  readonly watch: boolean;
  readonly json?: boolean;
  readonly open?: boolean;
}

/** What a command is watched for. */
interface Watchable<ArgumentsT> {
  /** Returns what the last run read. */
  readonly watched: (args: ArgumentsT, context: CommandContext) => Watched;
  /** Makes what is read from what was edited, before a run that follows a change. */
  readonly prepare?: (args: ArgumentsT, context: CommandContext) => Promise<void>;
}

/** Returns an action that with `--watch` runs again after each change, and otherwise once. */
export function watchable<ArgumentsT extends WatchArguments>(
  run: (args: ArgumentsT, context: CommandContext) => Promise<unknown>,
  { watched, prepare }: Watchable<ArgumentsT>,
): (args: ArgumentsT, context: CommandContext) => Promise<unknown> {
  return async (args, context) => {
    if (!args.watch) return await run(args, context);
    for (const option of ["json", "open"] as const)
      if (args[option] === true)
        throw notAllowed(`--${option}`, "an option beside --watch", { path: "--watch" });
    const { screen, hre } = context;
    const shownPath = (path: string): string => relative(hre.config.paths.root, path) || ".";
    await untilInterrupted({
      watched: () => watched(args, context),
      run: async (changed) => {
        process.exitCode = undefined;
        const isFirst = changed.length === 0;
        const paths = changed.map(shownPath).join(", ");
        if (!isFirst) printBlock(screen, `  ${style.strong("Changed")}  ${paths}`);
        try {
          if (!isFirst) await prepare?.(args, context);
          await run(args, context);
        } catch (error) {
          printError(error, context);
        }
      },
      onWatching: () => {
        const { files, folders = [] } = watched(args, context);
        const counted = files.length === 0 ? [] : [plural(files.length, "file")];
        const what = [...counted, ...folders.map((one) => `${shownPath(one)}/`)].join(", ");
        printBlock(screen, `  ${style.faint(`Watching ${what}; Ctrl-C ends it.`)}`);
      },
    });
    return undefined;
  };
}

/** Returns the path of a file to watch, as commands find it. @throws HdpError HDP-6003 for standard input */
export function watchedFile(file: string, { config }: CommandContext["hre"]): string {
  if (file !== "-") return namedPath(file, config.paths.root);
  throw notAllowed("standard input", "a file to watch", { path: "--watch" });
}

/** Prints an error of the user, who goes on editing. Other errors are bugs and are thrown. */
function printError(error: unknown, { screen }: CommandContext): void {
  if (!isHdpError(error) && !isHardhatError(error)) throw error;
  const [first = "", ...others] = errorMessage(error).split("\n");
  printBlock(screen, `  ${style.bad("✘")} ${first}`, ...others.map((line) => `  ${line}`));
  process.exitCode = 1;
}

import { jsonText } from "../../base/json.js";
import type { ModuleProfile } from "../../plugin/actions/module-runs.js";
import { type Screen, style } from "../ui/screen.js";
import { printProfile } from "./print-profile.js";

/** The profiles of a command's runs: what `--profile` asks for. Without it there are none, and nothing is counted. */
export class RunProfiles {
  readonly #profiles: ModuleProfile[] = [];
  readonly #path: string | undefined;
  readonly #taskFile: string;
  readonly #root: string;

  public constructor(path: string | undefined, taskFile: string, projectRoot: string) {
    this.#path = path;
    this.#taskFile = taskFile;
    this.#root = projectRoot;
  }

  public get onProfile(): ((profile: ModuleProfile) => void) | undefined {
    return this.#path === undefined ? undefined : (profile) => void this.#profiles.push(profile);
  }

  /** The hottest functions of a run. */
  public print(screen: Screen, index: number): void {
    const profile = this.#profiles[index];
    if (profile !== undefined) printProfile(screen, profile);
  }

  /** What `--json` says of a run's profile: the stacks are in the file. */
  public document(index: number): object {
    const profile = this.#profiles[index];
    if (profile === undefined) return {};
    const { steps, named, functions } = profile;
    return { profile: { steps, named, functions } };
  }

  /** Writes the flame graphs. @throws HdpError HDP-6207 where the file cannot be written */
  public async write(screen: Screen): Promise<void> {
    const path = this.#path;
    if (path === undefined || this.#profiles.length === 0) return;
    const { speedscopeFile } = await import("./speedscope.js");
    const { writeOutput } = await import("../../plugin/output-file.js");
    await writeOutput(path, this.#root, jsonText(speedscopeFile(this.#taskFile, this.#profiles)), "--profile");
    screen.line();
    screen.line(`  ${style.strong("Flame graph".padEnd(14))}  ${path}  (${style.command(`npx speedscope ${path}`)})`);
  }

  /** For a run that was stopped: where its steps went is just what its profile tells. */
  public async printStopped(screen: Screen): Promise<void> {
    this.#profiles.forEach((_, index) => {
      this.print(screen, index);
    });
    await this.write(screen).catch((error: unknown) => {
      screen.line(`  ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}

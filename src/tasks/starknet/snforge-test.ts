import { watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";

import { cairoPackage, runCairoTests } from "../../plugin/cairo-tests.js";
import { flag, optionalText } from "../shared-options.js";
import { command } from "../command.js";
import { plural } from "../../base/text.js";
import { style } from "../ui/screen.js";

/** An editor writes a file in several steps. */
const SETTLED = 200;

export default command({
  name: "snforge test",
  description: "Compute the fixtures of hdp.cairo anew and run the Cairo package's tests with snforge",
  options: {
    filter: optionalText("Run only the Cairo tests whose name contains this"),
    watch: flag("Do it again whenever a task file changes, until stopped"),
  },
  json: false,
  run: async ({ filter, watch: stays }, { hre, screen }) => {
    const args = filter === undefined ? [] : [filter];
    const { exitCode } = await runCairoTests(hre, args);
    if (!stays) {
      process.exitCode = exitCode;
      return;
    }
    const { fixtures } = cairoPackage(hre.config.hdp.cairo);
    const files = (fixtures?.tasks ?? []).map((path) => resolve(hre.config.paths.root, path));
    screen.line(`  Watching ${style.strong(plural(files.length, "task file"))}`);
    await new Promise<void>((done) => {
      let running = false;
      let due: NodeJS.Timeout | undefined;
      const again = (): void => {
        clearTimeout(due);
        due = setTimeout(() => {
          if (running) {
            again();
            return;
          }
          running = true;
          void runCairoTests(hre, args)
            .catch((error: unknown) => {
              screen.line(`  ${error instanceof Error ? error.message : String(error)}`);
            })
            .finally(() => (running = false));
        }, SETTLED);
      };
      // Folders are watched: many editors put a new file in the place of the old one.
      const watchers = [...new Set(files.map(dirname))].map((folder) => {
        const names = new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file)));
        return watch(folder, (_event, name) => {
          if (name === null || names.has(name)) again();
        });
      });
      process.once("SIGINT", () => {
        for (const watcher of watchers) watcher.close();
        clearTimeout(due);
        done();
      });
    });
  },
});

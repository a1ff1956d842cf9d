import { requireOutput, writeOutput } from "../../plugin/output-file.js";
import { flag, text, words } from "../shared-options.js";
import { command } from "../command.js";
import { suggested } from "../../errors/suggested.js";
import { shellWord } from "../../base/untrusted-text.js";
import { style } from "../ui/screen.js";
import { networkAtHand, readRequests } from "./read-requests.js";
import { renderTaskTypes } from "./render-task-types.js";

/** What the file is made from. */
const SAID = "the task files say";

export default command({
  name: "types",
  description: "Write a TypeScript module of task files, with their requests typed and their hashes",
  positional: { files: words("Task files (JSON), or a pattern in quotes", ["tasks/*.json"]) },
  options: {
    out: text("File to write", "hdp-tasks.ts"),
    check: flag("Write nothing, and fail where the file is not what would be written"),
  },
  run: async ({ files, out, check }, { hre, screen }) => {
    const { root } = hre.config.paths;
    const requests = await readRequests(files, hre, undefined, networkAtHand(hre, screen));
    const written = renderTaskTypes(requests);
    const again = suggested("hdp:types", files, { after: `--out ${shellWord(out)}` });
    if (check) await requireOutput(out, root, written, { code: "HDP-6087", said: SAID, again });
    else await writeOutput(out, root, written);
    screen.line(`  ${style.good("✔")} ${out}  ${check ? `is what ${SAID}` : "written"}`);
    for (const { file } of requests) screen.line(`    ${file}`);
    screen.document({ out, files: requests.map(({ file }) => file) });
  },
});

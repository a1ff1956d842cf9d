import { HdpError } from "../../base/errors.js";
import { compareOutput, writeOutput } from "../../plugin/output-file.js";
import { flag, text, words } from "../shared-options.js";
import { command } from "../command.js";
import { suggested } from "../../base/suggested.js";
import { shellWord } from "../../base/untrusted-text.js";
import { style } from "../ui/screen.js";
import { networkAtHand, readRequests } from "./read-requests.js";
import { renderTaskTypes } from "./render-task-types.js";

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
    if (check) await requireSame(out, root, written, files);
    else await writeOutput(out, root, written);
    screen.line(`  ${style.good("✔")} ${out}  ${check ? "is what the task files say" : "written"}`);
    for (const { file } of requests) screen.line(`    ${file}`);
    screen.document({ out, files: requests.map(({ file }) => file) });
  },
});

async function requireSame(out: string, root: string, wanted: string, files: readonly string[]): Promise<void> {
  const found = await compareOutput(out, root, wanted);
  if (found === "same") return;
  throw new HdpError({
    code: "HDP-6087",
    path: "--check",
    message: `"${out}" ${found === "missing" ? "is not there" : "is not what the task files say"}.`,
    hints: [`Write it again: ${suggested("hdp:types", files, { after: `--out ${shellWord(out)}` })}`],
  });
}

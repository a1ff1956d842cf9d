import { extname } from "node:path";

import { writeOutput } from "../../plugin/output-file.js";
import type { Explanation } from "../../plugin/actions/inspection-actions.js";
import { HdpError } from "../../errors/hdp-error.js";
import { file, integer, optionalText } from "../shared-options.js";
import { command } from "../command.js";
import { readRequest } from "../requests/read-request.js";
import { EXPLANATION_FORMATS, explanationDocument, printExplanation } from "./print-explanation.js";
import { style } from "../ui/screen.js";

/** Width of a chart where there is no terminal to ask. */
const PLAIN_WIDTH = 80;

export default command({
  name: "explain",
  description: "Show the values a task samples, with a chart",
  positional: { file },
  options: {
    task: integer("Which task of the file, counted from 1", 1),
    out: optionalText("Also write them to a file: .svg, .csv or .json", { shortName: "o" }),
  },
  run: async (args, { hre, screen }) => {
    // A wrong extension is found before a long range is read.
    const format = args.out === undefined ? undefined : formatOf(args.out);
    const request = await readRequest(args.file, hre, undefined, screen);
    const { hdp } = await hre.network.getOrCreate();
    const explanation = await hdp.explain(request, { task: args.task });
    printExplanation(screen, explanation, process.stdout.isTTY ? process.stdout.columns : PLAIN_WIDTH);
    if (args.out !== undefined && format !== undefined) {
      await writeOutput(args.out, hre.config.paths.root, format(explanation));
      screen.line();
      screen.line(`  ${style.good("✔")} Written to ${args.out}`);
    }
    screen.document(explanationDocument(explanation));
  },
});

function formatOf(path: string): (explanation: Explanation) => string {
  const format = EXPLANATION_FORMATS[extname(path).toLowerCase()];
  if (format !== undefined) return format;
  throw new HdpError({
    code: "HDP-6201",
    path: "--out",
    message: `"${path}" does not say its format.`,
    hints: [`The extension chooses it: ${Object.keys(EXPLANATION_FORMATS).join(", ")}. Nothing was read.`],
  });
}

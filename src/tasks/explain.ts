import { extname } from "node:path";

import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { writeOutput } from "../plugin/output-file.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import type { Explanation } from "../plugin/actions/inspection.js";
import { HdpError } from "../base/errors.js";
import { readRequest } from "./command.js";
import { EXPLANATION_FORMATS, explanationDocument, printExplanation } from "./ui/explanation.js";
import { style, terminalScreen } from "./ui/screen.js";

interface ExplainArguments {
  readonly file: string;
  readonly task: number;
  readonly out: string | undefined;
  readonly json: boolean;
}

/** Width of a chart where there is no terminal to ask. */
const PLAIN_WIDTH = 80;

const action: NewTaskActionFunction<ExplainArguments> = async (args, hre) => {
  await atTheEdge(async () => {
    // A wrong extension is found before a long range is read.
    const format = args.out === undefined ? undefined : formatOf(args.out);
    const request = await readRequest(args.file, hre);
    const { hdp } = await hre.network.getOrCreate();
    const explanation = await hdp.explain(request, { task: args.task });
    const screen = terminalScreen(args.json);
    printExplanation(screen, explanation, process.stdout.isTTY ? process.stdout.columns : PLAIN_WIDTH);
    if (args.out !== undefined && format !== undefined) {
      await writeOutput(args.out, hre.config.paths.root, format(explanation));
      screen.line();
      screen.line(`  ${style.good("✔")} Written to ${args.out}`);
    }
    screen.document(explanationDocument(explanation));
  });
};

export default action;

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

import { word } from "../shared-options.js";
import { command } from "../command.js";
import { plural } from "../../base/text.js";
import { style } from "../ui/screen.js";
import { printTable } from "../ui/table.js";

export default command({
  name: "task show",
  aliases: ["task"],
  description: "Print all that a service of edition module-tasks has on a task",
  positional: { id: word("A task's id at the service") },
  run: async ({ id }, { hre, screen }) => {
    const { moduleTasks } = hre.hdp;
    const [details, { mmrs }, { outputPreimage }, { state_transitions: stateTransitions }] = await Promise.all([
      moduleTasks.details(id),
      moduleTasks.mmrs(id),
      moduleTasks.outputPreimage(id),
      moduleTasks.stateTransitions(id),
    ]);
    screen.line();
    screen.line(`  ${style.strong("Task")}  ${id}   ${details.status}`);
    screen.line(`        program ${details.programHash ?? "unknown"}, destination ${details.destinationChainId}`);
    screen.line(`        task hash ${details.taskHash ?? "not known yet"}`);
    screen.line(`        output root ${details.outputTreeRoot ?? "not known yet"}`);
    const felts = outputPreimage === null ? "not completed yet" : outputPreimage.join(", ");
    screen.line(`        output ${felts}`);
    const transitions = stateTransitions.map((step) => [step.from_status ?? "", step.to_status, step.created_at]);
    printTable(screen, ["FROM", "TO", "AT"], transitions);
    const roots = mmrs.map((mmr) => [mmr.id, mmr.chain_id, mmr.hashing_function, mmr.size, mmr.root]);
    if (roots.length === 0) screen.line(`  ${plural(0, "MMR")}`);
    else printTable(screen, ["MMR", "CHAIN", "HASH", "SIZE", "ROOT"], roots);
    screen.document({ details, mmrs, outputPreimage, stateTransitions });
  },
});

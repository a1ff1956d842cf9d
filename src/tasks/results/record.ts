import { plural } from "../../base/text.js";
import { hdpError } from "../../errors/hdp-error.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { readRequest } from "../requests/read-requests.js";
import { command, type Optional } from "../run-command.js";
import { preview } from "../ui/preview.js";
import { style } from "../ui/screen.js";

export const record = command(async ({ files, out }: { files: string[] } & Optional<"out">, { hre, screen }) => {
  if (out === undefined) {
    const example = "npx hardhat hdp record tasks/fee.json --out fixtures/fee.json";
    throw hdpError("HDP-6016", { what: "file for the recorded chain data", example }, { path: "--out" });
  }
  const requests = await Promise.all(files.map(async (file) => await readRequest(file, hre, screen)));
  const tasks = requests.flatMap((request) => request.tasks);
  const { hdp, networkName } = await hre.network.getOrCreate();
  preview(screen, { tasks }, knownPrograms(hre.config));
  screen.line(`  ${style.strong("Reading from")}  network "${networkName}", with proofs`);
  screen.line();
  const { taskHashes, chains } = await hdp.record(tasks, { to: out });
  for (const { chain, nodeChainId, blocks, nodes } of chains) {
    const read = `${plural(blocks.length, "block")} and ${plural(nodes.length, "proof node")}`;
    screen.line(`  ${style.good("✔")} ${chain} (the node's chain id is ${nodeChainId}): ${read}`);
  }
  screen.line(`  Written to ${out}. In a test: ${style.command(`await hdp.replay("${out}")`)}`);
  screen.line("  Block hashes in it come from this node; everything else is proven under them.");
  const recorded = chains.map(({ chain, nodeChainId, blocks, nodes }) => {
    return { chain, nodeChainId, blocks: blocks.length, nodes: nodes.length };
  });
  return { networkName, out, taskHashes, chains: recorded };
});

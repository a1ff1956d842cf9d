import { knownPrograms } from "../../plugin/known-programs.js";
import { HdpError } from "../../errors/hdp-error.js";
import { optionalText, words } from "../shared-options.js";
import { command } from "../command.js";
import { readRequest } from "../requests/read-request.js";
import { plural } from "../../base/text.js";
import { preview } from "../ui/preview.js";
import { style } from "../ui/screen.js";

export default command({
  name: "record",
  description: "Record the chain data that tasks read, with its proofs, for offline tests",
  positional: { files: words("Task files (JSON), relative to the project") },
  options: {
    out: optionalText("The fixture to write, for instance fixtures/fee.json", { shortName: "o" }),
  },
  run: async ({ files, out }, { hre, screen }) => {
    if (out === undefined) throw noOutput();
    const requests = await Promise.all(files.map(async (file) => await readRequest(file, hre, undefined, screen)));
    const tasks = requests.flatMap((request) => request.tasks);
    const { hdp, networkName } = await hre.network.getOrCreate();
    preview(screen, { destinationChainId: "ETHEREUM_SEPOLIA", tasks }, knownPrograms(hre.config));
    screen.line(`  ${style.strong("Reading from")}  network "${networkName}", with proofs`);
    screen.line();
    const { taskHashes, chains } = await hdp.record(tasks, { to: out });
    for (const { chain, nodeChainId, blocks, nodes } of chains) {
      const read = `${plural(blocks.length, "block")} and ${plural(nodes.length, "proof node")}`;
      screen.line(`  ${style.good("✔")} ${chain} (the node's chain id is ${nodeChainId}): ${read}`);
    }
    screen.line(`  Written to ${out}. In a test: ${style.command(`await hdp.replay("${out}")`)}`);
    screen.line("  The block hashes in it are this node's word; everything else is proven under them.");
    screen.document({
      networkName,
      out,
      taskHashes,
      chains: chains.map(({ chain, nodeChainId, blocks, nodes }) => ({
        ...{ chain, nodeChainId },
        ...{ blocks: blocks.length, nodes: nodes.length },
      })),
    });
  },
});

function noOutput(): HdpError {
  return new HdpError({
    code: "HDP-6209",
    path: "--out",
    message: "no file was named for the recorded chain data.",
    hints: ["Name one, for instance: npx hardhat hdp:record tasks/fee.json --out fixtures/fee.json"],
  });
}

import { command } from "../command.js";
import { frontBehaviour, frontOptions, interrupted, introduce } from "./node.js";

export default command({
  name: "serve",
  description: "Run the local data processor over HTTP beside a node that runs already (--network localhost)",
  options: frontOptions,
  json: false,
  run: async (front, { hre, screen }) => {
    const { startFrontBeside } = await import("../../plugin/local-node.js");
    const options = frontBehaviour(front, hre.config.paths.root, screen);
    const connection = await hre.network.getOrCreate();
    const node = await startFrontBeside(connection, options);
    introduce(screen, node, { ...options, network: connection.networkName, ends: "Ctrl-C ends it; the node goes on." });
    await interrupted();
    await node.close();
  },
});

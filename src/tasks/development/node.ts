import { resolve } from "node:path";

import { printable } from "../../base/untrusted-text.js";
import type { LocalNode, RequestLine } from "../../plugin/local-node.js";
import { integer, optionalText, seconds } from "../shared-options.js";
import { command } from "../command.js";
import { style, type Screen } from "../ui/screen.js";

export default command({
  name: "node",
  description: "Run a chain node and, beside it, the local data processor over HTTP",
  options: {
    hostname: optionalText("Address on which the chain node listens (127.0.0.1; in a container 0.0.0.0)"),
    port: integer("Port of the chain node", 8545),
    hdpPort: integer("Port of the data processor, the program registry and the storage proof interface", 8546),
    apiKey: optionalText("The only API key to accept; any is when left out"),
    dataDir: optionalText("Folder in which tasks and programs survive this process"),
    host: optionalText("Address on which the data processor listens (127.0.0.1)"),
    latency: optionalText(
      "Seconds from one state of a batch to the next: all six are seen, results come after the last",
    ),
    cors: optionalText("Origins whose web pages may use the data processor, with commas: http://localhost:3000"),
  },
  json: false,
  run: async ({ hostname, port, hdpPort, apiKey, dataDir, host, cors, latency }, { hre, screen }) => {
    const latencyMs = seconds(latency, "--latency");
    const { startLocalNode } = await import("../../plugin/local-node.js");
    const folder = dataDir === undefined ? undefined : resolve(hre.config.paths.root, dataDir);
    const node = await startLocalNode(hre, {
      ...{ hostname, port, hdpPort, apiKey, dataDir: folder, host, cors, latencyMs },
      onRequest: (line) => {
        screen.line(requestLine(line));
      },
      onFailure: (error) => {
        screen.line(`  ${style.bad("✘")} ${printable(error instanceof Error ? error.message : String(error))}`);
      },
    });
    introduce(screen, node, { fixedKey: apiKey !== undefined, dataDir: folder });
    await interrupted();
    await node.close();
  },
});

/** One answered request: `POST /tasks  200  3 ms`. */
function requestLine({ method, path, status, milliseconds, code }: RequestLine): string {
  const outcome = status === 0 ? "connection ended" : String(status);
  const words = [outcome, `${Math.round(milliseconds)} ms`, ...(code === undefined ? [] : [code])];
  return style.faint(`  ${printable(`${method} ${path}`)}  ${words.join("  ")}`);
}

/** Says where everything is, and how a project is pointed at it. Keys are never shown. */
export function introduce(
  screen: Screen,
  { chainUrl, front, executionStore, accounts }: LocalNode,
  { fixedKey, dataDir }: { readonly fixedKey: boolean; readonly dataDir: string | undefined },
): void {
  const row = (name: string, value: string): void => screen.line(`  ${style.strong(name.padEnd(16))}  ${value}`);
  screen.line();
  row("Chain", `${chainUrl}  (JSON-RPC, HTTP and WebSocket)`);
  row("Data processor", `${front.url}  (program registry and storage proofs too)`);
  row("Description", `${front.url}/swagger/`);
  row("Execution store", `${executionStore}  (mock)`);
  row("API key", fixedKey ? "the one of --api-key" : "any, but one must be sent");
  row("Data folder", dataDir ?? "none: tasks and programs are forgotten when this ends");
  row("Accounts", `${accounts.length} with balances, first ${accounts[0] ?? "none"}`);
  screen.line();
  screen.line("  To use it from a project, in hardhat.config.ts:");
  screen.line(`    networks: { localhost: { type: "http", url: "${chainUrl}", hdp: {`);
  screen.line(`      dataProcessor: { url: "${front.url}", apiKey: "local" },`);
  screen.line(`      executionStore: { address: "${executionStore}" } } } }`);
  screen.line();
  screen.line("  Ctrl-C ends both.");
}

/** Resolves when the process is asked to end. */
async function interrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      process.off("SIGINT", end).off("SIGTERM", end);
      resolve();
    };
    process.once("SIGINT", end).once("SIGTERM", end);
  });
}

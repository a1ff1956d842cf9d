import { resolve } from "node:path";

import type { NewTaskActionFunction } from "hardhat/types/tasks";

import type { LocalNode } from "../plugin/local-node.js";
import { atTheEdge } from "../plugin/plugin-error.js";
import { style, terminalScreen, type Screen } from "./ui/screen.js";

interface NodeArguments {
  readonly hostname: string | undefined;
  readonly port: number;
  readonly hdpPort: number;
  readonly apiKey: string | undefined;
  readonly dataDir: string | undefined;
}

const action: NewTaskActionFunction<NodeArguments> = async ({ hostname, port, hdpPort, apiKey, dataDir }, hre) => {
  await atTheEdge(async () => {
    const { startLocalNode } = await import("../plugin/local-node.js");
    const folder = dataDir === undefined ? undefined : resolve(hre.config.paths.root, dataDir);
    const node = await startLocalNode(hre, { hostname, port, hdpPort, apiKey, dataDir: folder });
    introduce(terminalScreen(false), node, { fixedKey: apiKey !== undefined, dataDir: folder });
    await interrupted();
    await node.close();
  });
};

export default action;

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

import { resolve } from "node:path";

import { printable } from "../../base/untrusted-text.js";
import type { FrontOptions, LocalNode, RequestLine } from "../../plugin/local-node.js";
import { integer, optionalText, seconds } from "../shared-options.js";
import { command } from "../command.js";
import { style, type Screen } from "../ui/screen.js";

/** What the local front is told, beside a new node and beside one that runs. */
export const frontOptions = {
  hdpPort: integer("Port of the data processor, the program registry and the storage proof interface", 8546),
  apiKey: optionalText("The only API key to accept; any is when left out"),
  dataDir: optionalText("Folder in which tasks and programs survive this process"),
  host: optionalText(
    "Address on which the data processor listens (127.0.0.1; for use from outside a container 0.0.0.0)",
  ),
  latency: optionalText("Seconds from one state of a batch to the next: all six are seen, results come after the last"),
  fault: optionalText("What goes wrong, each once, in order, with commas: http-burst:503:3,stuck-at:CachedMmrRoot"),
  cors: optionalText("Origins whose web pages may use the data processor, with commas: http://localhost:3000"),
};

export default command({
  name: "node",
  description: "Run a chain node and, beside it, the local data processor over HTTP",
  options: {
    ...frontOptions,
    hostname: optionalText("Address on which the chain node listens (127.0.0.1; in a container 0.0.0.0)"),
    port: integer("Port of the chain node", 8545),
  },
  json: false,
  run: async ({ hostname, port, ...front }, { hre, screen }) => {
    const { startLocalNode } = await import("../../plugin/local-node.js");
    const options = frontBehaviour(front, hre.config.paths.root, screen);
    const node = await startLocalNode(hre, { hostname, port, ...options });
    introduce(screen, node, { ...options, ends: "Ctrl-C ends both." });
    await interrupted();
    await node.close();
  },
});

/** The options of a front, which tells the screen of each request. */
export function frontBehaviour(
  {
    latency,
    fault,
    ...options
  }: Omit<FrontOptions, "onRequest" | "onFailure" | "latencyMs" | "faults"> & {
    readonly latency: string | undefined;
    readonly fault: string | undefined;
  },
  root: string,
  screen: Screen,
): FrontOptions {
  return {
    ...options,
    latencyMs: seconds(latency, "--latency"),
    faults: fault,
    dataDir: options.dataDir === undefined ? undefined : resolve(root, options.dataDir),
    onRequest: (line) => {
      screen.line(requestLine(line));
    },
    onFailure: (error) => {
      screen.line(`  ${style.bad("✘")} ${printable(error instanceof Error ? error.message : String(error))}`);
    },
  };
}

/** One answered request: `POST /tasks  200  3 ms`. */
function requestLine({ method, path, status, milliseconds, code }: RequestLine): string {
  const outcome = status === 0 ? "connection ended" : String(status);
  const words = [outcome, `${Math.round(milliseconds)} ms`, ...(code === undefined ? [] : [code])];
  return style.faint(`  ${printable(`${method} ${path}`)}  ${words.join("  ")}`);
}

/** Says where everything is, and how a project is pointed at it: with the key, which is this front's alone. */
export function introduce(
  screen: Screen,
  { chainUrl, front, executionStore, accounts }: LocalNode,
  {
    apiKey,
    dataDir,
    faults,
    ends,
    network = "localhost",
  }: Pick<FrontOptions, "apiKey" | "dataDir" | "faults"> & { readonly ends: string; readonly network?: string },
): void {
  const row = (name: string, value: string): void => screen.line(`  ${style.strong(name.padEnd(16))}  ${value}`);
  screen.line();
  row("Chain", `${chainUrl}  (JSON-RPC, HTTP and WebSocket)`);
  row("Data processor", `${front.url}  (program registry and storage proofs too)`);
  row("Description", `${front.url}/swagger/`);
  row("Execution store", `${executionStore}  (mock)`);
  row("API key", apiKey === undefined ? "any, but one must be sent" : "the one of --api-key");
  row("Data folder", dataDir ?? "none: tasks and programs are forgotten when this ends");
  if (faults !== undefined) row("Faults", `${printable(faults)}  (each once, in order)`);
  row("Accounts", `${accounts.length} with balances, first ${accounts[0] ?? "none"}`);
  screen.line();
  screen.line("  To use it from a project, in hardhat.config.ts:");
  screen.line(
    `    networks: { ${/^[a-z_$][\w$]*$/i.test(network) ? network : JSON.stringify(network)}: { type: "http", url: "${chainUrl}", hdp: {`,
  );
  screen.line(`      dataProcessor: { url: "${front.url}", apiKey: ${JSON.stringify(apiKey ?? "local")} },`);
  screen.line(`      executionStore: { address: "${executionStore}" } } } }`);
  screen.line();
  screen.line(`  ${ends}`);
}

/** Resolves when the process is asked to end. */
export async function interrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      process.off("SIGINT", end).off("SIGTERM", end);
      resolve();
    };
    process.once("SIGINT", end).once("SIGTERM", end);
  });
}

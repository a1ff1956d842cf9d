import { once } from "node:events";
import { resolve } from "node:path";

import { bytesToHex } from "viem/utils";

import { readNamedFile } from "../../base/files.js";
import { SECRETS } from "../../errors/secrets.js";
import { errorMessage } from "../../base/text.js";
import { printable } from "../../errors/printable.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { LocalNode, LocalServerOptions } from "../../plugin/local-node.js";
import type { RequestLine } from "../../request/views.js";
import type { WireEditionName } from "../../service/data-processor/edition.js";
import { readSides } from "../../service/data-processor/contradictions.js";
import { FaultQueue } from "../../submission/backend/faults/fault-queue.js";
import { readFaults } from "../../submission/backend/faults/fault-text.js";
import { milliseconds, networkOption, type Optional } from "../options.js";
import { command } from "../run-command.js";
import { printBlock, type Field, printFields, style, type Screen } from "../ui/screen.js";

type Arguments = Optional<
  | "hostname"
  | "host"
  | "apiKey"
  | "apiKeyFile"
  | "dataDir"
  | "latency"
  | "fault"
  | "cors"
  | "published"
  | "publicUrl"
> &
  Readonly<Record<"port" | "hdpPort", number>>;

/** Runs `hdp node`, until it is interrupted: a new chain with the dev server, or the dev server beside that of `--network`. */
export const node = command(async (args: Arguments, { hre, screen }) => {
  const { originsIn, publicUrlIn, startLocalNode, startServerBeside } =
    await import("../../plugin/local-node.js");
  const { hostname, port, host, hdpPort, fault, dataDir } = args;
  const { root } = hre.config.paths;
  const options: LocalServerOptions = {
    host,
    hdpPort,
    apiKey: await readApiKey(args.apiKey, args.apiKeyFile, root),
    corsOrigins: args.cors === undefined ? [] : originsIn(args.cors),
    publicUrl: args.publicUrl === undefined ? undefined : publicUrlIn(args.publicUrl),
    latency: milliseconds(args.latency, "--latency"),
    published: args.published === undefined ? {} : readSides(args.published, "--published"),
    faults: new FaultQueue(...(fault === undefined ? [] : readFaults(fault, "--fault"))),
    dataDir: dataDir === undefined ? undefined : resolve(root, dataDir),
    onRequest: (request) => screen.line(requestLine(request)),
    viewOf: (await import("../ui/run-page.js")).runView,
    onFailure: (error) => screen.line(`  ${style.bad("✘")} ${printable(errorMessage(error))}`),
  };
  // A network that is not a node would end with this process.
  const network = networkOption(hre);
  const beside =
    network !== undefined && hre.config.networks[network]?.type === "http" ? network : undefined;
  const running =
    beside === undefined
      ? await startLocalNode(hre, { hostname, port, ...options })
      : await startServerBeside(await hre.network.getOrCreate(), options);
  const { edition } = hre.config.hdp.local;
  introduce(screen, running, {
    ...options,
    fault,
    edition,
    network: beside ?? "localhost",
    isOwn: beside === undefined,
  });
  if (beside === undefined) await printKeys(screen, running);
  // The first signal ends the server, the second the process at once.
  const ended = new AbortController();
  const { signal } = ended;
  const first = ["SIGINT", "SIGTERM"].map(
    async (name) => await once(process, name, { signal }).catch(() => undefined),
  );
  screen.line(beside === undefined ? "  Ctrl-C ends both." : "  Ctrl-C ends it; the node goes on.");
  await Promise.race(first);
  ended.abort();
  await running.close();
});

const DEFAULT_MNEMONIC = "test test test test test test test test test test test junk";

/** Prints the accounts with their well-known keys, as `hardhat node` does; prints nothing of other accounts. */
async function printKeys(screen: Screen, { accounts }: LocalNode): Promise<void> {
  const { mnemonicToAccount, privateKeyToAddress } = await import("viem/accounts");
  // One for all accounts: the seed of a mnemonic takes 50 ms.
  const parent = mnemonicToAccount(DEFAULT_MNEMONIC, { path: "m/44'/60'/0'/0" }).getHdKey();
  const keys = accounts.map((_, index) =>
    bytesToHex(parent.deriveChild(index).privateKey ?? new Uint8Array()),
  );
  const known = keys.map((key) => ({ key, address: privateKeyToAddress(key) }));
  if (
    accounts.some((address, index) => known[index]?.address.toLowerCase() !== address.toLowerCase())
  )
    return;
  const warning =
    "These keys are public: funds sent to these accounts on a live network will be lost.";
  screen.line(`  ${style.strong("Private keys")}  ${style.bad("!")} ${warning}`);
  for (const [index, { key, address }] of known.entries()) {
    screen.line(`  ${String(index).padStart(3)}  ${address}`);
    screen.line(`       ${key}`);
  }
  screen.line();
}

const MAX_KEY_BYTES = 4_096;

/** Returns the key of the option, of the file, or of `HDP_NODE_API_KEY`. @throws HdpError HDP-6001 */
async function readApiKey(
  given: string | undefined,
  file: string | undefined,
  root: string,
): Promise<string | undefined> {
  let key = given ?? process.env["HDP_NODE_API_KEY"];
  if (given === undefined && file !== undefined) {
    const path = resolve(root, file);
    key = (
      await readNamedFile("the API key", path, { maxBytes: MAX_KEY_BYTES, path: file })
    ).trim();
    if (key === "")
      throw hdpError(
        "HDP-6001",
        { what: "the API key", reason: "it is empty", path },
        { path: file },
      );
  }
  return key === undefined || key === "" ? undefined : SECRETS.learn(key);
}

/** Returns the line of a request: `POST /tasks  200  3 ms`. */
function requestLine({ method, path, status, milliseconds, code }: RequestLine): string {
  const outcome = status === 0 ? "connection ended" : String(status);
  const words = [outcome, `${Math.round(milliseconds)} ms`, ...(code === undefined ? [] : [code])];
  return style.faint(`  ${printable(`${method} ${path}`)}  ${words.join("  ")}`);
}

/** What is said of a server beside what it says itself. */
type Introduction = LocalServerOptions & {
  readonly fault: string | undefined;
  /** The network that the configuration is printed for. */
  readonly network: string;
  /** The API version that the project's tests take. */
  readonly edition: WireEditionName | undefined;
  /** Whether the chain is this process's own, which has WebSockets; of another node nothing is known. */
  readonly isOwn: boolean;
};

/** Prints where a server and its chain are, and the configuration of a project that uses them. */
function introduce(
  screen: Screen,
  { chainUrl, server, executionStore, accounts }: LocalNode,
  { apiKey, dataDir, fault, network, edition, isOwn, publicUrl = server.url }: Introduction,
): void {
  printFields(screen, [
    ["Chain", `${chainUrl}  (JSON-RPC${isOwn ? ", HTTP and WebSocket" : ""})`],
    ["Data processor", `${server.url}  (program registry and storage proofs too)`],
    ["Dashboard", `${publicUrl}/`],
    ["Description", `${publicUrl}/swagger/`],
    ["Execution store", `${executionStore}  (mock)`],
    ["API key", apiKey === undefined ? "any, but one must be sent" : "the given one"],
    ["Data folder", dataDir ?? "none: tasks and programs are forgotten when this ends"],
    ...(fault === undefined
      ? []
      : [["Faults", `${printable(fault)}  (each once, in order)`] satisfies Field]),
    ["Accounts", `${accounts.length} with balances, first ${accounts[0] ?? "none"}`],
  ]);
  printBlock(screen, "  To use it from a project, in hardhat.config.ts:");
  const key = apiKey === undefined ? '"local"' : 'configVariable("HDP_API_KEY")';
  const service = [
    `url: "${server.url}"`,
    `apiKey: ${key}`,
    // Without it, the API version is the specification's, and tests of the project would take another form.
    ...(edition === undefined ? [] : [`edition: "${edition}"`]),
  ];
  const lines = [
    `networks: {`,
    `  ${propertyName(network)}: {`,
    `    type: "http",`,
    `    url: "${chainUrl}",`,
    `    hdp: {`,
    `      dataProcessor: {`,
    ...service.map((field) => `        ${field},`),
    `      },`,
    `      executionStore: {`,
    `        address: "${executionStore}",`,
    `      },`,
    `    },`,
    `  },`,
    `},`,
  ];
  for (const line of lines) screen.line(`    ${line}`);
  screen.line();
}

/** Returns a property's name as TypeScript has it: quoted where it is not a plain word. */
function propertyName(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}

// Writes contributing/from-a-wallet.md: from an empty folder to a contract that acts on a result of today's interfaces, with
// the key that a login by wallet gets. The development server stands for the service, over geth. Everything shown is what the
// commands really printed; passwords are typed at a terminal. Run after `npm run build`, with geth on the PATH:
// npm run docs:transcript
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";

import { startGeth } from "../test/support/geth.js";
import { type RunningNode, runServer } from "../test/support/running-node.js";
import { hardhatCli, root } from "./root.js";

const folder = mkdtempSync(join(root, "test", ".login-transcript-"));
const [project, service] = [join(folder, "fee-gate"), join(folder, "service")];
const privateKey = generatePrivateKey();
const PASSWORD = "correct horse battery";
/** What a person types, by what the terminal asks. */
const TYPED: readonly (readonly [question: RegExp, answer: string])[] = [
  [/password[^\n]*$/i, PASSWORD],
  [/\?[^\n]*\[y\/N\][^\n]*$/i, "y"],
];
const sections: string[] = [];

const solc = createRequire(import.meta.url).resolve("solc/soljson.js");
const solidity = `{ version: "0.8.28", path: ${JSON.stringify(solc)} }`;
const CONFIG = `import hardhatKeystore from "@nomicfoundation/hardhat-keystore";
import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { configVariable, defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp, hardhatKeystore, hardhatViem, hardhatMocha],
  solidity: "0.8.28",
  networks: {
    live: {
      type: "http",
      url: "CHAIN",
      accounts: [configVariable("DEPLOYER_KEY")],
      hdp: {
        dataProcessor: {
          url: "SERVER",
          loginUrl: "SERVER",
          edition: "module-tasks",
          apiKey: configVariable("HDP_API_KEY"),
        },
        executionStore: { address: "STORE" },
      },
    },
  },
  hdp: { local: { edition: "module-tasks" } },
});
`;
const SERVICE_CONFIG = `import { defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp],
  networks: { chain: { type: "http", url: "CHAIN" } },
  hdp: {
    local: { edition: "module-tasks", finalize: "proven" },
    executionStore: { kind: "satellite" },
  },
});
`;
const DEPLOY = `import { network } from "hardhat";

const { hdp, viem } = await network.getOrCreate();
const { address } = await hdp.store.current();
const gate = await viem.deployContract("FeeGate", [address, await hdp.task("tasks/fee.json")]);
console.log(gate.address);
`;
const LOOK = `import { network } from "hardhat";

const { viem } = await network.getOrCreate();
const gate = await viem.getContractAt("FeeGate", process.env.GATE);
console.log(await gate.read.isOpen(), await gate.read.averageBaseFee());
`;

const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !["CI", "FORCE_COLOR", "HH_TEST"].includes(name),
    ),
  ),
  NO_COLOR: "1",
  XDG_CONFIG_HOME: join(folder, "config"),
  DEPLOYER_KEY: privateKey,
};

const show = (title: string, text: string, language = "text"): void => {
  sections.push(`## ${title}\n\n\`\`\`${language}\n${text.trim()}\n\`\`\`\n`);
};
/** A frame of a spinner, which the next one overwrites. */
// eslint-disable-next-line no-control-regex -- these begin a terminal's codes
const FRAME = /[\u2800-\u28FF][^\u001B\r\n]*/g;
const tidy = (printed: string): string =>
  stripVTControlCharacters(printed.replaceAll(FRAME, ""))
    .replaceAll(folder, "~")
    .replaceAll("\r", "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");

/** Types a command at a terminal in the project, and what it asks for. Shows it, and returns what it printed. */
async function typed(title: string, line: string, code = 0, env: object = {}): Promise<string> {
  const words = [process.execPath, hardhatCli, ...line.split(" ")].map((word) => `'${word}'`);
  const terminal = ["-qec", `stty cols 120; ${words.join(" ")}`, "/dev/null"];
  const child = spawn("script", terminal, { cwd: project, env: { ...environment, ...env } });
  let printed = "";
  let answered = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    const asked = stripVTControlCharacters(printed.slice(answered));
    const answer = TYPED.find(([question]) => question.test(asked))?.[1];
    if (answer === undefined) return;
    answered = printed.length;
    child.stdin.write(`${answer}\r`);
  });
  const ended = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const text = tidy(printed);
  if (ended !== code) throw new Error(`${line} ended with ${String(ended)}:\n${text}`);
  show(title, `$ npx hardhat ${line}\n${text}`);
  return text;
}

async function rpc(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  const reply = await fetch(url, { method: "POST", headers, body });
  return ((await reply.json()) as { result: unknown }).result;
}

/** Returns what a text has after a name. */
function after(text: string, name: RegExp): string {
  const found = new RegExp(`${name.source}.*?(0x[0-9a-fA-F]{40}|http://[\\w.:]+)`).exec(text)?.[1];
  if (found === undefined) throw new Error(`nothing after ${name.source}: ${text}`);
  return found;
}

const geth = await startGeth();
let server: RunningNode | undefined;
try {
  for (const path of [service, join(project, "scripts")]) mkdirSync(path, { recursive: true });
  for (const path of [service, project])
    writeFileSync(join(path, "package.json"), '{ "type": "module" }');
  writeFileSync(join(service, "hardhat.config.ts"), SERVICE_CONFIG.replace("CHAIN", geth.url));
  server = await runServer(["hdp:node", "--network", "chain", "--hdp-port", "0"], service);
  const started = tidy(server.output);
  show(
    "The service: a development server over geth",
    `$ npx hardhat hdp:node --network chain --hdp-port 0\n${started}`,
  );
  const config = CONFIG.replace("CHAIN", geth.url)
    .replaceAll("SERVER", after(started, /Data processor/))
    .replace("STORE", after(started, /Execution store/));
  show("The project: hardhat.config.ts", config, "ts");
  writeFileSync(
    join(project, "hardhat.config.ts"),
    config.replace('solidity: "0.8.28"', `solidity: ${solidity}`),
  );
  writeFileSync(join(project, "scripts", "deploy.ts"), DEPLOY);
  writeFileSync(join(project, "scripts", "look.ts"), LOOK);
  const [funded] = (await rpc(geth.url, "eth_accounts")) as readonly string[];
  const to = privateKeyToAddress(privateKey);
  const value = `0x${(10n ** 18n).toString(16)}`;
  await rpc(geth.url, "eth_sendTransaction", { from: funded, to, value });

  await typed("Its first files", "hdp:init");
  await typed("Without a key", "hdp:submit tasks/fee.json --network live", 1);
  const login = await typed("A key by a login", "hdp login --network live");
  if (!login.includes("kept as HDP_API_KEY")) throw new Error(login);
  const deployed = await typed("The contract", "run scripts/deploy.ts --network live");
  const gate = /^0x[0-9a-fA-F]{40}$/m.exec(deployed)?.[0] ?? "";
  await typed("What sending would take", "hdp:check tasks/fee.json --network live");
  await typed("The task", "hdp:submit tasks/fee.json --network live");
  await typed(
    "The result, brought to the contract",
    `hdp deliver tasks/fee.json FeeGate@${gate} update --network live`,
  );
  const look = await typed(
    "The contract acts on it",
    "run scripts/look.ts --network live --no-compile",
    0,
    { GATE: gate },
  );
  if (!/true \d+n/.test(look)) throw new Error(look);
  const again = "hdp login --network live";
  const refused = await typed("A second login, refused before it signs", again, 1);
  if (!refused.includes("Nothing was asked of the service")) throw new Error(refused);
  const text = [
    "# From a wallet to a result\n",
    'From an empty folder to a contract that acts on a result, with a key that a login by wallet gets. The development server stands for the service, with the interfaces that are published of it, over `geth --dev`: nothing here was tried against the hosted service, where `dataProcessor: "herodotus-staging"` is all that is configured. Written by `scripts/login-transcript.ts`, which types the commands and passwords at a terminal and fails where one does not succeed.\n',
    ...sections,
  ].join("\n");
  if (text.includes(privateKey) || text.includes("key-of-project"))
    throw new Error("a key was shown");
  writeFileSync(join(root, "contributing", "from-a-wallet.md"), text);
} finally {
  await server?.interrupt();
  await geth.stop();
  rmSync(folder, { recursive: true, force: true });
}

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect } from "chai";
import { hash, RpcProvider } from "starknet";

import {
  type StarknetAccountOptions,
  openStarknetExecutionStore,
} from "../../src/entries/store.js";
import { findOwnStarknetMock, ownStarknetMock } from "../../src/store/starknet/mock.js";
import { hardhat, root } from "../support/hardhat-cli.js";
import { submissionsIn } from "../support/remote-project.js";
import { type DevnetAccount, freePort, StarknetDevnet } from "../support/starknet-devnet.js";
import { starknetToolsOrSkip } from "../support/starknet-tools.js";

const FEE_TASK = readFileSync(
  join(root, "examples", "one-task-three-tests", "tasks", "fee.json"),
  "utf8",
);
const FEE_HASH = "0x66555ef49c5b8a40a8ecf506f30f2085c17be05198787b814a0eded6a390a330";
const FEE = "7,000,000,000";
const CONFIG = `import { configVariable, defineConfig } from "hardhat/config";
import hardhatHdp from "hardhat-hdp";

export default defineConfig({
  plugins: [hardhatHdp],
  networks: {
    default: { type: "edr-simulated", initialBaseFeePerGas: 7_000_000_000n },
    node: { type: "edr-simulated", initialBaseFeePerGas: 7_000_000_000n },
    client: {
      type: "http",
      url: configVariable("CHAIN_URL"),
      hdp: { dataProcessor: { url: configVariable("SERVICE_URL"), apiKey: configVariable("SERVICE_KEY") } },
    },
  },
  hdp: {
    starknet: {
      SN_SEPOLIA: {
        rpcUrl: configVariable("STARKNET_RPC_URL"),
        account: { address: process.env["STARKNET_ACCOUNT"] ?? "", privateKey: configVariable("STARKNET_PRIVATE_KEY") },
      },
    },
  },
});
`;

interface Started {
  readonly child: ChildProcess;
  output(): string;
}

/** A project whose results go to an account's mock, and its commands. None of them may print the key. */
class Project {
  public readonly folder = mkdtempSync(join(root, "test", ".starknet-"));
  readonly #account: DevnetAccount;
  readonly #env: Readonly<Record<string, string>>;
  readonly #provider: RpcProvider;
  readonly #rpcUrl: string;
  readonly #children: ChildProcess[] = [];

  public constructor(
    rpcUrl: string,
    account: DevnetAccount,
    env: Readonly<Record<string, string>>,
  ) {
    this.#account = account;
    this.#rpcUrl = rpcUrl;
    this.#provider = new RpcProvider({ nodeUrl: rpcUrl });
    const own = { STARKNET_ACCOUNT: account.address, STARKNET_PRIVATE_KEY: account.privateKey };
    this.#env = { ...env, ...own, STARKNET_RPC_URL: rpcUrl, SERVICE_KEY: "any" };
    writeFileSync(join(this.folder, "package.json"), '{ "name": "trial", "type": "module" }');
    writeFileSync(join(this.folder, "hardhat.config.ts"), CONFIG);
    writeFileSync(join(this.folder, "fee.json"), FEE_TASK);
  }

  public async run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await hardhat(args, { cwd: this.folder, env: this.#env });
    this.#hidesKey(`${stdout}${stderr}`);
    expect(code, `${args.join(" ")}: ${stdout}${stderr}`).to.equal(0);
    return stdout;
  }

  /** Starts a command that is killed later. */
  public start(...args: string[]): Started {
    const cli = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");
    const env = { ...process.env, NODE_OPTIONS: "", HH_TEST: "", NO_COLOR: "1", ...this.#env };
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: this.folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    return { child, output: () => output };
  }

  public states(): readonly string[] {
    return submissionsIn(this.folder).map(({ state }) => state);
  }

  public signer(): StarknetAccountOptions {
    const { address, privateKey } = this.#account;
    return { rpcUrl: this.#rpcUrl, accountAddress: address, privateKey: () => privateKey };
  }

  /** How many transactions the account has sent. */
  public async transactions(): Promise<number> {
    return Number(await this.#provider.getNonceForAddress(this.#account.address));
  }

  /** The store has the result, and one event of it; the account has sent nothing twice. */
  public async expectFinalizedOnce(transactions: number): Promise<void> {
    const address =
      (await findOwnStarknetMock({
        rpcUrl: this.#rpcUrl,
        accountAddress: this.#account.address,
      })) ?? "";
    const store = await openStarknetExecutionStore({ rpcUrl: this.#rpcUrl, address });
    expect((await store.readResult(FEE_HASH)).value).to.equal(7_000_000_000n);
    const { events } = await this.#provider.getEvents({
      address,
      keys: [[hash.getSelectorFromName("TaskFinalized")]],
      from_block: { block_number: 0 },
      to_block: "latest",
      chunk_size: 100,
    });
    expect(events).to.have.length(1);
    expect(await this.transactions()).to.equal(transactions);
  }

  public remove(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true });
  }

  #hidesKey(output: string): void {
    expect(output).to.not.contain(this.#account.privateKey.slice(2));
  }
}

describe("submissions whose results go to a Starknet devnet", function () {
  this.timeout(600_000);

  let devnet: StarknetDevnet;
  let project: Project;

  before(async function () {
    devnet = await StarknetDevnet.start(starknetToolsOrSkip(this));
  });

  after(async () => {
    // Unset where the tools are missing.
    await (devnet as StarknetDevnet | undefined)?.end();
  });

  afterEach(() => {
    project.remove();
  });

  it("completes them in the next process that submits, which sends nothing twice", async () => {
    project = new Project(devnet.rpcUrl, await devnet.account(0), {});
    const first = project.start("hdp:submit", "fee.json");
    // Class and mock are on their way then, and the result is not.
    await until(async () => (await project.transactions()) >= 2);
    await killed(first.child);
    const output = await project.run("hdp:submit", "fee.json");
    expect(output).to.contain(FEE);
    await project.expectFinalizedOnce(3);
    // Everything is there: nothing is sent again, and other commands find it.
    await project.run("hdp:submit", "fee.json");
    await project.expectFinalizedOnce(3);
    const read = ["hdp:result", FEE_HASH, "--destination", "SN_SEPOLIA"];
    expect(await project.run(...read)).to.contain(FEE);

    // Another mock of the account is the store of what follows.
    const deployed = await project.run("hdp", "starknet", "deploy-mock");
    expect(deployed).to.contain("It is in use for STARKNET_SEPOLIA from now on");
    const store = /0x[0-9a-f]{64}/.exec(deployed)?.[0] ?? "";
    expect(await project.run("hdp:submit", "fee.json", "--json")).to.contain(store);
    expect(await project.run(...read, "--json")).to.contain(store);
  });

  it("lists and resumes them after the service and its client were killed", async () => {
    const ports = { chain: await freePort(), service: await freePort() };
    project = new Project(devnet.rpcUrl, await devnet.account(1), {
      CHAIN_URL: `http://127.0.0.1:${ports.chain.toString()}`,
      SERVICE_URL: `http://127.0.0.1:${ports.service.toString()}`,
    });
    const startNode = async (): Promise<Started> => {
      const places = [
        "--port",
        ports.chain.toString(),
        "--hdp-port",
        ports.service.toString(),
        "--data-dir",
        "service",
      ];
      const node = project.start("hdp:node", "--hostname", "127.0.0.1", ...places);
      await until(() => {
        expect(node.child.exitCode, node.output()).to.equal(null);
        return node.output().includes("Ctrl-C ends both.");
      });
      return node;
    };
    // A service has a store of its own before anybody asks it.
    await ownStarknetMock(project.signer());
    const before = await project.transactions();
    const service = await startNode();
    const client = project.start("hdp:submit", "fee.json", "--network", "client");
    await until(() => {
      expect(client.child.exitCode, client.output()).to.equal(null);
      return project.states().includes("accepted");
    });
    await killed(client.child);
    // The transaction that finalizes is on its way, and the service may not know yet.
    await until(async () => (await project.transactions()) > before);
    await killed(service.child);
    const open = await project.run("hdp", "list");
    expect(open).to.match(/client +127\.0\.0\.1/);
    expect(open).not.to.include("finalized");

    const again = await startNode();
    try {
      const resumed = await project.run("hdp", "resume", "--network", "client");
      expect(resumed, `${resumed}\n${again.output()}`).to.contain(FEE);
      expect(await project.run("hdp", "resume", "--network", "client")).to.contain(
        "Nothing was interrupted",
      );
      expect(
        await project.run(
          "hdp:result",
          FEE_HASH,
          "--network",
          "client",
          "--destination",
          "SN_SEPOLIA",
        ),
      ).to.contain(FEE);
      expect(await project.run("hdp", "list")).to.match(/finalized\b.*client +127\.0\.0\.1/);
      await project.expectFinalizedOnce(before + 1);
    } finally {
      await killed(again.child);
    }
  });
});

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 4000; tries++) {
    if (await holds()) return;
    await sleep(30);
  }
  throw new Error("It did not come to pass in two minutes.");
}

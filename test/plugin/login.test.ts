import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import hardhatKeystore from "@nomicfoundation/hardhat-keystore";
import { expect } from "chai";
import { configVariable } from "hardhat/config";
import type { NetworkUserConfig } from "hardhat/types/config";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { privateKeyToAccount } from "viem/accounts";

import { type DevServer, startDevServer } from "../../src/entries/local.js";
import { blockSampled, header, isHdpError } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";
import type { HdpUserConfig } from "../../src/types.js";
import { hdpFailure } from "../support/failure.js";
import { type CommandRun, runCommand } from "../support/run-command.js";

const PRIVATE_KEY = `0x${"3d".repeat(32)}` as const;
const { address } = privateKeyToAccount(PRIVATE_KEY);
const PASSWORD = "a long password";

describe("hdp login", () => {
  let folder: string;
  let server: DevServer;
  let asked: string[];
  // In continuous integration the keystore is not asked for values, and the folder of the keystore is the user's.
  const names = [
    "XDG_CONFIG_HOME",
    "CI",
    "GITHUB_ACTIONS",
    "CONTINUOUS_INTEGRATION",
    "BUILD_NUMBER",
    "RUN_ID",
  ];
  const variables = Object.fromEntries(names.map((name) => [name, process.env[name]]));

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "hdp-login-"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (const name of names) Reflect.deleteProperty(process.env, name);
    process.env["XDG_CONFIG_HOME"] = join(folder, "config");
    asked = [];
    server = await loginServer();
  });

  async function loginServer(apiKey?: string): Promise<DevServer> {
    const unused = (): never => {
      throw new Error("nothing is computed");
    };
    const processor = { submit: unused, wait: unused, results: unused };
    return await startDevServer({ processor, providerFor: unused, apiKey });
  }

  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });

  /** A project whose keystore password a person types. */
  async function project(
    hdp: HdpUserConfig,
    { keystore = true, live }: { keystore?: boolean; live?: NetworkUserConfig } = {},
  ): Promise<HardhatRuntimeEnvironment> {
    const hre = await createHardhatRuntimeEnvironment(
      {
        plugins: keystore ? [hardhatHdp, hardhatKeystore] : [hardhatHdp],
        networks: {
          live: live ?? {
            type: "edr-simulated",
            accounts: [{ privateKey: PRIVATE_KEY, balance: "0" }],
            hdp,
          },
        },
      },
      { network: "live" },
      folder,
    );
    hre.hooks.registerHandlers("userInterruptions", {
      requestSecretInput: async (_context, _interruptor, description) => {
        asked.push(description);
        return await Promise.resolve(PASSWORD);
      },
    });
    return hre;
  }

  async function login(
    hre: HardhatRuntimeEnvironment,
    given: Record<string, unknown> = {},
  ): Promise<CommandRun> {
    return await runCommand("login", { yes: true, ...given }, hre);
  }

  const configured = (): HdpUserConfig => ({
    dataProcessor: { url: server.url, loginUrl: server.url, apiKey: configVariable("MY_KEY") },
  });

  it("signs the challenge by the network's account and keeps the project's key in the keystore", async () => {
    const hre = await project(configured());
    const { stdout, stderr, error } = await login(hre);
    expect(error, String(error)).to.equal(undefined);
    const key = `key-of-project-${address.slice(2, 10).toLowerCase()}`;
    expect(stdout).to.contain(address).and.contain("Log in to the development server.");
    expect(stdout).to.contain("kept as MY_KEY").and.not.contain(key);
    expect(stderr).not.to.contain(key);
    expect(asked.every((text) => /password/i.test(text))).to.equal(true);
    expect(await storedKey(hre)).to.equal(key);
  });

  it("says what keeps a stored key from being read: a configuration without it, and the environment", async () => {
    const hre = await project({ dataProcessor: { url: server.url, loginUrl: server.url } });
    process.env["HDP_API_KEY"] = "an-older-key-of-the-environment";
    try {
      const { stdout } = await login(hre);
      expect(stdout).to.include(
        '  ! The configuration does not read it yet. Set networks.live.hdp.dataProcessor.apiKey: configVariable("HDP_API_KEY")\n' +
          "  ! The environment has HDP_API_KEY too, and goes before the keystore: unset it there.\n",
      );
    } finally {
      Reflect.deleteProperty(process.env, "HDP_API_KEY");
    }
  });

  /** The key as a command reads it, by the configuration variable. */
  async function storedKey(hre: HardhatRuntimeEnvironment): Promise<string> {
    const { dataProcessor } = hre.config.networks["live"]?.hdp ?? {};
    if (typeof dataProcessor !== "object") throw new TypeError("no service is configured");
    return (await dataProcessor.apiKey?.get()) ?? "";
  }

  it("keeps a key of the same name unless it is forced, and then asks, signs and calls nothing", async () => {
    const hre = await project(configured());
    await login(hre);
    const key = await storedKey(hre);
    expect((await login(hre, { force: true })).error).to.equal(undefined);
    expect(await storedKey(hre), "the same key again, as it is").to.equal(key);
    const { provider } = await hre.network.getOrCreate();
    const called: string[] = [];
    provider.request = async ({ method }) =>
      await Promise.reject(new Error(called[called.push(method)]));
    // A call to it would be an error of its own.
    await server.close();
    server = await loginServer();
    asked = [];
    const { error } = await login(hre);
    expect(isHdpError(error, "HDP-6090"), String(error)).to.equal(true);
    expect(String(error))
      .to.include("Nothing was asked of the service, signed or stored.")
      .and.include("npx hardhat hdp login --force --network live");
    expect([called, asked]).to.deep.equal([[], []]);
  });

  it("says that a name is taken by a login that ended meanwhile, and stores nothing", async () => {
    const hre = await project(configured());
    await login(hre);
    const key = await storedKey(hre);
    const { filePath } = hre.config.keystore;
    // The other login keeps its key while this one signs.
    hre.config.keystore.filePath = join(folder, "none.json");
    const { provider } = await hre.network.getOrCreate();
    const request = provider.request.bind(provider);
    provider.request = async (call) => {
      if (call.method === "eth_signTypedData_v4") hre.config.keystore.filePath = filePath;
      const answer: unknown = await request(call);
      return answer;
    };
    const { error } = await login(hre);
    expect(isHdpError(error, "HDP-6090"), String(error)).to.equal(true);
    expect(String(error)).to.include("Nothing was stored.");
    expect(await storedKey(hre)).to.equal(key);
  });

  it("appears in the error of a missing key, and only where there is a login", async () => {
    const submit = async (
      dataProcessor: NonNullable<HdpUserConfig["dataProcessor"]>,
    ): Promise<string> => {
      const hre = await project({ dataProcessor });
      const { hdp } = await hre.network.create();
      const task = blockSampled({ from: 0, to: 0, property: header("number") }).sum();
      return String(await hdpFailure(hdp.submit(task)));
    };
    const service = { url: server.url, apiKey: configVariable("HDP_NO_SUCH_KEY") };
    const named = await submit({ ...service, loginUrl: server.url });
    expect(named)
      .to.include("HDP-2003")
      .and.include("Log in by wallet, which keeps it: npx hardhat hdp login --network live");
    expect(await submit(service))
      .to.include("HDP-2003")
      .and.not.include("hdp login");
  });

  it("says which account did not sign, in the words of who holds its key, and stores nothing", async () => {
    const hre = await project(configured());
    const connection = await hre.network.getOrCreate();
    const { provider } = connection;
    const request = provider.request.bind(provider);
    const unknown = Object.assign(new Error("the method does not exist/is not available"), {
      code: -32601,
    });
    const refusing: typeof request = async (call) => {
      if (call.method === "eth_signTypedData_v4") throw unknown;
      const answer: unknown = await request(call);
      return answer;
    };
    provider.request = refusing;
    const { error } = await login(hre);
    expect(isHdpError(error, "HDP-2102"), String(error)).to.equal(true);
    expect(String(error)).to.match(
      new RegExp(`the account ${address} did not sign the login: the method does not exist`, "i"),
    );
    expect(String(error)).not.to.include("EIP712Domain");
    provider.request = request;
    expect((await login(hre)).error, "nothing was stored").to.equal(undefined);
  });

  it("signs nothing where no one can answer, or no keystore keeps the key", async () => {
    const withoutAnswer = await login(await project(configured()), { yes: false });
    expect(isHdpError(withoutAnswer.error, "HDP-6041"), String(withoutAnswer.error)).to.equal(true);
    const withoutKeystore = await login(await project(configured(), { keystore: false }));
    expect(isHdpError(withoutKeystore.error, "HDP-6089")).to.equal(true);
    expect(String(withoutKeystore.error)).to.contain("npm install --save-dev");
  });

  it("names the accounts of the configuration where a private key is none, and never the key", async () => {
    process.env["HDP_API_KEY"] = "0x5ec4e7";
    const live: NetworkUserConfig = {
      type: "http",
      url: "http://127.0.0.1:1",
      accounts: [configVariable("HDP_API_KEY")],
      hdp: configured(),
    };
    const { error, stdout, stderr } = await login(await project({}, { live }));
    expect(String(error)).to.include(
      'HDP-4103 in networks.live.accounts: Hardhat cannot make the accounts of network "live": ',
    );
    expect(`${String(error)}${stdout}${stderr}`).to.not.include("5ec4e7");
  });

  it("asks no login over http at another machine", async () => {
    const loginUrl = "http://login.herodotus.cloud";
    const { error } = await login(await project({ dataProcessor: { url: server.url, loginUrl } }));
    expect(isHdpError(error, "HDP-2100"), String(error)).to.equal(true);
    expect(String(error)).to.contain("over http").and.contain("dataProcessor.loginUrl");
  });

  it("names the option where no login is configured", async () => {
    const { error } = await login(await project({ dataProcessor: { url: server.url } }));
    expect(isHdpError(error, "HDP-2004"), String(error)).to.equal(true);
    expect(String(error)).to.contain("loginUrl");
  });

  it("gets no key from a server that was started with one", async () => {
    await server.close();
    server = await loginServer("the-server-s-own");
    const { error, stdout } = await login(await project(configured()));
    expect(isHdpError(error), String(error)).to.equal(true);
    expect(`${String(error)}${stdout}`).not.to.contain("the-server-s-own");
  });

  it("uses the login of the hosted service where it is configured by its name", async () => {
    const hre = await project({ dataProcessor: "herodotus-staging" });
    const { dataProcessor } = hre.config.networks["live"]?.hdp ?? {};
    if (typeof dataProcessor !== "object") throw new TypeError("no service is configured");
    expect(dataProcessor.edition).to.equal("module-tasks");
    expect(await dataProcessor.url.get()).to.equal("https://staging.hdp.api.herodotus.cloud");
    expect(await dataProcessor.loginUrl?.get()).to.equal(
      "https://auth-billing.api.herodotus.cloud",
    );
    expect(dataProcessor.apiKey).to.include({ name: "HDP_API_KEY" });
  });
});

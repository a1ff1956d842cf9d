import { expect } from "chai";
import type { HardhatUserConfig } from "hardhat/types/config";

import { validateHdpConfig } from "../../src/plugin/config/validate.js";
import { removeProject, testProject } from "../support/remote-project.js";
import { rejection } from "../support/failure.js";

describe("configuration", () => {
  const paths = (config: unknown): string[] =>
    validateHdpConfig(config as HardhatUserConfig).map(({ path }) => path.join("."));

  it("reports every error at once, with its path", () => {
    const found = paths({
      hdp: {
        dataProcessor: { url: "not an address", edition: "v2" },
        timeouts: { request: -1 },
        datadir: "x",
      },
      networks: {
        one: {
          type: "http",
          url: "http://127.0.0.1",
          hdp: { executionStore: { address: "0x1", kind: "x" } },
        },
      },
    });
    expect(found).to.have.members([
      "hdp.dataProcessor.url",
      "hdp.dataProcessor.edition",
      "hdp.timeouts.request",
      "hdp",
      "networks.one.hdp.executionStore.address",
      "networks.one.hdp.executionStore.kind",
    ]);
  });

  it("takes the two forms of dataProcessor and says what is allowed instead of others", () => {
    expect(paths({ hdp: { dataProcessor: "local" } })).to.deep.equal([]);
    expect(paths({ hdp: { dataProcessor: { url: "https://hdp.example.org" } } })).to.deep.equal([]);
    const [error] = validateHdpConfig({
      hdp: { dataProcessor: "remote" },
    } as unknown as HardhatUserConfig);
    expect(error?.message).to.contain(
      'expected "local", "herodotus-staging" or { url, apiKey, edition }, got "remote"',
    );
    for (const neither of [7, null, []]) {
      const found = validateHdpConfig({
        hdp: { dataProcessor: neither },
      } as unknown as HardhatUserConfig);
      expect(found.map(({ message }) => message)).to.deep.equal([
        'expected "local", "herodotus-staging" or { url, apiKey, edition }',
      ]);
    }
  });

  it("refuses an address that no service can have, before anything runs, and does not repeat it", () => {
    const found = validateHdpConfig({
      hdp: {
        dataProcessor: { url: "ftp://hdp.example.org/s3cret", loginUrl: "https://u:s3cret@x.org" },
        storageProof: { url: "https://x.org?key=s3cret" },
      },
      networks: { one: { type: "edr-simulated", hdp: { indexer: "s3cret" } } },
    } as unknown as HardhatUserConfig);
    const allowed = "Allowed is http:// or https:// with host, port and path; a key is apiKey.";
    expect(found.map(({ path, message }) => `${path.join(".")}: ${message}`)).to.deep.equal([
      `hdp.dataProcessor.url: its scheme is ftp:. ${allowed}`,
      `hdp.dataProcessor.loginUrl: it holds a user name or password. ${allowed}`,
      `hdp.storageProof.url: it holds a query or a fragment. ${allowed}`,
      'networks.one.hdp: there is no "indexer" here: allowed are dataProcessor, programRegistry, storageProof, executionStore, chains, sources, starknet, cairo, local, timeouts, dataDir, development',
    ]);
  });

  it("takes a hosted storage proof interface by name, and says where the registry of a hosted service is", async () => {
    const [error] = validateHdpConfig({
      hdp: { storageProof: "herodotus" },
    } as unknown as HardhatUserConfig);
    expect(error?.message).to.contain('expected "herodotus-staging" or { url, apiKey }');
    const [registry] = validateHdpConfig({
      hdp: { programRegistry: "herodotus-staging" },
    } as unknown as HardhatUserConfig);
    expect(registry?.message).to.contain('dataProcessor: "herodotus-staging" is all');
    const named = "herodotus-staging";
    const project = await testProject({ hdp: { storageProof: named, dataProcessor: named } });
    const { storageProof, dataProcessor } = project.hre.config.hdp;
    await removeProject(project);
    expect(await storageProof?.url.get()).to.equal("https://mission-control.api.herodotus.cloud");
    expect(storageProof?.apiKey).to.have.property("name", "HDP_API_KEY");
    expect(dataProcessor).to.have.property("edition", "module-tasks");
  });

  it("finds chain identifiers and networks that do not exist", () => {
    expect(
      paths({ hdp: { chains: { ETHEREUM_SEPOLA: "default", SN_SEPOLIA: "nowhere" } } }),
    ).to.deep.equal(["hdp.chains.ETHEREUM_SEPOLA", "hdp.chains.SN_SEPOLIA"]);
  });

  it("takes a webhook where the API version publishes it, and refuses it elsewhere", () => {
    const url = "https://hdp.example.org";
    const webhookUrl = "https://hooks.example.org/done";
    const of = (dataProcessor: object): string[] =>
      validateHdpConfig({ hdp: { dataProcessor } } as HardhatUserConfig).map(
        ({ path, message }) => `${path.join(".")}: ${message}`,
      );
    expect(of({ url, edition: "module-tasks", webhookUrl })).to.deep.equal([]);
    for (const edition of [undefined, "batch"])
      expect(of({ url, edition, webhookUrl })).to.deep.equal([
        'hdp.dataProcessor.webhookUrl: only API version "module-tasks" publishes webhooks: use hdp.onFinalized with this one',
      ]);
    expect(of({ url, edition: "module-tasks", webhookUrl: "done" })).to.have.length(1);
  });

  it("says what was meant, and reports wrong forms and wrong names at once", () => {
    const found = validateHdpConfig({
      hdp: {
        datadir: "x",
        dataProcessor: { url: "https://hdp.example.org", apikey: "k", edition: "task" },
        local: { prov: "never", finalize: "provn", secondNode: "mainet" },
        chains: { ETHEREUM_SEPOLA: "defualt", OP_MAINNET: "default" },
        sources: "none",
        executionStore: "0x12",
      },
      networks: { mainnet: { type: "http", url: "http://127.0.0.1", hdp: { timeout: {} } } },
    } as unknown as HardhatUserConfig);
    expect(found.map(({ path, message }) => `${path.join(".")}: ${message}`)).to.have.members([
      'hdp: there is no "datadir" here. Did you mean "dataDir"?',
      'hdp.dataProcessor: there is no "apikey" here. Did you mean "apiKey"?',
      'hdp.dataProcessor.edition: "task" is not one of tasks, batch, module-tasks. Did you mean "tasks"?',
      'hdp.local: there is no "prov" here. Did you mean "prove"?',
      'hdp.local.finalize: "provn" is not one of plain, proven. Did you mean "proven"?',
      'hdp.local.secondNode: there is no network "mainet" in this configuration. Did you mean "mainnet"?',
      'hdp.chains.ETHEREUM_SEPOLA: "ETHEREUM_SEPOLA" is not a chain identifier, for instance ETHEREUM_SEPOLIA or STARKNET_SEPOLIA. Did you mean "ETHEREUM_SEPOLIA"?',
      'hdp.chains.OP_MAINNET: "OP_MAINNET" is not a chain identifier, for instance ETHEREUM_SEPOLIA or STARKNET_SEPOLIA. Did you mean "OPTIMISM_MAINNET"?',
      'hdp.chains.ETHEREUM_SEPOLA: there is no network "defualt" in this configuration. Did you mean "default"?',
      "hdp.sources: Expected object, received string",
      "hdp.executionStore: expected { address, kind, operator }",
      'networks.mainnet.hdp: there is no "timeout" here. Did you mean "timeouts"?',
    ]);
  });

  it("says what to write for an address without a scheme, a time as text and mistyped digits", () => {
    const store = "0x663F3ad617193148711d28f5334eE4Ed07016602";
    const found = validateHdpConfig({
      hdp: {
        dataProcessor: { url: "hdp.example.org/s3cret" },
        timeouts: { request: "30s", await: "soon", rpc: "2 min" },
        executionStore: { address: store.replace("3a", "3A") },
      },
    } as unknown as HardhatUserConfig);
    expect(found.map(({ path, message }) => `${path.join(".")}: ${message}`)).to.have.members([
      'hdp.dataProcessor.url: expected a URL with its scheme, for instance "https://hdp.example.org"',
      'hdp.timeouts.request: expected milliseconds, got "30s": write 30000',
      'hdp.timeouts.await: expected milliseconds, got "soon": write a number, for instance 30_000',
      'hdp.timeouts.rpc: expected milliseconds, got "2 min": write 120000',
      `hdp.executionStore.address: the checksum of "${store.replace("3a", "3A")}" is wrong, a digit may be mistyped: with these digits it is ${store}`,
    ]);
  });

  it("makes Hardhat refuse a configuration with all of its errors", async () => {
    const hdp = { dataProcessor: "remote", chains: { NOWHERE: "default" }, timeouts: { await: 0 } };
    const error = String(await rejection(testProject({ hdp } as unknown as HardhatUserConfig)));
    expect(error)
      .to.contain("HHE15")
      .and.to.contain("hdp.dataProcessor")
      .and.to.contain("hdp.timeouts.await");
  });

  it("lets a network's sections stand over the global ones, and joins the chain map", async () => {
    const { hre } = await testProject({
      hdp: {
        dataProcessor: { url: "https://global.example.org" },
        timeouts: { request: 1000 },
        chains: { ETHEREUM_SEPOLIA: "default" },
      },
      networks: {
        own: {
          type: "edr-simulated",
          hdp: {
            dataProcessor: "local",
            timeouts: { await: 5000 },
            chains: { ETHEREUM_MAINNET: "own" },
          },
        },
      },
    });
    const own = hre.config.networks["own"]?.hdp;
    expect(own?.dataProcessor).to.equal("local");
    expect(own?.dataProcessorIsOwn).to.equal(true);
    expect(own?.timeouts).to.deep.equal({ request: 30_000, await: 5000, rpc: 30_000 });
    expect(own?.chains).to.deep.equal({ ETHEREUM_SEPOLIA: "default", ETHEREUM_MAINNET: "own" });
    expect(hre.config.networks["default"]?.hdp.dataProcessorIsOwn).to.equal(false);
  });
});

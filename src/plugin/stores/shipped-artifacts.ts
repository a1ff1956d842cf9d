import { fileURLToPath } from "node:url";

import type { Artifact, ArtifactManager } from "hardhat/types/artifacts";

import { isRecord } from "../../base/collections.js";

/** Contracts of the package whose artifacts are shipped in `contracts/compiled/`. */
const SHIPPED = ["HdpExecutionStoreMock", "IHdpExecutionStore", "IHdpSatellite"];

/**
 * Adds this package's artifacts to a project's: `viem.getContractAt("HdpExecutionStoreMock", …)` works without
 * compiling the mock. The project's own artifacts take precedence, and lists contain only those.
 */
export function withShippedArtifacts(own: ArtifactManager): ArtifactManager {
  const isShipped = async (name: string): Promise<boolean> =>
    SHIPPED.includes(bareName(name)) && !(await own.artifactExists(name));
  const overrides = {
    readArtifact: async (name: string) =>
      (await isShipped(name)) ? await readShipped(name) : await own.readArtifact(name),
    getArtifactPath: async (name: string) =>
      (await isShipped(name)) ? await artifactPath(name) : await own.getArtifactPath(name),
    artifactExists: async (name: string) =>
      (await isShipped(name)) || (await own.artifactExists(name)),
    getBuildInfoId: async (name: string) =>
      (await isShipped(name)) ? undefined : await own.getBuildInfoId(name),
  };
  return new Proxy(own, {
    get: (target, key) => {
      const value: unknown = Reflect.get(Object.hasOwn(overrides, key) ? overrides : target, key);
      return isFunction(value) ? (...args: unknown[]) => value.apply(target, args) : value;
    },
  });
}

function isFunction(value: unknown): value is (this: unknown, ...args: unknown[]) => unknown {
  return typeof value === "function";
}

/** Returns the bare name: `Mock` of `hardhat-hdp/contracts/mocks/Mock.sol:Mock`; empty for sources of others. */
function bareName(name: string): string {
  const [source = "", contract] = name.split(":");
  if (contract === undefined) return source;
  return source.startsWith("hardhat-hdp/contracts/") ? contract : "";
}

async function artifactPath(name: string): Promise<string> {
  const { shipped } = await import("../../base/files.js");
  return fileURLToPath(shipped(`contracts/compiled/${bareName(name)}.json`));
}

async function readShipped(name: string): Promise<Artifact> {
  const { readJsonFile } = await import("@nomicfoundation/hardhat-utils/fs");
  return await readJsonFile<Artifact>(await artifactPath(name));
}

/** The in-process node accepts contract sources for its stack traces in addition to the project's. */
type AddSources = (solcVersion: string, input: unknown, output: unknown) => Promise<void>;

const traced = new WeakSet<object>();

/** Adds the mock's sources to an in-process node, once for a project (15 ms), so that traces name frames and errors. */
export async function showMockInTraces(provider: object, project: object): Promise<void> {
  if (traced.has(project) || !takesTraces(provider)) return;
  traced.add(project);
  const [{ readFile }, { brotliDecompressSync }] = await Promise.all([
    import("node:fs/promises"),
    import("node:zlib"),
  ]);
  const { shipped } = await import("../../base/files.js");
  const packed = await readFile(shipped("contracts/compiled/HdpExecutionStoreMock.traces.json.br"));
  const traces: unknown = JSON.parse(brotliDecompressSync(packed).toString());
  const { solcVersion, input, output } = isRecord(traces) ? traces : {};
  if (typeof solcVersion !== "string") throw new TypeError("the package's traces are damaged");
  await provider.addCompilationResult(solcVersion, input, output);
}

function takesTraces(provider: object): provider is { readonly addCompilationResult: AddSources } {
  return "addCompilationResult" in provider && typeof provider.addCompilationResult === "function";
}

import type { Artifact, ArtifactManager } from "hardhat/types/artifacts";

/** Contracts of the package whose artifacts are shipped in `contracts/compiled/`. */
const SHIPPED = ["HdpExecutionStoreMock", "IHdpExecutionStore", "IHdpSatellite"];

/**
 * A project's artifacts with those of this package behind them: `viem.getContractAt("HdpExecutionStoreMock", …)` works
 * without compiling the mock. What the project has under such a name goes first, and lists hold the project's own only.
 */
export function withShippedArtifacts(own: ArtifactManager): ArtifactManager {
  const isShipped = async (name: string): Promise<boolean> =>
    SHIPPED.includes(bareName(name)) && !(await own.artifactExists(name));
  const shipped: Pick<ArtifactManager, "getArtifactPath" | "artifactExists" | "getBuildInfoId"> & {
    readArtifact: (name: string) => Promise<Artifact>;
  } = {
    readArtifact: async (name) => ((await isShipped(name)) ? await readShipped(name) : await own.readArtifact(name)),
    getArtifactPath: async (name) => ((await isShipped(name)) ? await pathOf(name) : await own.getArtifactPath(name)),
    artifactExists: async (name) => (await isShipped(name)) || (await own.artifactExists(name)),
    getBuildInfoId: async (name) => ((await isShipped(name)) ? undefined : await own.getBuildInfoId(name)),
  };
  return new Proxy(own, {
    get: (target, key) => {
      const value: unknown = Reflect.get(Object.hasOwn(shipped, key) ? shipped : target, key);
      return isFunction(value) ? (...args: unknown[]) => value.apply(target, args) : value;
    },
  });
}

function isFunction(value: unknown): value is (this: unknown, ...args: unknown[]) => unknown {
  return typeof value === "function";
}

/** `HdpExecutionStoreMock` of `hardhat-hdp/contracts/mocks/HdpExecutionStoreMock.sol:HdpExecutionStoreMock`. */
function bareName(name: string): string {
  const [source = "", contract] = name.split(":");
  if (contract === undefined) return source;
  return source.startsWith("hardhat-hdp/contracts/") ? contract : "";
}

async function pathOf(name: string): Promise<string> {
  return await compiledFile(`${bareName(name)}.json`);
}

async function readShipped(name: string): Promise<Artifact> {
  const { readJsonFile } = await import("@nomicfoundation/hardhat-utils/fs");
  return await readJsonFile<Artifact>(await pathOf(name));
}

/** Where a file of `contracts/compiled/` is, wherever this code was bundled to. */
async function compiledFile(name: string): Promise<string> {
  const { createRequire } = await import("node:module");
  return createRequire(import.meta.url).resolve(`hardhat-hdp/contracts/compiled/${name}`);
}

/** The in-process node takes sources of contracts for its stack traces, beside those of the project. */
interface TracingProvider {
  readonly addCompilationResult: (solcVersion: string, input: unknown, output: unknown) => Promise<void>;
}

const traced = new WeakSet<object>();

/**
 * Tells an in-process node of the mock, so that its frames and errors have names in traces. All connections of a project
 * share what one is told, which takes about 15 ms: once for a project.
 */
export async function showMockInTraces(provider: object, project: object): Promise<void> {
  if (traced.has(project) || !takesTraces(provider)) return;
  traced.add(project);
  const [{ readFile }, { brotliDecompressSync }] = await Promise.all([import("node:fs/promises"), import("node:zlib")]);
  const packed = await readFile(await compiledFile("HdpExecutionStoreMock.traces.json.br"));
  const traces: unknown = JSON.parse(brotliDecompressSync(packed).toString());
  if (!isTraces(traces)) throw new TypeError("the package's traces are damaged");
  await provider.addCompilationResult(traces.solcVersion, traces.input, traces.output);
}

function takesTraces(provider: object): provider is TracingProvider {
  return "addCompilationResult" in provider && typeof provider.addCompilationResult === "function";
}

function isTraces(
  value: unknown,
): value is { readonly solcVersion: string; readonly input: unknown; readonly output: unknown } {
  if (typeof value !== "object" || value === null || !("solcVersion" in value)) return false;
  return typeof value.solcVersion === "string" && "input" in value && "output" in value;
}

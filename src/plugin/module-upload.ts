import type { Hex } from "viem";

import { hdpError } from "../errors/hdp-error.js";
import { flatProgramHash, programHash } from "../program/program-hash.js";
import type { ServiceCallOptions } from "../service/http/http-client.js";
import type { ModuleRegistryClient } from "../service/module-registry.js";
import { parsedClass } from "./known-programs.js";
import { packageFacts } from "./module-package.js";
import { moduleRegistry } from "./services.js";
import type { ConnectedNetwork } from "./connected-network.js";

/** What a module registry stores with a class. The defaults are those of its Scarb package. */
export interface ModuleUploadOptions {
  /** Name of the module. Default: that of the package. */
  readonly name?: string | undefined;
  /** Semantic version. Default: that of the package. */
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly changelog?: string | undefined;
  /** Sends the class alone. Default false: sources, ABI and Scarb.toml go with it, for everybody to read. */
  readonly classOnly?: boolean | undefined;
  /** Sends it also where the registry has this version with this class. Default false. */
  readonly force?: boolean | undefined;
}

/** Which hash of a class a registry reports: that of the bytecode by segments, or as one list. */
export type HashForm = "segments" | "flat";

/** A version of a module that the registry has. */
export interface ModuleVersion {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Whether nothing was sent, since it was there. */
  readonly wasThere: boolean;
  /** Paths of the sources that were sent. */
  readonly sources: readonly string[];
}

/** A class as the registry has it. */
interface RegisteredClass {
  /** Id of its module. */
  readonly id: string;
  /** The hash that the registry reports. */
  readonly programHash: Hex;
  /** Which of the two hashes of the class it is; undefined where it is neither. */
  readonly form: HashForm | undefined;
  readonly raw: unknown;
}

/** A class that was stored as a version of a module. */
export interface StoredModule extends ModuleVersion, RegisteredClass {
  readonly computedHash: Hex;
}

/**
 * Stores a class as a version of a module, unless the registry has that version with that class.
 * @throws HdpError HDP-2006, HDP-2044 without a name or a version, HDP-70xx for an invalid class
 */
export async function uploadModule(
  network: ConnectedNetwork,
  { path, file }: Readonly<{ path: string; file: string }>,
  options: ModuleUploadOptions & ServiceCallOptions = {},
): Promise<StoredModule> {
  const { classOnly = false, force = false, description, changelog, ...call } = options;
  const compiled = await parsedClass(path, file);
  const computedHash = programHash(compiled);
  const facts = await packageFacts(path);
  const name = required("name", options.name ?? facts.name, "--name");
  const version = required("version", options.version ?? facts.version, "--module-version");
  const hashForm = (hash: string): HashForm | undefined => {
    if (BigInt(hash) === BigInt(computedHash)) return "segments";
    return BigInt(hash) === BigInt(flatProgramHash(compiled)) ? "flat" : undefined;
  };
  const client = await moduleRegistry(network);
  const there = force
    ? undefined
    : await storedVersion(client, { name, version, formOf: hashForm }, call);
  if (there !== undefined)
    return { ...there, name, version, computedHash, wasThere: true, sources: [] };
  const { sources, scarbToml, abi } = facts;
  const shown = classOnly ? {} : { sources, scarbToml, abi };
  const told = { name, version, description, changelog, ...shown };
  const raw = await client.upload({ path }, told, { signal: call.signal });
  const hash: Hex = `0x${BigInt(raw.programHash).toString(16)}`;
  return {
    id: raw.id,
    name,
    version,
    programHash: hash,
    computedHash,
    form: hashForm(hash),
    wasThere: false,
    sources: Object.keys(shown.sources ?? {}),
    raw,
  };
}

function required(what: "name" | "version", value: string | undefined, option: string): string {
  if (value !== undefined && value !== "") return value;
  const reason = "the class does not lie in target/ of a Scarb package that has one";
  throw hdpError("HDP-2044", { what, reason, option: `${option} <${what}>` }, { path: option });
}

interface Wanted {
  readonly name: string;
  readonly version: string;
  readonly formOf: (hash: string) => HashForm | undefined;
}

/** Returns the version of a module of a name that has the class, if the registry has one. */
async function storedVersion(
  client: ModuleRegistryClient,
  { name, version, formOf }: Wanted,
  { signal }: ServiceCallOptions,
): Promise<RegisteredClass | undefined> {
  const modules = await client.list({}, { signal });
  for (const { id } of modules.filter((module) => module.name === name)) {
    const versions = await client.versions(id, { signal });
    const found = versions.find((one) => one.version === version);
    const form = found && /^0x[0-9a-fA-F]{1,64}$/.test(found.hash) ? formOf(found.hash) : undefined;
    if (found === undefined || form === undefined) continue;
    return { id, programHash: `0x${BigInt(found.hash).toString(16)}`, form, raw: found };
  }
  return undefined;
}

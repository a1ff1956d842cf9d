import { FormData } from "undici";
import { z } from "zod";

import { open } from "./data-processor/editions.js";
import { endpointCall } from "./endpoints.js";
import type { HttpClient, HttpReply, ServiceCallOptions } from "./http/http-client.js";
import { serviceFailure } from "./http/service-errors.js";
import { openedClass, type ProgramFile } from "./program-registry.js";

/** Name of the file part of `POST /modules/upload`. */
export const MODULE_FILE_PART = "module";

/** A module of the registry: a name with versions, each of them a class. */
export const moduleSchema = open({
  id: z.string(),
  latestModuleVersionProgramHash: z.string().nullable(),
  compilerVersion: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  usageCount: z.number(),
  tags: z.array(z.string()).nullable(),
  downloadsCount: z.number(),
  usersCount: z.number(),
  isVerified: z.boolean(),
  publishedOnMarketplace: z.boolean(),
  creatorUser: z.string().nullable(),
  license: z.string().nullable(),
  abi: z.unknown(),
  sourceCode: z.unknown(),
  scarbToml: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A version of a module. `hash` is the program hash of its class. */
export const moduleVersionSchema = open({
  hash: z.string(),
  moduleRegistryId: z.string(),
  storageType: z.enum(["s3", "db"]),
  version: z.string(),
  versionChangelog: z.string().nullable(),
  s3Key: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** `POST /modules/upload`, with status 201. */
export const moduleUploadedSchema = open({
  id: z.string(),
  programHash: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, "expected a program hash"),
  compilerVersion: z.string(),
  createdAt: z.string(),
  message: z.string(),
});

/** `GET /modules`. */
export const moduleListSchema = open({ modules: z.array(moduleSchema) });

/** `POST /modules/{id}/unpublish`; that of `/publish` is not published, and is taken to be the same. */
export const moduleMessageSchema = open({ message: z.string() });

/** A module of the registry. */
export type RegistryModule = z.output<typeof moduleSchema>;
/** A version of a module. */
export type RegistryModuleVersion = z.output<typeof moduleVersionSchema>;
/** The registry's answer to an upload. */
export type UploadedModule = z.output<typeof moduleUploadedSchema>;

/** What can be changed of a module; what is left out stays. */
export interface ModuleChange {
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly license?: string | undefined;
  /** Texts by path. Everybody who knows the module's id can read them. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
  readonly abi?: unknown;
}

/** What is uploaded of a module beside its class. */
export interface ModuleUpload extends ModuleChange {
  readonly name: string;
  /** Semantic version, such as 1.0.0. */
  readonly version: string;
  readonly changelog?: string | undefined;
  readonly scarbToml?: string | undefined;
}

/** Which modules are listed. */
export interface ModuleFilter {
  /** Only those that are published on the marketplace. */
  readonly marketplace?: boolean | undefined;
  readonly creatorUser?: string | undefined;
}

/** Client of the module registry, which the data processor of API version `module-tasks` has at its own address. */
export class ModuleRegistryClient {
  readonly #http: HttpClient;

  public constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Stores a class as a version of a module, under the key's account. A version exists once. */
  public async upload(
    file: ProgramFile,
    module: ModuleUpload,
    options?: ServiceCallOptions,
  ): Promise<UploadedModule> {
    const { name, blob } = await openedClass(file);
    const form = new FormData();
    form.append(MODULE_FILE_PART, blob, name);
    for (const [field, value] of Object.entries(uploadFields(module)))
      if (value !== undefined) form.append(field, value);
    const parts = {
      ...endpointCall("POST /modules/upload"),
      once: "Upload it again: a version that arrived is not stored a second time.",
      form,
    };
    return await this.#http.call(
      parts,
      (reply) => moduleUploadedSchema.parse(reply.json()),
      options,
    );
  }

  /** Lists modules, newest first. The registry shows no pages. */
  public async list(
    { marketplace, creatorUser }: ModuleFilter = {},
    options?: ServiceCallOptions,
  ): Promise<readonly RegistryModule[]> {
    const query = { marketplace: marketplace?.toString(), creator_user: creatorUser };
    const parts = { ...endpointCall("GET /modules"), query };
    const parse = (reply: HttpReply) => moduleListSchema.parse(reply.json()).modules;
    return await this.#http.call(parts, parse, options);
  }

  /** Returns a module. @throws ServiceFailure (`not-found`) HDP-2042 for an unknown id */
  public async get(id: string, options?: ServiceCallOptions): Promise<RegistryModule> {
    const parts = { ...endpointCall("GET /modules/{id}", id), settles: isUnknown };
    return await this.#http.call(parts, known(this.#http, id, moduleSchema), options);
  }

  /** Returns the versions of a module, oldest first. @throws as `get` */
  public async versions(
    id: string,
    options?: ServiceCallOptions,
  ): Promise<readonly RegistryModuleVersion[]> {
    const parts = { ...endpointCall("GET /modules/{id}/versions", id), settles: isUnknown };
    return await this.#http.call(
      parts,
      known(this.#http, id, z.array(moduleVersionSchema)),
      options,
    );
  }

  /** Changes what is said of a module. @throws as `get` */
  public async update(
    id: string,
    { description, tags, license, sources, abi }: ModuleChange,
    options?: ServiceCallOptions,
  ): Promise<RegistryModule> {
    const parts = {
      ...endpointCall("PATCH /modules/{id}", id),
      json: { description, tags, license, abi, source_code: sources },
      once: "Change it again: the same change twice is one.",
      settles: isUnknown,
    };
    return await this.#http.call(parts, known(this.#http, id, moduleSchema), options);
  }

  /** Lists a module on the marketplace. It can be named in tasks by anybody before and after. @throws as `get` */
  public async publish(id: string, options?: ServiceCallOptions): Promise<unknown> {
    const parts = {
      ...endpointCall("POST /modules/{id}/publish", id),
      once: "Publish it again: that changes nothing.",
      settles: isUnknown,
    };
    return await this.#http.call(parts, known(this.#http, id, z.unknown()), options);
  }

  /** Takes a module off the marketplace. It can still be read by its id. @throws as `get` */
  public async unpublish(id: string, options?: ServiceCallOptions): Promise<unknown> {
    const parts = {
      ...endpointCall("POST /modules/{id}/unpublish", id),
      once: "Withdraw it again: that changes nothing.",
      settles: isUnknown,
    };
    return await this.#http.call(parts, known(this.#http, id, z.unknown()), options);
  }
}

/** Returns the fields of the form of an upload, by their names there. */
function uploadFields(module: ModuleUpload): Readonly<Record<string, string | undefined>> {
  const { name, version, description, tags, license, changelog, sources, abi } = module;
  return {
    name,
    version,
    description,
    tags: tags?.join(","),
    license,
    version_changelog: changelog,
    source_files: sources === undefined ? undefined : JSON.stringify(sources),
    abi: abi === undefined ? undefined : JSON.stringify(abi),
    scarb_toml: module.scarbToml,
  };
}

function isUnknown(status: number): boolean {
  return status === 404;
}

/** Returns a function that parses the reply about a module, or throws that the registry has none of its id. */
function known<T>(
  http: HttpClient,
  id: string,
  schema: z.ZodType<T, z.ZodTypeDef, unknown>,
): (reply: HttpReply) => T {
  return (reply) => {
    const { status } = reply;
    if (isUnknown(status)) {
      const list = http.suggest("hdp service-modules", []);
      throw serviceFailure("HDP-2042", { id, list }, { status });
    }
    return schema.parse(reply.json());
  };
}

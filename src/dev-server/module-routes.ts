import { z } from "zod";

import { jsonText } from "../base/json.js";
import { inWords } from "../errors/hdp-error.js";
import type { PublishedSides } from "../service/data-processor/contradictions.js";
import {
  MODULE_FILE_PART,
  moduleListSchema,
  moduleMessageSchema,
  moduleSchema,
  moduleUploadedSchema,
  moduleVersionSchema,
  type RegistryModule,
  type RegistryModuleVersion,
} from "../service/module-registry.js";
import { readAs } from "./body.js";
import { listReply, textIn } from "./database.js";
import type { ProgramStore } from "./program-store.js";
import { badRequest, HttpRefusal } from "./refusals.js";
import {
  type Decided,
  jsonReply,
  publishedRoutes,
  type Reply,
  type Request,
  type Route,
} from "./route.js";
import type { ServerContext } from "./task-service.js";
import { parseUploadedClass, publishedClass } from "./uploaded-class.js";

/** Fields of the form of `POST /modules/upload`, in addition to the file. */
const uploadSchema = z.object({
  name: z.string().min(1).max(200),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(?:[-+][\w.+-]{1,100})?$/, "expected a semantic version, such as 1.0.0"),
  compiler_version: z.string().max(100).optional(),
  description: z.string().optional(),
  tags: z.string().describe("With commas.").optional(),
  license: z.string().optional(),
  version_changelog: z.string().optional(),
  source_files: z.string().describe("JSON of path to content.").optional(),
  abi: z.string().describe("JSON.").optional(),
  scarb_toml: z.string().optional(),
});

const changeSchema = z.object({
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  license: z.string().optional(),
  abi: z.unknown(),
  source_code: z.unknown(),
});

const recordSchema = z.object({ module: moduleSchema, versions: z.array(moduleVersionSchema) });
type ModuleRecord = z.output<typeof recordSchema>;

type Upload = z.output<typeof uploadSchema>;

/** Members of a module that this server does not count. */
const UNCOUNTED = {
  usageCount: 0,
  downloadsCount: 0,
  usersCount: 0,
  isVerified: false,
  creatorUser: null,
} as const;

/** What the module registry works with. */
interface RegistryContext extends ServerContext {
  readonly published: PublishedSides;
}

/** Returns the routes of the published module registry: names with versions, each a class. Reads do not need a key. */
export function moduleRoutes(context: RegistryContext, programs: ProgramStore): readonly Route[] {
  return publishedRoutes({
    "POST /modules/upload": {
      summary: "Store a compiled class as a version of a module",
      body: { type: "file", parts: [MODULE_FILE_PART], fields: uploadSchema },
      once: true,
      status: 201,
      reply: moduleUploadedSchema,
      handle: async (request) => await uploadModule(context, programs, request),
    },
    "GET /modules": {
      summary: "List modules, newest first",
      optionalQuery: {
        marketplace: "true: only those that are published there",
        creator_user: "Whose modules: none are known here",
      },
      reply: moduleListSchema,
      handle: (request) => listModules(context, request),
    },
    "GET /modules/{id}": {
      summary: "One module",
      reply: moduleSchema,
      handle: ({ params }) => jsonReply(knownRecord(context, params["id"]).module),
    },
    "PATCH /modules/{id}": {
      summary: "Change what is said of a module",
      body: {
        type: "json",
        schemas: [changeSchema],
        example: { description: "Averages balances" },
      },
      reply: moduleSchema,
      handle: (request) => changeModule(context, request),
    },
    "GET /modules/{id}/versions": {
      summary: "Versions of a module, oldest first",
      reply: z.array(moduleVersionSchema),
      handle: ({ params }) => jsonReply(knownRecord(context, params["id"]).versions),
    },
    "POST /modules/{id}/publish": {
      summary:
        "List a module on the marketplace: its reply is not published, and taken from the next",
      reply: moduleMessageSchema,
      handle: (request) => listOnMarketplace(context, request, true),
    },
    "POST /modules/{id}/unpublish": {
      summary: "Take a module off the marketplace; it can still be read by its id",
      reply: moduleMessageSchema,
      handle: (request) => listOnMarketplace(context, request, false),
    },
  });
}

/** Stores an uploaded class as a version of a module, which is new or has other versions. */
async function uploadModule(
  context: RegistryContext,
  programs: ProgramStore,
  { file, form, turns }: Request,
): Promise<Decided> {
  const given = readAs(uploadSchema, form);
  const text = file.toString();
  const program = await parseUploadedClass(text, turns);
  const { hash } = publishedClass(program, context.published);
  return () => {
    const { module: before, versions = [] } = foundRecord(context, "name", given.name) ?? {};
    if (versions.some(({ version }) => version === given.version)) {
      const error = `Version ${given.version} already exists for this module`;
      throw new HttpRefusal(inWords("HDP-4518", { error }), { body: { error } });
    }
    const compilerVersion = given.compiler_version ?? program.compilerVersion;
    const compiled = { hash, compilerVersion };
    const module = uploadedModule(context, given, before, compiled);
    const { id, updatedAt: createdAt } = module;
    const version = uploadedVersion(given, module);
    const message = "Module uploaded successfully";
    const uploaded = { id, programHash: hash, compilerVersion, createdAt, message };
    return {
      ...jsonReply(uploaded, 201),
      write: () => {
        programs.put(program);
        storeRecord(context, { module, versions: [...versions, version] });
      },
    };
  };
}

/** Returns the record of a module after an upload; what the upload does not say stays as it was before. */
function uploadedModule(
  { newId, timestamp }: ServerContext,
  given: Upload,
  before: RegistryModule | undefined,
  { hash, compilerVersion }: { readonly hash: string; readonly compilerVersion: string },
): RegistryModule {
  const now = timestamp();
  return {
    ...UNCOUNTED,
    publishedOnMarketplace: before?.publishedOnMarketplace ?? false,
    id: before?.id ?? newId(),
    latestModuleVersionProgramHash: hash,
    compilerVersion,
    name: given.name,
    description: given.description ?? before?.description ?? null,
    tags: given.tags?.split(",").map((tag) => tag.trim()) ?? before?.tags ?? null,
    license: given.license ?? before?.license ?? null,
    abi: jsonField("abi", given.abi) ?? before?.abi ?? null,
    sourceCode: jsonField("source_files", given.source_files) ?? before?.sourceCode ?? null,
    scarbToml: given.scarb_toml ?? before?.scarbToml ?? null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
}

function uploadedVersion(given: Upload, module: RegistryModule): RegistryModuleVersion {
  return {
    hash: module.latestModuleVersionProgramHash ?? "",
    moduleRegistryId: module.id,
    storageType: "db",
    version: given.version,
    versionChangelog: given.version_changelog ?? null,
    s3Key: null,
    createdAt: module.updatedAt,
    updatedAt: module.updatedAt,
  };
}

function listModules({ database }: ServerContext, { query }: Request): Reply {
  if (query.has("creator_user")) return listReply("modules", []);
  const where =
    query.get("marketplace") === "true"
      ? "WHERE body ->> '$.module.publishedOnMarketplace' = 1"
      : "";
  const select = `SELECT CAST(body -> 'module' AS BLOB) AS item FROM module ${where} ORDER BY number DESC`;
  return listReply("modules", database.all(select));
}

function listOnMarketplace(
  context: ServerContext,
  { params }: Request,
  publishedOnMarketplace: boolean,
): Decided {
  return () => {
    const { module, versions } = knownRecord(context, params["id"]);
    const changed = { ...module, publishedOnMarketplace, updatedAt: context.timestamp() };
    const done = publishedOnMarketplace ? "published to" : "unpublished from";
    return {
      ...jsonReply({ message: `Module ${done} marketplace` }),
      write: () => storeRecord(context, { module: changed, versions }),
    };
  };
}

function changeModule(context: ServerContext, { params, json }: Request): Decided {
  const given = readAs(changeSchema, json);
  return () => {
    const { module, versions } = knownRecord(context, params["id"]);
    const changed: RegistryModule = {
      ...module,
      description: given.description ?? module.description,
      tags: given.tags ?? module.tags,
      license: given.license ?? module.license,
      abi: given.abi === undefined ? module.abi : given.abi,
      sourceCode: given.source_code === undefined ? module.sourceCode : given.source_code,
      updatedAt: context.timestamp(),
    };
    return {
      ...jsonReply(changed),
      write: () => storeRecord(context, { module: changed, versions }),
    };
  };
}

function foundRecord(
  { database }: ServerContext,
  column: "id" | "name",
  value: string,
): ModuleRecord | undefined {
  const row = database.get(`SELECT body FROM module WHERE ${column} = ?`, value);
  return row && recordSchema.parse(JSON.parse(textIn(row, "body")));
}

/** @throws HttpRefusal HDP-4519 (404) with the published body */
function knownRecord(context: ServerContext, id = ""): ModuleRecord {
  const record = foundRecord(context, "id", id);
  if (record !== undefined) return record;
  const words = inWords("HDP-4519", { kind: "module", id: id.slice(0, 200), call: undefined });
  throw new HttpRefusal(words, { status: 404, body: { error: "Module not found" } });
}

function storeRecord({ database }: ServerContext, record: ModuleRecord): void {
  const { id, name } = record.module;
  const body = jsonText(record);
  const isKnown = database.run("UPDATE module SET body = ? WHERE id = ?", body, id) > 0;
  if (!isKnown) database.insert("module", { id, name, body });
  database.forget("module", body.length);
}

/** Parses a field that contains JSON. @throws HttpRefusal HDP-4518 */
function jsonField(name: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${name}: it is not JSON`);
  }
}

import { z } from "zod";

import { jsonText } from "../base/json.js";
import { inWords } from "../errors/hdp-error.js";
import { readAs } from "./body.js";
import { listReply, textIn } from "./database.js";
import type { ProgramStore } from "./program-store.js";
import { badRequest, Refusal } from "./refusals.js";
import {
  type Decided,
  jsonReply,
  publishedRoutes,
  type Reply,
  type Request,
  type Route,
} from "./route.js";
import type { ServerContext } from "./task-service.js";
import { classOf } from "./uploaded-class.js";

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

const moduleSchema = z.object({
  id: z.string(),
  latestModuleVersionProgramHash: z.string().nullable(),
  compilerVersion: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** Always 0: this server does not count uses. */
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

const versionSchema = z.object({
  hash: z.string(),
  moduleRegistryId: z.string(),
  storageType: z.enum(["s3", "db"]),
  version: z.string(),
  versionChangelog: z.string().nullable(),
  s3Key: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const uploadedSchema = z.object({
  id: z.string(),
  programHash: z.string(),
  compilerVersion: z.string(),
  createdAt: z.string(),
  message: z.string(),
});

const recordSchema = z.object({ module: moduleSchema, versions: z.array(versionSchema) });
type ModuleRecord = z.output<typeof recordSchema>;

type Module = z.output<typeof moduleSchema>;
type Version = z.output<typeof versionSchema>;
type Upload = z.output<typeof uploadSchema>;

/** Members of a module that this server does not count or publish. */
const UNCOUNTED = {
  usageCount: 0,
  downloadsCount: 0,
  usersCount: 0,
  isVerified: false,
  publishedOnMarketplace: false,
  creatorUser: null,
} as const;

/** Returns the routes of the published module registry: names with versions, each a class. Reads do not need a key. */
export function moduleRoutes(context: ServerContext, programs: ProgramStore): readonly Route[] {
  return publishedRoutes({
    "POST /modules/upload": {
      summary: "Store a compiled class as a version of a module",
      body: { type: "file", parts: ["module"], fields: uploadSchema },
      once: true,
      reply: uploadedSchema,
      handle: async (request) => await uploadModule(context, programs, request),
    },
    "GET /modules": {
      summary: "List modules, newest first",
      optionalQuery: {
        marketplace: "true: those published there, which are none here",
        creator_user: "Whose modules: none are known here",
      },
      reply: z.object({ modules: z.array(moduleSchema) }),
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
      reply: z.array(versionSchema),
      handle: ({ params }) => jsonReply(knownRecord(context, params["id"]).versions),
    },
  });
}

async function uploadModule(
  context: ServerContext,
  programs: ProgramStore,
  { file, form, turns }: Request,
): Promise<Decided> {
  const given = readAs(uploadSchema, form);
  const program = await classOf(file.toString(), turns);
  return () => {
    const { module: before, versions = [] } = foundRecord(context, "name", given.name) ?? {};
    if (versions.some(({ version }) => version === given.version)) {
      const error = `Version ${given.version} already exists for this module`;
      throw new Refusal(inWords("HDP-4518", { error }), { body: { error } });
    }
    const compilerVersion = given.compiler_version ?? program.compilerVersion;
    const compiled = { hash: program.hash, compilerVersion };
    const module = uploadedModule(context, given, before, compiled);
    const { id, updatedAt: createdAt } = module;
    const version = uploadedVersion(given, module);
    const message = "Module uploaded successfully";
    const uploaded = { id, programHash: program.hash, compilerVersion, createdAt, message };
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
  before: Module | undefined,
  { hash, compilerVersion }: { readonly hash: string; readonly compilerVersion: string },
): Module {
  const now = timestamp();
  return {
    ...UNCOUNTED,
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

function uploadedVersion(given: Upload, module: Module): Version {
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
  const isOther = query.get("marketplace") === "true" || query.has("creator_user");
  const select = "SELECT CAST(body -> 'module' AS BLOB) AS item FROM module ORDER BY number DESC";
  return listReply("modules", isOther ? [] : database.all(select));
}

function changeModule(context: ServerContext, { params, json }: Request): Decided {
  const given = readAs(changeSchema, json);
  return () => {
    const { module, versions } = knownRecord(context, params["id"]);
    const changed: Module = {
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

/** @throws Refusal HDP-4519 (404) with the published body */
function knownRecord(context: ServerContext, id = ""): ModuleRecord {
  const record = foundRecord(context, "id", id);
  if (record !== undefined) return record;
  const words = inWords("HDP-4519", { kind: "module", id: id.slice(0, 200), call: undefined });
  throw new Refusal(words, { status: 404, body: { error: "Module not found" } });
}

function storeRecord({ database }: ServerContext, record: ModuleRecord): void {
  const { id, name } = record.module;
  const body = jsonText(record);
  const isKnown = database.run("UPDATE module SET body = ? WHERE id = ?", body, id) > 0;
  if (!isKnown) database.insert("module", { id, name, body });
  database.forget("module", body.length);
}

/** Parses a field that contains JSON. @throws Refusal HDP-4518 */
function jsonField(name: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${name}: it is not JSON`);
  }
}

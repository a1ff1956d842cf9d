import { z } from "zod";

import { jsonText } from "../base/json.js";
import { inWords } from "../errors/hdp-error.js";
import { classOf, readAs } from "./body.js";
import { listReply, textIn } from "./database.js";
import type { ProgramStore } from "./programs.js";
import { badRequest, Refusal } from "./refusals.js";
import { DATA_PROCESSOR_KEY, jsonReply, type Route, routesOf } from "./route.js";
import type { ServerContext } from "./tasks.js";

/** Fields of the form of `POST /modules/upload`, in addition to the file. */
const uploadSchema = z.object({
  name: z.string().min(1).max(200),
  version: z.string().regex(/^\d+\.\d+\.\d+(?:[-+][\w.+-]{1,100})?$/, "expected a semantic version, such as 1.0.0"),
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

/** Returns the routes of the published module registry: names with versions, each a class. Reads do not need a key. */
export function moduleRoutes({ database, timestamp, newId }: ServerContext, programs: ProgramStore): readonly Route[] {
  const found = (column: "id" | "name", value: string): ModuleRecord | undefined => {
    const row = database.get(`SELECT body FROM module WHERE ${column} = ?`, value);
    return row && recordSchema.parse(JSON.parse(textIn(row, "body")));
  };
  const required = (id = ""): ModuleRecord => {
    const record = found("id", id);
    if (record !== undefined) return record;
    const words = inWords("HDP-4519", { kind: "module", id: id.slice(0, 200), remedy: undefined });
    throw new Refusal(words, { status: 404, body: { error: "Module not found" } });
  };
  const store = (record: ModuleRecord): void => {
    const { id, name } = record.module;
    const body = jsonText(record);
    if (database.run("UPDATE module SET body = ? WHERE id = ?", body, id) === 0) {
      database.run("INSERT INTO module (id, name, body) VALUES (?, ?, ?)", id, name, body);
    }
    database.forget("module", body.length);
  };
  return routesOf("module registry", DATA_PROCESSOR_KEY, {
    "POST /modules/upload": {
      summary: "Store a compiled class as a version of a module",
      body: { type: "file", parts: ["module"], fields: uploadSchema },
      once: true,
      reply: uploadedSchema,
      handle: async ({ file, form, turns }) => {
        const given = readAs(uploadSchema, form);
        const program = await classOf(file.toString(), turns);
        return () => {
          const { module: before, versions = [] } = found("name", given.name) ?? {};
          if (versions.some(({ version }) => version === given.version)) {
            const error = `Version ${given.version} already exists for this module`;
            throw new Refusal(inWords("HDP-4518", { error }), { body: { error } });
          }
          const id = before?.id ?? newId();
          const createdAt = timestamp();
          const compilerVersion = given.compiler_version ?? program.compilerVersion;
          const module = {
            id,
            latestModuleVersionProgramHash: program.hash,
            compilerVersion,
            name: given.name,
            description: given.description ?? before?.description ?? null,
            ...{ usageCount: 0, downloadsCount: 0, usersCount: 0, isVerified: false, publishedOnMarketplace: false },
            creatorUser: null,
            tags: given.tags?.split(",").map((tag) => tag.trim()) ?? before?.tags ?? null,
            license: given.license ?? before?.license ?? null,
            abi: jsonField("abi", given.abi) ?? before?.abi ?? null,
            sourceCode: jsonField("source_files", given.source_files) ?? before?.sourceCode ?? null,
            scarbToml: given.scarb_toml ?? before?.scarbToml ?? null,
            createdAt: before?.createdAt ?? createdAt,
            updatedAt: createdAt,
          };
          const version = {
            ...{ hash: program.hash, moduleRegistryId: id, storageType: "db" as const, version: given.version },
            ...{ versionChangelog: given.version_changelog ?? null, s3Key: null, createdAt, updatedAt: createdAt },
          };
          const message = "Module uploaded successfully";
          return {
            ...jsonReply({ id, programHash: program.hash, compilerVersion, createdAt, message }, 201),
            write: () => {
              programs.put(program);
              store({ module, versions: [...versions, version] });
            },
          };
        };
      },
    },
    "GET /modules": {
      summary: "List modules, newest first",
      keyNeeded: "never",
      optionalQuery: {
        marketplace: "true: those published there, which are none here",
        creator_user: "Whose modules: none are known here",
      },
      reply: z.object({ modules: z.array(moduleSchema) }),
      handle: ({ query }) => {
        const isOther = query.get("marketplace") === "true" || query.has("creator_user");
        const select = "SELECT CAST(body -> 'module' AS BLOB) AS item FROM module ORDER BY number DESC";
        return listReply("modules", isOther ? [] : database.all(select));
      },
    },
    "GET /modules/{id}": {
      summary: "One module",
      keyNeeded: "never",
      reply: moduleSchema,
      handle: ({ params }) => jsonReply(required(params["id"]).module),
    },
    "PATCH /modules/{id}": {
      summary: "Change what is said of a module",
      body: { type: "json", schemas: [changeSchema], example: { description: "Averages balances" } },
      reply: moduleSchema,
      handle: ({ params, json }) => {
        const given = readAs(changeSchema, json);
        return () => {
          const { module, versions } = required(params["id"]);
          const { description = module.description, tags = module.tags, license = module.license } = given;
          const { abi = module.abi, source_code: sourceCode = module.sourceCode } = given;
          const changed = { ...module, description, tags, license, abi, sourceCode, updatedAt: timestamp() };
          return {
            ...jsonReply(changed),
            write: () => {
              store({ module: changed, versions });
            },
          };
        };
      },
    },
    "GET /modules/{id}/versions": {
      summary: "Versions of a module, oldest first",
      keyNeeded: "never",
      reply: z.array(versionSchema),
      handle: ({ params }) => jsonReply(required(params["id"]).versions),
    },
  });
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

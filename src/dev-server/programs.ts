import type { Hex } from "viem";
import { z } from "zod";

import { dropOldest, isRecord } from "../base/collections.js";
import { jsonText } from "../base/json.js";
import { Turns } from "../base/turns.js";
import { inWords } from "../errors/hdp-error.js";
import { PROGRAM_FILE_PART, programMetadataSchema } from "../service/program-registry.js";
import { classOf, readAs } from "./body.js";
import { listReply, type ServerDatabase, textIn } from "./database.js";
import type { HashedClass, Reply, Request, Route } from "./route.js";
import {
  badRequest,
  DATA_PROCESSOR_KEY,
  jsonReply,
  QUERY_KEY,
  Refusal,
  routesOf,
  textReply,
} from "./route.js";
import type { ServerContext } from "./tasks.js";

export type StoredProgram = Omit<HashedClass, "compilerVersion">;

/** Compiled classes by program hash. */
export class ProgramStore {
  readonly #database: ServerDatabase;
  readonly #parsed = new Map<string, WeakRef<object>>();
  readonly #bytes = new Map<string, WeakRef<Buffer>>();

  public constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Resolves once a class is on disk. @throws HdpError of area 7xxx if the text is not a compiled class */
  public async add(text: string): Promise<StoredProgram> {
    const program = await classOf(text, new Turns());
    await this.#database.write(() => this.put(program));
    return program;
  }

  /** Stores a class unless it is already stored. Call it inside `write` of the database. */
  public put({ hash, text, layout, version }: StoredProgram): void {
    this.#database.run(
      "INSERT INTO program (hash, text, layout, version) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      ...[hash, text, layout, version],
    );
    this.#database.forget("program", text.length);
  }

  /** Returns the JSON of a program: shared by many tasks that begin with a large class, so it must not be changed. */
  public json(hash: string): unknown {
    const parsed = this.#parsed.get(hash)?.deref();
    const stored = parsed === undefined ? this.get(hash) : undefined;
    if (stored === undefined) return parsed;
    const json: unknown = JSON.parse(stored.text);
    if (isRecord(json)) this.#parsed.set(hash, new WeakRef(json));
    dropOldest(this.#parsed, 100);
    return json;
  }

  /** Returns the body of a reply with a program: replies that wait for their clients at the same time share it. */
  public bytes({ hash, text }: StoredProgram): Buffer {
    const bytes = this.#bytes.get(hash)?.deref() ?? Buffer.from(text);
    this.#bytes.set(hash, new WeakRef(bytes));
    dropOldest(this.#bytes, 100);
    return bytes;
  }

  /** Returns whether a program is stored, without reading its text. */
  public has(hash: string): boolean {
    return (
      this.#database.get("SELECT 1 FROM program WHERE hash = ?", canonicalHash(hash)) !== undefined
    );
  }

  /** Returns the program of a hash, in any letter case and with or without leading zeros. */
  public get(hash: string): StoredProgram | undefined {
    const canonical = canonicalHash(hash);
    const row = this.#database.get(
      "SELECT text, layout, version FROM program WHERE hash = ?",
      canonical,
    );
    if (row === undefined) return undefined;
    const [text, layout] = [textIn(row, "text"), textIn(row, "layout")];
    return { hash: canonical, text, layout, version: Number(row["version"]) };
  }
}

/** Returns the stored form of a hash; no program has one that is not a felt. */
export function canonicalHash(hash: string): Hex {
  return /^0x[0-9a-fA-F]{1,64}$/.test(hash) ? `0x${BigInt(hash).toString(16)}` : "0x";
}

const HASH_QUERY = { program_hash: "As the upload returned it: lower case, no leading zeros" };

export function programRoutes(programs: ProgramStore): readonly Route[] {
  return routesOf("program registry", QUERY_KEY, {
    "POST /submit-program": {
      summary:
        "Store a compiled class. Answers its hash as text, or as JSON where that is accepted",
      // The older name of the part comes second.
      body: { type: "file", parts: [PROGRAM_FILE_PART, "program"] },
      once: true,
      reply: "text",
      handle: async ({ file, headers, turns }) => {
        const program = await classOf(file.toString(), turns);
        const wantsJson = headers.accept?.includes("application/json") === true;
        const reply = wantsJson
          ? jsonReply({ programHash: program.hash })
          : textReply(program.hash);
        return { ...reply, write: () => programs.put(program) };
      },
    },
    "GET /get-metadata": {
      summary:
        "Layout and compiler version of a program. An unknown hash is answered 500 without a body, as published",
      keyNeeded: "never",
      query: HASH_QUERY,
      reply: programMetadataSchema,
      handle: (request) =>
        registryReply(programs, request, ({ layout, version }) => jsonReply({ layout, version })),
    },
    "GET /get-program": {
      summary: "A stored class, byte for byte",
      keyNeeded: "never",
      query: HASH_QUERY,
      reply: "text",
      handle: (request) =>
        registryReply(programs, request, (program) => ({
          ...textReply(programs.bytes(program), "application/json"),
          headers: { "content-disposition": `attachment; filename="${program.hash}.json"` },
        })),
    },
  });
}

/** Returns a reply of the registry. As published, an unknown hash gets 500 without a body; hashes compare as text. */
function registryReply(
  programs: ProgramStore,
  { query }: Request,
  reply: (program: StoredProgram) => Reply,
): Reply {
  const hash = query.get("program_hash");
  if (hash === null) {
    return textReply(
      "Failed to deserialize query string: missing field `program_hash`",
      undefined,
      400,
    );
  }
  const program = programs.get(hash);
  return program?.hash === hash ? reply(program) : { status: 500 };
}

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

/** Returns the routes of the published module registry: names with versions, each a class. Reads do not need a key. */
export function moduleRoutes(
  { database, timestamp, newId }: ServerContext,
  programs: ProgramStore,
): readonly Route[] {
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
    const isKnown = database.run("UPDATE module SET body = ? WHERE id = ?", body, id) > 0;
    if (!isKnown) database.insert("module", { id, name, body });
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
            ...{
              usageCount: 0,
              downloadsCount: 0,
              usersCount: 0,
              isVerified: false,
              publishedOnMarketplace: false,
            },
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
            ...{
              hash: program.hash,
              moduleRegistryId: id,
              storageType: "db" as const,
              version: given.version,
            },
            ...{
              versionChangelog: given.version_changelog ?? null,
              s3Key: null,
              createdAt,
              updatedAt: createdAt,
            },
          };
          const message = "Module uploaded successfully";
          return {
            ...jsonReply(
              { id, programHash: program.hash, compilerVersion, createdAt, message },
              201,
            ),
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
        const select =
          "SELECT CAST(body -> 'module' AS BLOB) AS item FROM module ORDER BY number DESC";
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
      body: {
        type: "json",
        schemas: [changeSchema],
        example: { description: "Averages balances" },
      },
      reply: moduleSchema,
      handle: ({ params, json }) => {
        const given = readAs(changeSchema, json);
        return () => {
          const { module, versions } = required(params["id"]);
          const {
            description = module.description,
            tags = module.tags,
            license = module.license,
          } = given;
          const { abi = module.abi, source_code: sourceCode = module.sourceCode } = given;
          const changed = {
            ...module,
            description,
            tags,
            license,
            abi,
            sourceCode,
            updatedAt: timestamp(),
          };
          return { ...jsonReply(changed), write: () => store({ module: changed, versions }) };
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

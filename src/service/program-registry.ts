import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { FormData } from "undici";
import type { Hex } from "viem";
import { z } from "zod";

import { MOST_CLASS_BYTES, requireFile, systemErrorWord } from "../base/files.js";
import type { HttpClient, HttpReply, HttpRequestParts, ServiceCallOptions } from "./http/http-client.js";
import { NotFoundError, ServiceConfigurationError, ServiceValidationError } from "./http/service-errors.js";

/** Name of the file part of `POST /submit-program`. */
export const PROGRAM_FILE_PART = "programFile";

/** A program hash as registries print it, canonical afterwards: lower case, no leading zeros. */
const wireProgramHashSchema = z
  .string()
  .trim()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "expected a program hash (0x and hex digits)")
  .transform((text): `0x${string}` => `0x${BigInt(text).toString(16)}`);

/** Reply of `POST /submit-program`: the hash itself or, in the later published edition, an object. */
const programSubmittedSchema = z.union([
  wireProgramHashSchema,
  z.object({ programHash: wireProgramHashSchema }).passthrough(),
]);

/** Reply of `GET /get-metadata`. */
export const programMetadataSchema = z
  .object({ layout: z.string().min(1), version: z.number().int().nonnegative() })
  .passthrough();

/** A compiled class: a file, which is streamed from disk, or its bytes. */
export type ProgramFile = { readonly path: string } | { readonly name: string; readonly content: Uint8Array };

export interface UploadedProgram {
  /** Lower case, no leading zeros. */
  readonly programHash: Hex;
  readonly raw: unknown;
}

export interface ProgramRecord {
  /** Cairo layout the program is proven with: `recursive_with_poseidon`, … */
  readonly layout: string;
  /** Major version of its Cairo compiler: 0 or 2. */
  readonly version: number;
  readonly raw: unknown;
}

export interface ProgramRegistry {
  upload(file: ProgramFile, options?: ServiceCallOptions): Promise<UploadedProgram>;
  metadata(programHash: string, options?: ServiceCallOptions): Promise<ProgramRecord>;
}

/** The program registry: two addresses, of which either may be missing until it is used. */
export class ProgramRegistryClient implements ProgramRegistry {
  readonly #submit: HttpClient | undefined;
  readonly #metadata: HttpClient | undefined;

  public constructor(clients: {
    readonly submit?: HttpClient | undefined;
    readonly metadata?: HttpClient | undefined;
  }) {
    this.#submit = clients.submit;
    this.#metadata = clients.metadata;
  }

  /** Uploads a compiled class. The same class always gives the same hash. */
  public async upload(file: ProgramFile, options?: ServiceCallOptions): Promise<UploadedProgram> {
    const client = configured(this.#submit, "submitUrl", "upload a program");
    const { name, blob } = await opened(file);
    const parts: HttpRequestParts = {
      method: "POST",
      path: ["submit-program"],
      key: { in: "query", name: "apiKey" },
      once: "Upload the file again: the same class gives the same program hash.",
      form: () => {
        const form = new FormData();
        form.append(PROGRAM_FILE_PART, blob, name);
        return Promise.resolve(form);
      },
    };
    return await client.call(parts, parseUploaded, options);
  }

  /** What the registry knows of a program. Throws a NotFoundError for one it does not know. */
  public async metadata(programHash: string, options?: ServiceCallOptions): Promise<ProgramRecord> {
    const client = configured(this.#metadata, "metadataUrl", "read a program's metadata");
    const hash = canonicalHash(programHash);
    const parts: HttpRequestParts = {
      method: "GET",
      path: ["get-metadata"],
      // The published registry compares texts: only the canonical form is found.
      query: { program_hash: hash },
      settles: saysUnknown,
    };
    return await client.call(
      parts,
      (reply) => {
        if (saysUnknown(reply.status, reply.text)) throw unknownProgram(hash, reply.status);
        const raw = reply.json();
        const { layout, version } = programMetadataSchema.parse(raw);
        return { layout, version, raw };
      },
      options,
    );
  }
}

/** The published registry answers 500 without a body for a hash it does not know; 404 says the same. */
function saysUnknown(status: number, text: string): boolean {
  return status === 404 || (status === 500 && text.trim() === "");
}

function unknownProgram(hash: Hex, status: number): NotFoundError {
  return new NotFoundError({
    code: "HDP-2041",
    message: `the program registry knows no program ${hash}.`,
    hints: [
      ...(status === 500 ? ["It answered 500 with an empty body, which is how it says that a hash is unknown."] : []),
      "Check the hash, or upload the compiled class: npx hardhat hdp:program:upload <file>",
    ],
    status,
  });
}

/** The hash as plain text, as a JSON text, or in an object. */
function parseUploaded(reply: HttpReply): UploadedProgram {
  const text = reply.text.trim();
  const raw = text.startsWith("0x") ? text : reply.json();
  const reported = programSubmittedSchema.parse(raw);
  return { programHash: typeof reported === "string" ? reported : reported.programHash, raw };
}

function canonicalHash(programHash: string): Hex {
  const parsed = wireProgramHashSchema.safeParse(programHash);
  if (parsed.success) return parsed.data;
  throw new ServiceValidationError({
    code: "HDP-2027",
    path: "programHash",
    message: `"${programHash}" is no program hash.`,
    hints: ["A program hash is 0x and up to 64 hex digits, as the upload returned it. Nothing was sent."],
  });
}

async function opened(file: ProgramFile): Promise<{ readonly name: string; readonly blob: Blob }> {
  if ("content" in file) return { name: file.name, blob: new Blob([Buffer.from(file.content)], JSON_TYPE) };
  try {
    await requireFile(file.path, MOST_CLASS_BYTES);
    return { name: basename(file.path), blob: await openAsBlob(file.path, JSON_TYPE) };
  } catch (error) {
    throw new ServiceValidationError({
      code: "HDP-2026",
      path: file.path,
      message: `the compiled class file cannot be read (${systemErrorWord(error)}).`,
      hints: ["Give the path of an existing compiled class (JSON). Nothing was sent."],
      cause: error,
    });
  }
}

const JSON_TYPE = { type: "application/json" };

function configured(client: HttpClient | undefined, option: string, purpose: string): HttpClient {
  if (client !== undefined) return client;
  throw new ServiceConfigurationError({
    code: "HDP-2013",
    path: `programRegistry.${option}`,
    message: `no address is configured to ${purpose}.`,
    hints: [`Set programRegistry.${option}. Nothing was sent.`],
  });
}

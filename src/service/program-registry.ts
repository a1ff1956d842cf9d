import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { FormData } from "undici";
import type { Hex } from "viem";
import { z } from "zod";

import { MAX_CLASS_BYTES, requireFile, systemErrorWord } from "../base/files.js";
import { hdpError } from "../errors/hdp-error.js";
import { endpointCall } from "./endpoints.js";
import type {
  HttpClient,
  HttpReply,
  HttpRequestParts,
  ServiceCallOptions,
} from "./http/http-client.js";
import { serviceFailure } from "./http/service-errors.js";

/** Name of the file part of `POST /submit-program`. */
export const PROGRAM_FILE_PART = "programFile";

/** Parses a program hash of a registry to its canonical form: lower case, no leading zeros. */
const programHashSchema = z
  .string()
  .trim()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "expected a program hash (0x and hex digits)")
  .transform((text): `0x${string}` => `0x${BigInt(text).toString(16)}`);

/** Reply of `POST /submit-program`: the hash itself or, in the later published version, an object. */
const programSubmittedSchema = z.union([
  programHashSchema,
  z.object({ programHash: programHashSchema }).transform(({ programHash }) => programHash),
]);

/** Reply of `GET /get-metadata`. */
export const programMetadataSchema = z
  .object({ layout: z.string().min(1), version: z.number().int().nonnegative() })
  .passthrough();

/** A compiled class: a file, which is streamed from disk, or its bytes. */
export type ProgramFile =
  { readonly path: string } | { readonly name: string; readonly content: Uint8Array };

/** The registry's answer to an upload. */
export interface UploadedProgram {
  /** Lower case, no leading zeros. */
  readonly programHash: Hex;
  readonly raw: unknown;
}

/** The registry's record of a program. */
export interface ProgramRecord {
  /** Cairo layout the program is proven with: `recursive_with_poseidon`, … */
  readonly layout: string;
  /** Major version of its Cairo compiler: 0 or 2. */
  readonly version: number;
  readonly raw: unknown;
}

/** Clients of the two addresses that a registry may have. Default of `metadata`: `submit`. */
type RegistryClients = Readonly<{ submit: HttpClient; metadata?: HttpClient | undefined }>;

/** Client of the program registry, which stores compiled classes by program hash. */
export class ProgramRegistryClient {
  public constructor(private readonly clients: RegistryClients) {}

  /** Uploads a compiled class. The same class always gives the same hash. */
  public async upload(file: ProgramFile, options?: ServiceCallOptions): Promise<UploadedProgram> {
    const { name, blob } = await openedClass(file);
    const form = new FormData();
    form.append(PROGRAM_FILE_PART, blob, name);
    const parts: HttpRequestParts = {
      ...endpointCall("POST /submit-program"),
      once: "Upload the file again: the same class gives the same program hash.",
      form,
    };
    const parse = (reply: HttpReply): UploadedProgram => {
      const text = reply.text.trim();
      const raw = text.startsWith("0x") ? text : reply.json();
      return { programHash: programSubmittedSchema.parse(raw), raw };
    };
    return await this.clients.submit.call(parts, parse, options);
  }

  /** Returns the registry's record of a program. @throws ServiceFailure (`not-found`) for an unknown one */
  public async metadata(programHash: string, options?: ServiceCallOptions): Promise<ProgramRecord> {
    // The published registry compares hashes as text and only finds the canonical form.
    const { data: hash } = programHashSchema.safeParse(programHash);
    if (hash === undefined)
      throw hdpError("HDP-1118", { value: `"${programHash}"` }, { path: "programHash" });
    const query = { program_hash: hash };
    const parts: HttpRequestParts = {
      ...endpointCall("GET /get-metadata"),
      query,
      settles: saysUnknown,
    };
    const parse = (reply: HttpReply): ProgramRecord => {
      const { status, text } = reply;
      if (saysUnknown(status, text)) throw serviceFailure("HDP-2041", { hash }, { status });
      const raw = reply.json();
      const { layout, version } = programMetadataSchema.parse(raw);
      return { layout, version, raw };
    };
    const { submit, metadata = submit } = this.clients;
    return await metadata.call(parts, parse, options);
  }
}

/** Returns whether a reply means an unknown hash: 404, or the published registry's 500 without a body. */
function saysUnknown(status: number, text: string): boolean {
  return status === 404 || (status === 500 && text.trim() === "");
}

/** Returns a class to send, with the name of its file. @throws HdpError HDP-6001 for a file that cannot be read */
export async function openedClass(
  file: ProgramFile,
): Promise<{ readonly name: string; readonly blob: Blob }> {
  const type = { type: "application/json" };
  if ("content" in file)
    return { name: file.name, blob: new Blob([Buffer.from(file.content)], type) };
  try {
    await requireFile(file.path, MAX_CLASS_BYTES);
    return { name: basename(file.path), blob: await openAsBlob(file.path, type) };
  } catch (cause) {
    const values = { what: "the compiled class", reason: systemErrorWord(cause), path: undefined };
    throw hdpError("HDP-6001", values, { path: file.path, cause, hints: ["Nothing was sent."] });
  }
}

import { PROGRAM_FILE_PART, programMetadataSchema } from "../../service/program-registry.js";
import { FrontProblem, type FrontReply, type FrontRequest, jsonReply, refusalOf, textReply } from "../front-problem.js";
import { IdempotencyKeys, idempotencyOf, type UploadKeys } from "../idempotency-keys.js";
import { beyondLimit, type FrontLimits } from "../limits.js";
import type { ProgramStore, StoredProgram } from "../program-store.js";
import { readClass } from "../read-class.js";
import { QUERY_KEY, type Route } from "../router.js";

/** Part name of the registry's older front. */
const OLD_PART = "program";
const HASH_QUERY = [
  { name: "program_hash", summary: "As the upload returned it: lower case, no leading zeros", required: true },
] as const;

/** The program registry. */
export function programRoutes(programs: ProgramStore, uploads: UploadKeys, limits: FrontLimits): readonly Route[] {
  const keys = new IdempotencyKeys((key) => uploads.find(key));
  return [
    {
      method: "POST",
      path: "/submit-program",
      interface: "program registry",
      summary: "Store a compiled class; answers its hash as text, or as JSON where that is accepted",
      key: QUERY_KEY,
      body: { type: "multipart", part: PROGRAM_FILE_PART },
      reply: "text",
      handle: async (request) => {
        const text = await programPart(request);
        // The form around the class has another boundary each time.
        const idempotency = idempotencyOf(request, "/submit-program", text);
        const { record: hash } = await keys.once(idempotency, async () => {
          const stored = await storedProgram(programs, text, limits);
          if (idempotency !== undefined) await uploads.keep(idempotency, stored.hash);
          return { record: stored.hash };
        });
        const wantsJson = String(request.headers["accept"] ?? "").includes("application/json");
        return wantsJson ? jsonReply(200, { programHash: hash }) : textReply(200, hash);
      },
    },
    {
      method: "GET",
      path: "/get-metadata",
      interface: "program registry",
      summary:
        "Layout and compiler version of a program. An unknown hash is answered 500 with an empty body, as published",
      query: HASH_QUERY,
      reply: programMetadataSchema,
      handle: (request) => answered(programs, request, ({ layout, version }) => jsonReply(200, { layout, version })),
    },
    {
      method: "GET",
      path: "/get-program",
      interface: "program registry",
      summary: "A stored class, byte for byte",
      query: HASH_QUERY,
      reply: "text",
      handle: (request) =>
        answered(programs, request, ({ hash, text }) => ({
          ...textReply(200, text, "application/json"),
          headers: { "content-disposition": `attachment; filename="${hash}.json"` },
        })),
    },
  ];
}

/** The published registry compares texts, and has 500 without a body for what it does not know. */
function answered(
  programs: ProgramStore,
  { query }: FrontRequest,
  reply: (program: StoredProgram) => FrontReply,
): FrontReply {
  const hash = query.get("program_hash");
  if (hash === null) return textReply(400, "Failed to deserialize query string: missing field `program_hash`");
  const program = programs.get(hash);
  return program?.hash === hash ? reply(program) : { status: 500 };
}

async function programPart({ headers, body }: FrontRequest): Promise<string> {
  const form = await multipart(String(headers["content-type"] ?? ""), body);
  const part = form.get(PROGRAM_FILE_PART) ?? form.get(OLD_PART);
  if (part === null) {
    throw new FrontProblem({
      code: "HDP-4520",
      status: 400,
      message: `the form has no part "${PROGRAM_FILE_PART}".`,
      hints: [`For instance: curl -F ${PROGRAM_FILE_PART}=@target/dev/x.compiled_contract_class.json`],
    });
  }
  return typeof part === "string" ? part : await part.text();
}

/** Parts of a form, and bytes of the head of one: a program is one part. Reading them takes time by their number. */
const MOST_PARTS = 16;
const MOST_HEAD_BYTES = 16 * 2 ** 10;

function requireFew(body: Uint8Array<ArrayBuffer>, boundary: string): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const mark = `--${boundary}`;
  let parts = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    parts += 1;
    // The last mark ends the form, and has no head behind it.
    if (parts > MOST_PARTS + 1) throw beyondLimit(`the form has more than ${MOST_PARTS} parts`);
    const head = bytes.subarray(at, at + mark.length + MOST_HEAD_BYTES);
    if (head.length === mark.length + MOST_HEAD_BYTES && !head.includes("\r\n\r\n")) {
      throw beyondLimit(`the head of a part has more than ${MOST_HEAD_BYTES} bytes`);
    }
  }
}

async function multipart(type: string, body: Uint8Array<ArrayBuffer>): Promise<FormData> {
  try {
    if (!/^multipart\/form-data\b/i.test(type)) throw new TypeError(`the content type is "${type.slice(0, 80)}"`);
    requireFew(body, /;\s*boundary="?([^";]+)/i.exec(type)?.[1] ?? "");
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- meant for bodies without a bound: this one has one
    return await new Response(body, { headers: { "content-type": type } }).formData();
  } catch (error) {
    if (error instanceof FrontProblem) throw error;
    throw new FrontProblem({
      code: "HDP-4525",
      status: 400,
      message: "the body is not a multipart form.",
      hints: [`Send the compiled class as a file part named ${PROGRAM_FILE_PART}.`],
      cause: error,
    });
  }
}

async function storedProgram(programs: ProgramStore, text: string, limits: FrontLimits): Promise<StoredProgram> {
  try {
    return await programs.put(await readClass(text, limits));
  } catch (error) {
    throw refusalOf(error);
  }
}

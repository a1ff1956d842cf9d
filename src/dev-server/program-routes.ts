import { z } from "zod";

import { PROGRAM_FILE_PART, programMetadataSchema } from "../service/program-registry.js";
import type { ProgramStore } from "./program-store.js";
import {
  jsonReply,
  publishedRoutes,
  type Reply,
  type Request,
  type Route,
  textReply,
  type StoredProgram,
} from "./route.js";
import { parseUploadedClass } from "./uploaded-class.js";

/** As published: no JSON. */
const UNKNOWN_HASH = {
  400: { about: "The hash is missing", body: "text" },
  500: { about: "The hash is unknown", body: "none" },
} as const;
const HASH_QUERY = { program_hash: "As the upload returned it: lower case, no leading zeros" };

/** Returns the routes of the program registry. */
export function programRoutes(programs: ProgramStore): readonly Route[] {
  return publishedRoutes({
    "POST /submit-program": {
      summary:
        "Store a compiled class. Answers its hash as text, or as JSON where that is accepted",
      // The older name of the part comes second.
      body: { type: "file", parts: [PROGRAM_FILE_PART, "program"] },
      once: true,
      reply: "text",
      jsonReply: z.object({ programHash: z.string() }),
      handle: async (request) => await storeProgram(programs, request),
    },
    "GET /get-metadata": {
      summary:
        "Layout and compiler version of a program. An unknown hash is answered 500 without a body, as published",
      query: HASH_QUERY,
      published: UNKNOWN_HASH,
      reply: programMetadataSchema,
      handle: (request) => registryReply(programs, request, metadataReply),
    },
    "GET /get-program": {
      summary: "A stored class, byte for byte",
      query: HASH_QUERY,
      published: UNKNOWN_HASH,
      reply: z.record(z.unknown()),
      handle: (request) => registryReply(programs, request, (one) => fileReply(programs, one)),
    },
  });
}

async function storeProgram(
  programs: ProgramStore,
  { file, headers, turns }: Request,
): Promise<Reply> {
  const program = await parseUploadedClass(file.toString(), turns);
  const wantsJson = headers.accept?.includes("application/json") === true;
  const reply = wantsJson ? jsonReply({ programHash: program.hash }) : textReply(program.hash);
  return { ...reply, write: () => programs.put(program) };
}

function metadataReply({ layout, version }: StoredProgram): Reply {
  return jsonReply({ layout, version });
}

function fileReply(programs: ProgramStore, program: StoredProgram): Reply {
  const disposition = `attachment; filename="${program.hash}.json"`;
  return {
    ...textReply(programs.bytes(program), "application/json"),
    headers: { "content-disposition": disposition },
  };
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

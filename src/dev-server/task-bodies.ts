import { z } from "zod";

import { isRecord } from "../base/collections.js";
import { grouped } from "../base/text.js";
import type { ChainIdentifier } from "../request/chains.js";
import { parseTask, parseTaskRequest } from "../request/parse.js";
import type { PublishedSides } from "../service/data-processor/contradictions.js";
import { moduleTaskSubmitSchema } from "../service/data-processor/editions.js";
import {
  joinedHalves,
  type MmrBody,
  mmrMembers,
  type RunOutputBody,
  runOutputSchema,
} from "../service/data-processor/run-output.js";
import { type DevServerLimits, readAs } from "./body.js";
import { destinationSchema } from "./described.js";
import type { ServerDatabase } from "./database.js";
import { canonicalHash, type ProgramStore } from "./program-store.js";
import { badRequest, MAX_ERRORS, tooLarge } from "./refusals.js";
import type { Request } from "./route.js";
import { chainNamed, type StoredRunOutput } from "./server-task.js";
import type { IncomingTask } from "./task-service.js";
import { publishedClass } from "./uploaded-class.js";

/** Body of `POST /tasks/decommitment`. */
export const decommitmentSchema = z.object({
  destination_chain_id: destinationSchema,
  atlantic_query_id: z.string().min(1),
  hdp_output: runOutputSchema.nullish(),
  program_hash: z.string().nullish(),
  webhook_url: z.string().nullish(),
});
const webhookSchema = z.object({ webhook_url: z.string().nullish() }).passthrough();

/** Reads the specification's body. @throws HttpRefusal HDP-4518, HDP-4529; TaskRequestError with every error */
export function parseTasksBody(
  { json }: Request,
  edition: "tasks" | "batch",
  limits: DevServerLimits,
): IncomingTask {
  const tasks = isRecord(json) ? json["tasks"] : undefined;
  if (Array.isArray(tasks) && tasks.length > limits.tasks) {
    throw tooLarge(`it has ${grouped(tasks.length)} tasks, more than ${grouped(limits.tasks)}`);
  }
  const { webhook_url: webhookUrl } = readAs(webhookSchema, json);
  // With all other keys, also `__proto__`, which an assignment would hide.
  const members = Object.entries(isRecord(json) ? json : {});
  const specified = Object.fromEntries(members.filter(([name]) => name !== "webhook_url"));
  const request = parseTaskRequest(specified, { maxErrors: MAX_ERRORS });
  return { edition, request, webhookUrl: webhookUrl ?? undefined };
}

interface ModuleBodyContext {
  readonly programs: ProgramStore;
  readonly database: ServerDatabase;
  readonly published: PublishedSides;
}

/** Reads the published body of a module task, and stores its class. @throws HttpRefusal HDP-4518; TaskRequestError */
export async function parseModuleBody(
  request: Request,
  { programs, database, published }: ModuleBodyContext,
): Promise<IncomingTask> {
  const { json, compiledClass } = request;
  const body = readAs(moduleTaskSubmitSchema, json);
  const { inputs: inputsFrom } = published;
  const destinationChainId = readDestination(body.destination_chain_id, published);
  if (typeof body.injected_state_server === "string") {
    throw badRequest(
      "injected_state_server: only this server's own tries are read. Leave it out, and POST /create_trie",
    );
  }
  const named = body.program_hash ?? undefined;
  const programHash = compiledClass?.hash ?? named;
  if (programHash === undefined) {
    throw badRequest(
      "program_hash: neither it nor input.compiled_class is given. Upload the class, or send it along",
    );
  }
  if (named !== undefined && compiledClass !== undefined && canonicalHash(named) !== programHash) {
    throw badRequest(
      `program_hash: it is ${named.slice(0, 80)}, and input.compiled_class has the hash ${programHash}`,
    );
  }
  const program = compiledClass && publishedClass(compiledClass, published);
  if (inputsFrom === "params") requireProversInput(body, compiledClass !== undefined);
  const inputs = readInputs(body, inputsFrom).map((input) =>
    typeof input === "string" ? { visibility: "public", value: input } : input,
  );
  const task = parseTask({
    type: "Module",
    programHash: program?.hash ?? programHash,
    inputs,
    injected_state: body.input.injected_state,
  });
  if (program !== undefined) await database.write(() => programs.put(program));
  const { schedule_mode: mode = null, schedule_tx_hash: transaction = null } = body;
  return {
    edition: "module-tasks",
    request: { destinationChainId, tasks: [task] },
    webhookUrl: body.webhook_url ?? undefined,
    schedule: { mode, transaction },
  };
}

type ModuleTaskBody = z.output<typeof moduleTaskSubmitSchema>;
type BodyInput = NonNullable<ModuleTaskBody["input"]["params"]>[number];

/** Returns the arguments of a body: without a chosen source `input.params`, or `task_inputs` where these are empty. */
function readInputs(
  { input: { params = [] }, task_inputs: listed }: ModuleTaskBody,
  source: PublishedSides["inputs"],
): readonly BodyInput[] {
  if (source === "task_inputs") return listed ?? params;
  return params.length === 0 && source === undefined ? (listed ?? []) : params;
}

/** Throws for an input that the prover's own type does not parse. @throws HttpRefusal HDP-4518 */
function requireProversInput({ input }: ModuleTaskBody, hasClass: boolean): void {
  const text = input.params?.findIndex((param) => typeof param === "string") ?? -1;
  if (text >= 0)
    throw badRequest(`input.params.${text}: expected { "visibility": "public", "value": "0x…" }`);
  if (!hasClass) throw badRequest("input.compiled_class: expected a whole compiled class");
  for (const member of ["params", "injected_state"] as const)
    if (input[member] === undefined) throw badRequest(`input.${member}: missing`);
}

type DecommitmentBody = z.output<typeof decommitmentSchema>;

/** Where the output of a run is looked up that a body leaves out. */
interface DecommitmentOptions {
  readonly published: PublishedSides;
  readonly findOutput: (queryId: string) => StoredRunOutput | undefined;
}

/** Reads the body of a delivery; its output, where it is left out, by the id of the run. @throws HttpRefusal HDP-4518 */
export function decommitment(
  body: DecommitmentBody,
  { published, findOutput }: DecommitmentOptions,
): IncomingTask {
  const { atlantic_query_id: queryId } = body;
  const destinationChainId = readDestination(body.destination_chain_id, published);
  const given = body.hdp_output ?? undefined;
  const output = given === undefined ? findOutput(queryId) : givenOutput(given, published);
  if (output === undefined) {
    throw badRequest(
      `hdp_output: no run ${queryId.slice(0, 80)} is known here. Send the output along, or name a task of this server`,
    );
  }
  const delivery = { ...output, queryId, programHash: body.program_hash ?? output.programHash };
  return {
    edition: "module-tasks",
    request: { destinationChainId, tasks: [] },
    webhookUrl: body.webhook_url ?? undefined,
    delivery,
  };
}

function givenOutput(output: RunOutputBody, { mmrs: side }: PublishedSides): StoredRunOutput {
  return {
    taskHash: joinedHalves(output.task_hash_low, output.task_hash_high),
    word: joinedHalves(output.output_tree_root_low, output.output_tree_root_high),
    mmrs: (output.mmr_metas ?? []).map((mmr) => publishedMmr(mmr, side)),
  };
}

/** Returns a Merkle mountain range as the reads of a task have it. @throws HttpRefusal HDP-4518 for the other side's form */
function publishedMmr(
  given: MmrBody,
  side: PublishedSides["mmrs"],
): StoredRunOutput["mmrs"][number] {
  const isTagged = "hash" in given;
  if (side !== undefined && isTagged !== (side === "tagged"))
    throw badRequest(`hdp_output.mmr_metas: expected ${MMR_FORMS[side]}`);
  const mmr = mmrMembers(given);
  const { id, size: count, chain_id } = mmr;
  const common = { id, size: count, chain_id };
  return "root" in mmr
    ? { ...common, root: mmr.root, hashing_function: "poseidon" }
    : { ...common, root: joinedHalves(mmr.root_low, mmr.root_high), hashing_function: "keccak" };
}

const MMR_FORMS = {
  variant: '{ "Poseidon": { id, size, chain_id, root } } or { "Keccak": … }',
  tagged: '{ "hash": "poseidon", id, size, chain_id, root } or { "hash": "keccak", … }',
} as const;

function readDestination(
  chain: string | number,
  { destination: side }: PublishedSides,
): ChainIdentifier {
  const text = String(chain).slice(0, 80);
  if (side === "integer" && typeof chain !== "number")
    throw badRequest(`destination_chain_id: expected an integer, got "${text}"`);
  if (side === "hex" && !/^0x[0-9a-fA-F]+$/.test(String(chain)))
    throw badRequest(`destination_chain_id: expected 0x and hex digits, got ${text}`);
  const known = chainNamed(String(chain));
  if (known !== undefined) return known;
  throw badRequest(
    `destination_chain_id: "${text}" is not a known chain. Send an id, such as 0xaa36a7`,
  );
}

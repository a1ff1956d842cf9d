import type { Hex } from "viem";
import { z } from "zod";

import { isRecord } from "../base/collections.js";
import { toWord } from "../base/hex.js";
import { grouped } from "../base/text.js";
import type { ChainIdentifier } from "../request/chains.js";
import { parseTask, parseTaskRequest } from "../request/parse.js";
import type { InputSource } from "../service/data-processor/edition.js";
import { moduleTaskSubmitSchema } from "../service/data-processor/editions.js";
import { type DevServerLimits, readAs } from "./body.js";
import type { ServerDatabase } from "./database.js";
import { canonicalHash, type ProgramStore } from "./program-store.js";
import { badRequest, MAX_ERRORS, tooLarge } from "./refusals.js";
import type { Request } from "./route.js";
import { chainNamed } from "./server-task.js";
import type { IncomingTask } from "./task-service.js";

const half = z.string().regex(/^0x[0-9a-fA-F]{1,32}$/, "expected 0x and at most 32 hex digits");
/** Body of `POST /tasks/decommitment`. */
export const decommitmentSchema = z.object({
  destination_chain_id: z.union([z.string(), z.number().int()]),
  atlantic_query_id: z.string().min(1),
  hdp_output: z
    .object({
      task_hash_low: half,
      task_hash_high: half,
      output_tree_root_low: half,
      output_tree_root_high: half,
      mmr_metas: z.array(z.record(z.unknown())).optional(),
    })
    .nullish(),
  program_hash: z.string().nullish(),
  webhook_url: z.string().nullish(),
});
const webhookSchema = z.object({ webhook_url: z.string().nullish() }).passthrough();

/** Reads the specification's body. @throws Refusal HDP-4518, HDP-4529; TaskRequestError with every error */
export function requestedTasks(
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

interface ModuleTaskOptions {
  readonly programs: ProgramStore;
  readonly database: ServerDatabase;
  readonly inputsFrom?: InputSource | undefined;
}

/** Reads the published body of a module task, and stores its class. @throws Refusal HDP-4518; TaskRequestError */
export async function moduleTask(
  request: Request,
  { programs, database, inputsFrom }: ModuleTaskOptions,
): Promise<IncomingTask> {
  const { json, compiledClass } = request;
  const body = readAs(moduleTaskSubmitSchema, json);
  const destinationChainId = destinationOf(body.destination_chain_id);
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
  if (inputsFrom === "params") requireProversInput(body, compiledClass !== undefined);
  const inputs = inputsOf(body, inputsFrom).map((input) =>
    typeof input === "string" ? { visibility: "public", value: input } : input,
  );
  const task = parseTask({
    type: "Module",
    programHash,
    inputs,
    injected_state: body.input.injected_state,
  });
  if (compiledClass !== undefined) await database.write(() => programs.put(compiledClass));
  const webhookUrl = body.webhook_url ?? undefined;
  return { edition: "module-tasks", request: { destinationChainId, tasks: [task] }, webhookUrl };
}

type ModuleTaskBody = z.output<typeof moduleTaskSubmitSchema>;
type BodyInput = NonNullable<ModuleTaskBody["input"]["params"]>[number];

/** Returns the arguments of a body: without a chosen source `input.params`, or `task_inputs` where these are empty. */
function inputsOf(
  { input: { params = [] }, task_inputs: listed }: ModuleTaskBody,
  source: InputSource | undefined,
): readonly BodyInput[] {
  if (source === "task_inputs") return listed ?? params;
  return params.length === 0 && source === undefined ? (listed ?? []) : params;
}

/** Throws for an input that the prover's own type does not parse. @throws Refusal HDP-4518 */
function requireProversInput({ input }: ModuleTaskBody, hasClass: boolean): void {
  const text = input.params?.findIndex((param) => typeof param === "string") ?? -1;
  if (text >= 0)
    throw badRequest(`input.params.${text}: expected { "visibility": "public", "value": "0x…" }`);
  if (!hasClass) throw badRequest("input.compiled_class: expected a whole compiled class");
  for (const member of ["params", "injected_state"] as const)
    if (input[member] === undefined) throw badRequest(`input.${member}: missing`);
}

/** Reads the body of a delivery. @throws Refusal HDP-4518 */
export function decommitment(body: z.output<typeof decommitmentSchema>): IncomingTask {
  const destinationChainId = destinationOf(body.destination_chain_id);
  const output = body.hdp_output ?? undefined;
  if (output === undefined)
    throw badRequest("hdp_output: this server reads no Atlantic storage. Send the output along");
  const joined = (low: string, high: string): Hex => toWord((BigInt(high) << 128n) + BigInt(low));
  const delivery = {
    taskHash: joined(output.task_hash_low, output.task_hash_high),
    word: joined(output.output_tree_root_low, output.output_tree_root_high),
    programHash: body.program_hash ?? undefined,
  };
  const webhookUrl = body.webhook_url ?? undefined;
  return {
    edition: "module-tasks",
    request: { destinationChainId, tasks: [] },
    webhookUrl,
    delivery,
  };
}

function destinationOf(chain: string | number): ChainIdentifier {
  const text = String(chain);
  const known = chainNamed(text);
  if (known !== undefined) return known;
  throw badRequest(
    `destination_chain_id: "${text.slice(0, 80)}" is not a known chain. Send an id, such as 0xaa36a7`,
  );
}

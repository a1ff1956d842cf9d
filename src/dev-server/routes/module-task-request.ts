import type { z } from "zod";

import { chainIdentifierOf, findChainIdentifier, type ChainIdentifier } from "../../request/chains.js";
import { parseTask } from "../../request/parse.js";
import type { TaskRequest } from "../../request/task.js";
import type { moduleTaskSubmitSchema } from "../../service/data-processor/module-tasks-edition.js";
import { FrontProblem, type HashedClass, refusalOf } from "../front-problem.js";
import type { ProgramStore } from "../program-store.js";

/**
 * The task request that a body of the published module shape stands for. A class in the body is stored first, as the
 * program that the task then names.
 *
 * @throws FrontProblem HDP-4522 or HDP-4523 (400), or the mistakes of its inputs.
 */
export async function moduleTaskRequest(
  body: z.output<typeof moduleTaskSubmitSchema>,
  compiledClass: HashedClass | undefined,
  programs: ProgramStore,
): Promise<{ readonly request: TaskRequest; readonly webhookUrl: string | undefined }> {
  const destinationChainId = destinationOf(body.destination_chain_id);
  if (typeof body.injected_state_server === "string") throw foreignStateServer(body.injected_state_server);
  const programHash = await programOf(body.program_hash ?? undefined, compiledClass, programs);
  // One published edition has the inputs in `task_inputs`, the others in `input.params`, there also as bare felts.
  const given = body.task_inputs ?? body.input.params ?? [];
  const inputs = given.map((input) => (typeof input === "string" ? { visibility: "public", value: input } : input));
  try {
    const task = parseTask({ type: "Module", programHash, inputs, injected_state: body.input.injected_state });
    return { request: { destinationChainId, tasks: [task] }, webhookUrl: body.webhook_url ?? undefined };
  } catch (error) {
    throw refusalOf(error);
  }
}

function foreignStateServer(address: string): FrontProblem {
  return new FrontProblem({
    code: "HDP-4535",
    status: 400,
    message: `injected_state_server is ${JSON.stringify(address.slice(0, 200))}: this front reads injected state from its own state server only.`,
    hints: ["Leave the member out, and make the trie here: POST /create_trie."],
  });
}

async function programOf(
  named: string | undefined,
  compiledClass: HashedClass | undefined,
  programs: ProgramStore,
): Promise<string> {
  if (compiledClass === undefined) {
    if (named !== undefined) return named;
    throw programProblem("neither program_hash nor input.compiled_class is given.");
  }
  const { hash } = compiledClass;
  if (named !== undefined && !isSameHash(named, hash)) {
    throw programProblem(`program_hash is ${named.slice(0, 80)}, but input.compiled_class has the hash ${hash}.`);
  }
  await programs.put(compiledClass);
  return hash;
}

function isSameHash(text: string, hash: string): boolean {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) && BigInt(text) === BigInt(hash);
}

function programProblem(message: string): FrontProblem {
  return new FrontProblem({
    code: "HDP-4522",
    status: 400,
    message,
    hints: ["Upload the class to /submit-program and name its hash, or send the class itself."],
  });
}

function destinationOf(chain: string | number): ChainIdentifier {
  const text = String(chain);
  const known = /^(0x[0-9a-fA-F]+|\d+)$/.test(text) ? chainIdentifierOf(BigInt(text)) : findChainIdentifier(text);
  if (known !== undefined) return known;
  throw new FrontProblem({
    code: "HDP-4523",
    status: 400,
    message: `destination_chain_id "${text.slice(0, 80)}" is no known chain.`,
    hints: ["A chain id as hex text (0xaa36a7) or number, of a chain that the specification names."],
  });
}

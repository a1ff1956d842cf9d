import type { Hex } from "viem";
import { z } from "zod";

import { formatFelt } from "../../base/felt.js";
import { type ChainIdentifier, numericChainId } from "../../request/chains.js";
import type {
  HttpClient,
  HttpReply,
  HttpRequestParts,
  ServiceCallOptions,
} from "../http/http-client.js";
import { isServiceFailure } from "../http/service-errors.js";
import { endpointCall, DATA_PROCESSOR_KEY } from "../endpoints.js";
import { moduleTaskAcceptedSchema, open, type Schema } from "./editions.js";
import { type DecommitmentOutput, runOutputBody } from "./run-output.js";

const recordFields = {
  status: z.string(),
  destinationChainId: z.string(),
  scheduleMode: z.string().nullish(),
  scheduleTxHash: z.string().nullish(),
  dataSourceChains: z.array(z.string()).nullish(),
  dataDestinationChain: z.string().nullish(),
  hdpCoreProgramHash: z.string().nullish(),
  taskHash: z.string().nullish(),
  programHash: z.string().nullish(),
  programName: z.string().nullish(),
  outputTreeRoot: z.string().nullish(),
  createdAt: z.string(),
  updatedAt: z.string(),
};

const text = z.string();
const count = z.number().int();
const mmrSchema = open({
  id: text,
  root: text,
  size: text,
  chain_id: text,
  hashing_function: text,
});

/** `GET /tasks/{uuid}/details`. */
export const moduleTaskDetailsSchema = open({
  taskId: z.string(),
  ...recordFields,
  outputTreeRootPreimage: z.array(z.string()).nullish(),
  taskInputs: z.unknown(),
  mmrs: z.array(mmrSchema).default([]),
});

/** A row of `GET /tasks`, in which the id is named `uuid`. */
const moduleTaskRowSchema = open({
  uuid: z.string(),
  contractClassHash: z.string().nullish(),
  ...recordFields,
});

/** `GET /tasks`. */
export const moduleTaskListSchema = open({
  tasks: z.array(moduleTaskRowSchema),
  pagination: open({ page: count, perPage: count, total: count, totalPages: count }),
});

/** `GET /tasks/{uuid}/mmrs`. */
export const moduleTaskMmrsSchema = open({ taskId: z.string(), mmrs: z.array(mmrSchema) });

/** `GET /tasks/{uuid}/output_preimage`. */
export const moduleTaskPreimageSchema = open({
  taskId: z.string(),
  outputPreimage: z.array(z.string()).nullable(),
});

/** `GET /tasks/{uuid}/state_transitions`. */
export const moduleTaskTransitionsSchema = open({
  taskId: z.string(),
  state_transitions: z.array(
    open({
      id: text,
      task_id: text,
      from_status: text.nullable(),
      to_status: text,
      created_at: text,
    }),
  ),
});

/** `GET /is-alive`, with 200 when healthy and 503 when not. */
export const moduleTaskHealthSchema = open({
  status: text,
  database: text.optional(),
  queues: text.optional(),
});

/** The service's record of a task. */
export type ModuleTaskDetails = z.infer<typeof moduleTaskDetailsSchema>;
/** A page of the service's list of tasks. */
export type ModuleTaskList = z.infer<typeof moduleTaskListSchema>;
/** The Merkle mountain ranges that a task used. */
export type ModuleTaskMmrs = z.infer<typeof moduleTaskMmrsSchema>;
/** The felts that a module returned. */
export type ModuleTaskPreimage = z.infer<typeof moduleTaskPreimageSchema>;
/** The states that a task passed. */
export type ModuleTaskTransitions = z.infer<typeof moduleTaskTransitionsSchema>;
/** The health of the service. */
export type ModuleTaskHealth = z.infer<typeof moduleTaskHealthSchema>;

/** A run at the prover whose result the service shall deliver. */
export interface Decommitment {
  readonly destinationChainId: ChainIdentifier;
  /** The run's id at the prover. */
  readonly queryId: string;
  /** What the run put out; the service fetches it by the id when left out. */
  readonly output?: DecommitmentOutput;
  /** Hash of the prover's program. */
  readonly programHash?: Hex;
  readonly webhookUrl?: string;
}

/** The reply to a decommitment, of which nothing is published: its id where it has one. */
const decommitmentReplySchema = open({ uuid: text.optional() });

/** Returns the published body of a decommitment. */
function decommitmentBody(given: Decommitment): Readonly<Record<string, unknown>> {
  const { destinationChainId, queryId, output, programHash, webhookUrl } = given;
  return {
    destination_chain_id: formatFelt(numericChainId(destinationChainId)),
    atlantic_query_id: queryId,
    ...(output !== undefined && { hdp_output: runOutputBody(output) }),
    ...(programHash !== undefined && { program_hash: programHash }),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  };
}

/** The wanted page of the list of tasks. */
export interface TaskListQuery {
  /** From 1. */
  readonly page?: number;
  /** 1 to 100; the service's default is 10. */
  readonly perPage?: number;
  /** Part of a task's id, program hash or program name. */
  readonly search?: string | undefined;
}

/** Client for the calls of API version `module-tasks` other than submission and status. Returns unchanged records. */
export class ModuleTasksClient {
  readonly #http: HttpClient;
  #asksForKey = false;

  public constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Returns the service's record of a task. */
  public async details(id: string, options?: ServiceCallOptions): Promise<ModuleTaskDetails> {
    return await this.#read(
      endpointCall("GET /tasks/{uuid}/details", id),
      moduleTaskDetailsSchema,
      options,
    );
  }

  /** Returns the Merkle mountain ranges that a task used. */
  public async mmrs(id: string, options?: ServiceCallOptions): Promise<ModuleTaskMmrs> {
    return await this.#read(
      endpointCall("GET /tasks/{uuid}/mmrs", id),
      moduleTaskMmrsSchema,
      options,
    );
  }

  /**
   * Returns the felts that a module returned, as the service says: null while the task is not completed. The stored root
   * does not fix their order, so that another order has the same root. `hdp.readResult` says how far they are believed.
   */
  public async outputPreimage(
    id: string,
    options?: ServiceCallOptions,
  ): Promise<ModuleTaskPreimage> {
    return await this.#read(
      endpointCall("GET /tasks/{uuid}/output_preimage", id),
      moduleTaskPreimageSchema,
      options,
    );
  }

  /** Returns the states that a task passed, oldest first. */
  public async stateTransitions(
    id: string,
    options?: ServiceCallOptions,
  ): Promise<ModuleTaskTransitions> {
    return await this.#read(
      endpointCall("GET /tasks/{uuid}/state_transitions", id),
      moduleTaskTransitionsSchema,
      options,
    );
  }

  /** Returns a page of the tasks, newest first. */
  public async list(
    wanted: TaskListQuery = {},
    options?: ServiceCallOptions,
  ): Promise<ModuleTaskList> {
    const { page, perPage, search } = wanted;
    const numbers = { hdp_tasks_page: page?.toString(), hdp_tasks_per_page: perPage?.toString() };
    const query = { ...numbers, hdp_tasks_search: search };
    return await this.#read(
      { ...endpointCall("GET /tasks"), query },
      moduleTaskListSchema,
      options,
    );
  }

  /**
   * Starts a failed task again: after a failed decommitment that stage alone, else everything. May cost money: never
   * repeated automatically when its outcome is unknown.
   */
  public async retry(
    id: string,
    options?: ServiceCallOptions,
  ): Promise<Readonly<{ uuid: string; raw: unknown }>> {
    const once = `Check with the status of task ${id}: a retry sets it back to Received.`;
    const parts = { ...endpointCall("POST /tasks/{uuid}/retry", id), once };
    const parse = (reply: HttpReply) => {
      const raw = reply.json();
      return { uuid: moduleTaskAcceptedSchema.parse(raw).uuid, raw };
    };
    return await this.#http.call(parts, parse, options);
  }

  /** Has the result of a run at the prover delivered. May cost money: never repeated when its outcome is unknown. */
  public async decommit(
    decommitment: Decommitment,
    options?: ServiceCallOptions,
  ): Promise<Readonly<{ uuid?: string | undefined; raw: unknown }>> {
    const once = `Check in the service's task list whether run ${decommitment.queryId} is delivered.`;
    const json = decommitmentBody(decommitment);
    const parts = { ...endpointCall("POST /tasks/decommitment"), json, once };
    const parse = (reply: HttpReply) => {
      const raw = reply.json();
      return { uuid: decommitmentReplySchema.parse(raw).uuid, raw };
    };
    return await this.#http.call(parts, parse, options);
  }

  /** Returns the health also of an unhealthy service: check `status`. */
  public async health(options?: ServiceCallOptions): Promise<ModuleTaskHealth> {
    const settles = (status: number, text: string): boolean =>
      status === 503 && text.startsWith("{");
    const parts = { ...endpointCall("GET /is-alive"), settles };
    return await this.#http.call(
      parts,
      (reply) => moduleTaskHealthSchema.parse(reply.json()),
      options,
    );
  }

  /** Reads without a key, as in the published documents, until the service requires one. */
  async #read<T>(
    parts: HttpRequestParts,
    schema: Schema<T>,
    options?: ServiceCallOptions,
  ): Promise<T> {
    const parse = (reply: HttpReply): T => schema.parse(reply.json());
    if (!this.#asksForKey) {
      try {
        return await this.#http.call(parts, parse, options);
      } catch (error) {
        if (!isServiceFailure(error) || error.status !== 401) throw error;
        this.#asksForKey = true;
      }
    }
    return await this.#http.call({ ...parts, key: DATA_PROCESSOR_KEY }, parse, options);
  }
}

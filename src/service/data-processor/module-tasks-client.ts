import type { HttpClient, HttpReply, HttpRequestParts, ServiceCallOptions } from "../http/http-client.js";
import { isAuthenticationError } from "../http/service-errors.js";
import {
  health,
  KEY,
  moduleTaskAcceptedSchema,
  type ModuleTaskDetails,
  moduleTaskDetailsSchema,
  type ModuleTaskHealth,
  moduleTaskHealthSchema,
  type ModuleTaskList,
  moduleTaskListSchema,
  type ModuleTaskMmrs,
  moduleTaskMmrsSchema,
  type ModuleTaskPreimage,
  moduleTaskPreimageSchema,
  type ModuleTaskTransitions,
  moduleTaskTransitionsSchema,
  taskList,
  type TaskListQuery,
  taskRead,
  taskRetry,
} from "./module-tasks-edition.js";

/** What edition `module-tasks` offers beside submitting and status. Records are returned as the service gives them. */
export interface ModuleTasks {
  details(id: string, options?: ServiceCallOptions): Promise<ModuleTaskDetails>;
  mmrs(id: string, options?: ServiceCallOptions): Promise<ModuleTaskMmrs>;
  /** `outputPreimage` is null while the task is not completed. */
  outputPreimage(id: string, options?: ServiceCallOptions): Promise<ModuleTaskPreimage>;
  /** Oldest first. */
  stateTransitions(id: string, options?: ServiceCallOptions): Promise<ModuleTaskTransitions>;
  list(query?: TaskListQuery, options?: ServiceCallOptions): Promise<ModuleTaskList>;
  /** Starts a failed task again. May cost money: never repeated by itself when its outcome is unknown. */
  retry(id: string, options?: ServiceCallOptions): Promise<{ readonly uuid: string; readonly raw: unknown }>;
  /** Answers also for an unhealthy service: look at `status`. */
  health(options?: ServiceCallOptions): Promise<ModuleTaskHealth>;
}

export class ModuleTasksClient implements ModuleTasks {
  readonly #http: HttpClient;
  #asksForKey = false;

  public constructor(http: HttpClient) {
    this.#http = http;
  }

  public async details(id: string, options?: ServiceCallOptions): Promise<ModuleTaskDetails> {
    return await this.#read(taskRead(id, "details"), (reply) => moduleTaskDetailsSchema.parse(reply.json()), options);
  }

  public async mmrs(id: string, options?: ServiceCallOptions): Promise<ModuleTaskMmrs> {
    return await this.#read(taskRead(id, "mmrs"), (reply) => moduleTaskMmrsSchema.parse(reply.json()), options);
  }

  public async outputPreimage(id: string, options?: ServiceCallOptions): Promise<ModuleTaskPreimage> {
    const parts = taskRead(id, "output_preimage");
    return await this.#read(parts, (reply) => moduleTaskPreimageSchema.parse(reply.json()), options);
  }

  public async stateTransitions(id: string, options?: ServiceCallOptions): Promise<ModuleTaskTransitions> {
    const parts = taskRead(id, "state_transitions");
    return await this.#read(parts, (reply) => moduleTaskTransitionsSchema.parse(reply.json()), options);
  }

  public async list(query: TaskListQuery = {}, options?: ServiceCallOptions): Promise<ModuleTaskList> {
    return await this.#read(taskList(query), (reply) => moduleTaskListSchema.parse(reply.json()), options);
  }

  public async retry(
    id: string,
    options?: ServiceCallOptions,
  ): Promise<{ readonly uuid: string; readonly raw: unknown }> {
    return await this.#http.call(
      taskRetry(id),
      (reply) => {
        const raw = reply.json();
        return { uuid: moduleTaskAcceptedSchema.parse(raw).uuid, raw };
      },
      options,
    );
  }

  public async health(options?: ServiceCallOptions): Promise<ModuleTaskHealth> {
    return await this.#http.call(health(), (reply) => moduleTaskHealthSchema.parse(reply.json()), options);
  }

  /** The published documents read without a key; a service that asks for one all the same is given it. */
  async #read<T>(parts: HttpRequestParts, parse: (reply: HttpReply) => T, options?: ServiceCallOptions): Promise<T> {
    if (!this.#asksForKey) {
      try {
        return await this.#http.call(parts, parse, options);
      } catch (error) {
        if (!isAuthenticationError(error) || error.status !== 401) throw error;
        this.#asksForKey = true;
      }
    }
    return await this.#http.call({ ...parts, key: KEY }, parse, options);
  }
}

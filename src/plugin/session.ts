import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import { ConnectedNetwork } from "./connected-network.js";
import { hdpError } from "../errors/hdp-error.js";
import { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import type { HdpConfig } from "./config/config.js";
import type { ConnectedProcessor } from "./connected-processor.js";

/** The part of a Hardhat runtime environment that all its connections share. */
export interface Project {
  readonly artifacts: HookContext["artifacts"];
  readonly config: HookContext["config"];
  readonly hooks: HookContext["hooks"];
  readonly network: HookContext["network"];
}

/** A project with the configuration of one of its networks. */
export interface ConfiguredProject {
  readonly project: { readonly config: Project["config"] };
  readonly config: HdpConfig;
}

/** Scope in which the functions of `hdp` work. Only functions that need a connection ask for the session. */
export interface Scope {
  readonly project: Project;
  readonly session: () => Promise<Session>;
}

type SelectProcessor = (session: Session) => Promise<ConnectedProcessor>;

/** One connection with its project, and all state that is kept for the connection. */
export class Session extends ConnectedNetwork implements Scope {
  /** Faults of the local data processor; undefined until {@link faults} is used. */
  public injected: FaultQueue | undefined;
  readonly #parts: object[] = [];
  #processor: Promise<ConnectedProcessor> | undefined;
  readonly #select: SelectProcessor;
  static readonly #all = new WeakMap<NetworkConnection<string>, Session>();

  public constructor(
    public readonly project: Project,
    connection: NetworkConnection<string>,
    select: SelectProcessor,
  ) {
    super(connection, project.hooks);
    this.#select = select;
    Session.#all.set(connection, this);
  }

  /** Returns the session of a connection, the same one for every caller. */
  public static of(connection: NetworkConnection<string>): Session {
    const session = this.#all.get(connection);
    if (session === undefined)
      throw new TypeError(`no session was begun for network "${connection.networkName}"`);
    return session;
  }

  /** Returns the session of a connection; undefined while the connection is being made. */
  public static find(connection: NetworkConnection<string>): Session | undefined {
    return this.#all.get(connection);
  }

  public readonly session = async (): Promise<Session> => await Promise.resolve(this);

  /** Returns the session of the connection that tasks and scripts share on a network; for its own name this session. */
  public async on(networkName: string): Promise<Session> {
    return networkName === this.networkName
      ? this
      : Session.of(await this.project.network.getOrCreate(networkName));
  }

  /** Returns this session's instance of a class, created on the first call. */
  public part<T extends object>(Part: new (session: Session) => T): T {
    const known = this.#parts.find((part): part is T => part instanceof Part);
    if (known !== undefined) return known;
    const made = new Part(this);
    this.#parts.push(made);
    return made;
  }

  /** Returns the data processor, selected once. @throws HdpError HDP-2001 for none, HDP-6060 for faults in a service */
  public async processor(): Promise<ConnectedProcessor> {
    // A node that did not answer is asked again by the next call.
    this.#processor ??= this.#select(this).catch((error: unknown) => {
      this.#processor = undefined;
      throw error;
    });
    const processor = await this.#processor;
    const { kind, description } = processor.info;
    if (kind === "remote" && this.injected !== undefined && this.injected.waiting.length > 0) {
      const what = "faults were injected into the local data processor";
      throw hdpError("HDP-6060", { what, network: this.networkName, description });
    }
    return processor;
  }

  public get faults(): FaultQueue {
    return (this.injected ??= new FaultQueue());
  }

  public get root(): string {
    return this.project.config.paths.root;
  }
}

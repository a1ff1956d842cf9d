/** A task that names its module by class, ready to be given to `hdp.run` or `hdp.submit`. */
export interface NamedModuleTask {
  readonly type: "Module";
  readonly module: {
    readonly class: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly visibility?: Readonly<Record<string, "public" | "private">>;
    readonly generation?: string;
  };
  readonly injected_state?: Readonly<Record<string, `0x${string}` | bigint>>;
  readonly [key: string]: unknown;
}

export interface NamedModuleOptions {
  /** Visibility by argument; public where none is given. */
  readonly visibility?: Readonly<Record<string, "public" | "private">> | undefined;
  /** Roots of the tries it may read and write, by label. */
  readonly injectedState?: Readonly<Record<string, `0x${string}` | bigint>> | undefined;
  /** Calling convention of a local run. */
  readonly generation?: string | undefined;
}

/** A module whose arguments are given by name. */
export interface NamedModule {
  /** The task with these arguments, each checked against its Cairo type when the task is read. */
  readonly args: (values?: Readonly<Record<string, unknown>>, options?: NamedModuleOptions) => NamedModuleTask;
}

/**
 * A module of the project, by the name of its contract or package, by the path of its compiled class, or by a folder
 * that has the class with its Sierra class.
 *
 * @example
 * const result = await hdp.run(module("Balance").args({ chain_id: 1, account, first_block: 4, last_block: 7 }));
 */
export function module(name: string): NamedModule {
  return {
    args: (values = {}, { visibility, injectedState, generation } = {}) => ({
      type: "Module",
      module: {
        class: name,
        arguments: values,
        ...(visibility === undefined ? {} : { visibility }),
        ...(generation === undefined ? {} : { generation }),
      },
      ...(injectedState === undefined ? {} : { injected_state: injectedState }),
    }),
  };
}

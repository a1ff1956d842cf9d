import type { Hex } from "viem";
import { keccak256 } from "viem/utils";

import { encodeTask } from "./encode.js";
import type { EncodeOptions } from "./encode.js";
import type { Task } from "./task.js";

/**
 * The hash under which an execution store keeps the result of a task, 32 bytes. The destination chain and a module's
 * private inputs are no part of it.
 *
 * @throws HDP-1118 when a module's program hash or input is not a felt
 * @example taskHash(blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg())
 */
export function taskHash(task: Task, options?: EncodeOptions): Hex {
  return keccak256(encodeTask(task, options));
}

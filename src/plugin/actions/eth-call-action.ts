import type { Abi, Address, Hex } from "viem";
import { decodeFunctionResult, encodeFunctionData } from "viem/utils";

import { HdpError } from "../../errors/hdp-error.js";
import { ethCallAnswer, ethCallInputs } from "../../compute/module-values.js";
import { outputRoot } from "../../request/merkle.js";
import { CHAIN_IDS } from "../../request/chains.js";
import { defaultDestination, parseDestination } from "../destination.js";
import { ethCallProgram } from "../eth-call-module.js";
import type { Scope, Session } from "../session.js";
import { runModules } from "./module-runs.js";
import { type RunOptions, type RunResult, submissionActions } from "./submission-actions.js";

/** A call of a view function: its data, or the function by its ABI. */
export type EthCallRequest = {
  readonly to: Address;
  /** The caller: by default the node's first account, as Hardhat has it, else 0. It has to exist at that block. */
  readonly from?: Address | undefined;
  /** State after this block, the latest by default. */
  readonly block?: bigint | undefined;
  /** Chain identifier of the contract's chain, by default the connection's own. */
  readonly chain?: string | undefined;
} & (
  | { readonly data: Hex; readonly abi?: undefined }
  | {
      readonly data?: undefined;
      readonly abi: Abi;
      readonly functionName: string;
      readonly args?: readonly unknown[] | undefined;
    }
);

/** A proven call: what it returned, and the finalized task behind it. */
export interface EthCallResult {
  /** False where the call reverted, or ran out of the 50,000,000 gas that it has. */
  readonly success: boolean;
  /** Return data, or what the revert says. */
  readonly data: Hex;
  readonly gasUsed: bigint;
  /** The decoded return value of a call by ABI that succeeded. */
  readonly value: unknown;
  readonly block: bigint;
  /** The task as any other: its hash, its stored word and its store. */
  readonly result: RunResult;
}

export interface EthCallActions {
  /**
   * Runs an `eth_call` by a module that has an EVM in it, over proven headers, accounts, storage and code, and finalizes
   * it. Contracts read the result by the task hash; the stored word is the root over what the module returned.
   *
   * @throws HdpError HDP-4424 without a module; a call that reverts is a result
   */
  readonly ethCall: (request: EthCallRequest, options?: RunOptions) => Promise<EthCallResult>;
}

const NO_SENDER: Address = "0x0000000000000000000000000000000000000000";

export function ethCallActions(scope: Scope): EthCallActions {
  return {
    ethCall: async (request, options) => {
      const session = await scope.session();
      const { to, abi } = request;
      const from = request.from ?? (await firstAccount(session));
      const data =
        abi === undefined
          ? request.data
          : encodeFunctionData({ abi, functionName: request.functionName, args: request.args ?? [] });
      const chain = request.chain === undefined ? await defaultDestination(session) : parseDestination(request.chain);
      const block = request.block ?? (await session.head());
      const task = {
        type: "Module" as const,
        programHash: await ethCallProgram(session),
        inputs: [...ethCallInputs({ chainId: CHAIN_IDS[chain], block, from, to, data })],
      };
      const result = await submissionActions(scope).run(task, options);
      // A service tells the stored word only: the same run here says what it is the root of.
      const output = result.output ?? (await runModules(task, session))[0]?.run.retdata ?? [];
      if (outputRoot(output) !== result.word) throw notTheRoot(result.word);
      const answer = ethCallAnswer(output);
      const value =
        abi !== undefined && answer.success
          ? decodeFunctionResult({
              abi,
              functionName: request.functionName,
              args: request.args ?? [],
              data: answer.data,
            })
          : undefined;
      return { ...answer, value, block, result };
    },
  };
}

/** A node need not tell of accounts. */
async function firstAccount(session: Session): Promise<Address> {
  const [first = NO_SENDER] = await session.accounts().catch(() => []);
  return first;
}

function notTheRoot(word: Hex): HdpError {
  return new HdpError({
    code: "HDP-4425",
    path: "hdp.local.ethCallModule",
    message: `the stored word ${word} is not the root over what the module returned here.`,
    hints: ['hdp.local.moduleResult has to be "output-root", and the service has to run the same class.'],
  });
}

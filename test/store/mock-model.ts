import { concatHex, type Hex, keccak256, numberToHex } from "viem";

import {
  batchFactHash,
  MOCK_MMR,
  type MockKind,
  satelliteFactHash,
} from "../../src/entries/store.js";
import { batchTree } from "../../src/request/merkle.js";
import type { ProofSettings } from "../../src/store/prove-batch.js";

/** One thing done to the mock. Tasks are module tasks without inputs, named by a small number: their program hash. */
export type Step = { readonly caller: number } & (
  | { readonly act: "request" | "requestInSatellite"; readonly task: number }
  | {
      readonly act: "finalize";
      readonly tasks: readonly number[];
      readonly values: readonly number[];
    }
  | { readonly act: "addOperator" | "removeOperator"; readonly account: number }
  | {
      readonly act: "registerBatch";
      readonly tasks: readonly number[];
      readonly values: readonly number[];
    }
  | {
      readonly act: "authenticate";
      readonly tasks: readonly number[];
      readonly values: readonly number[];
      /** What is claimed for the first task instead of its value. */
      readonly claim: number;
    }
  | {
      readonly act: "registerExecution" | "authenticateInSatellite";
      readonly task: number;
      readonly value: number;
      /** Whether in the shape of the development branch. */
      readonly develop: boolean;
    }
  | { readonly act: "enableProgram" | "disableProgram" }
  | { readonly act: "requireAuthentication" }
);

export const taskWord = (value: number): Hex => numberToHex(value, { size: 32 });

/** Hash of the module task: abi.encode(programHash, []). */
export function modelTaskHash(task: number): Hex {
  return keccak256(concatHex([taskWord(task + 1), taskWord(64), taskWord(0)]));
}

/** Fact of a satellite's execution without MMRs. */
export function executionFact(
  programHash: Hex,
  step: { task: number; value: number; develop: boolean },
): Hex {
  const keccakMmrs = step.develop ? [] : undefined;
  const result = { taskHash: modelTaskHash(step.task), word: taskWord(step.value) };
  return satelliteFactHash({ ...result, programHash, poseidonMmrs: [], keccakMmrs });
}

/** How a function that a contract does not have reverts. */
export const NO_FUNCTION = "no function";

/** What the mock should do, in plain TypeScript. Account 0 deployed it. */
export class MockModel {
  readonly operators = new Set([0]);
  readonly results = new Map<number, { status: 1 | 2; value: number }>();
  readonly #facts = new Set<Hex>();
  readonly #settings: ProofSettings;
  #programEnabled = true;
  #authenticOnly = false;

  public constructor(
    settings: ProofSettings,
    public readonly kind: MockKind,
  ) {
    this.#settings = settings;
  }

  /** Does a step; answers the name of the revert, or undefined when it goes through. */
  public do(step: Step): string | undefined {
    switch (step.act) {
      case "request":
        return this.kind === "execution-store" ? this.#schedule(step.task) : NO_FUNCTION;
      case "requestInSatellite":
        if (this.kind === "execution-store") return NO_FUNCTION;
        return this.results.get(step.task)?.status === 2 ? undefined : this.#schedule(step.task);
      case "finalize":
        if (!this.operators.has(step.caller)) return "Unauthorized";
        if (this.#authenticOnly) return "MockPlainFinalizingDisabled";
        if (step.tasks.length !== step.values.length) return "MockLengthMismatch";
        this.#store(step.tasks, step.values);
        return undefined;
      case "addOperator":
      case "removeOperator":
        if (!this.operators.has(step.caller)) return "AccessControlUnauthorizedAccount";
        if (step.act === "addOperator") this.operators.add(step.account);
        else this.operators.delete(step.account);
        return undefined;
      case "registerBatch":
        if (step.caller !== 0) return "Unauthorized";
        this.#facts.add(this.batchFact(step.tasks, step.values));
        return undefined;
      case "authenticate":
        if (!this.operators.has(step.caller)) return "Unauthorized";
        if (!this.#facts.has(this.batchFact(step.tasks, step.values))) return "InvalidFact";
        if (step.claim !== step.values[0]) return "NotInBatch";
        this.#store(step.tasks, step.values);
        return undefined;
      case "registerExecution":
        if (step.caller !== 0) return "Unauthorized";
        this.#facts.add(executionFact(this.#settings.programHash, step));
        return undefined;
      case "authenticateInSatellite":
        if (step.develop !== (this.kind === "satellite-develop")) return NO_FUNCTION;
        if (this.results.get(step.task)?.status === 2) return "TaskAlreadyFinalized";
        if (!this.#programEnabled) return "UnauthorizedProgramHash";
        if (!this.#facts.has(executionFact(this.#settings.programHash, step))) return "InvalidFact";
        this.#store([step.task], [step.value]);
        return undefined;
      case "enableProgram":
      case "disableProgram":
        if (step.caller !== 0) return "MustBeContractOwner";
        this.#programEnabled = step.act === "enableProgram";
        return undefined;
      case "requireAuthentication":
        if (!this.operators.has(step.caller)) return "Unauthorized";
        this.#authenticOnly = true;
        return undefined;
    }
  }

  public batchFact(tasks: readonly number[], values: readonly number[]): Hex {
    return batchFactHash(
      batchTree(tasks.map(modelTaskHash), values.map(taskWord)),
      this.#settings,
      MOCK_MMR,
    );
  }

  #schedule(task: number): string | undefined {
    if (this.results.has(task)) return "DoubleRegistration";
    this.results.set(task, { status: 1, value: 0 });
    return undefined;
  }

  #store(tasks: readonly number[], values: readonly number[]): void {
    tasks.forEach((task, index) =>
      this.results.set(task, { status: 2, value: values[index] ?? 0 }),
    );
  }
}

import { expect } from "chai";
import fc from "fast-check";
import { concatHex, encodeFunctionData, type Hex, keccak256, toHex } from "viem";

import { batchTree, splitWord } from "../../src/entries/request.js";
import {
  hdpExecutionStoreMockAbi as abi,
  hdpFactsRegistryMockAbi,
  hdpSatelliteDevelopAbi,
  MOCK_MMR,
  MOCK_PROGRAM_HASH,
  type MockKind,
  proveBatch,
} from "../../src/entries/store.js";
import { FAMILIES, MOCK_KINDS, STORE_KINDS } from "../../src/store/execution-store.js";
import { type ProofSettings, readProofSettings } from "../../src/store/prove-batch.js";
import { decodeRevert, revertData } from "../../src/store/reverts.js";
import { type Chain, createChain, deployMock } from "./harness.js";
import {
  executionFact,
  MockModel,
  modelTaskHash,
  NO_FUNCTION,
  type Step,
  taskWord,
} from "./mock-model.js";

const TASKS = 6;
/** 2,000 in the suite; set HDP_MODEL_STEPS=10000 for the full run. */
const STEPS = Number(process.env["HDP_MODEL_STEPS"] ?? "2000");
const OPERATOR_ROLE = keccak256(toHex("OPERATOR_ROLE"));

const task = fc.nat({ max: TASKS - 1 });
const value = fc.nat({ max: 3 });
const develop = fc.boolean();
const account = fc.constantFrom(0, 0, 1, 2);
const pairs = fc
  .uniqueArray(fc.tuple(task, value), { minLength: 1, maxLength: 2, selector: ([first]) => first })
  .map((list) => ({
    tasks: list.map(([first]) => first),
    values: list.map(([, second]) => second),
  }));
const act = <T extends string, P extends object>(name: T, parts: fc.Arbitrary<P>) =>
  fc.tuple(account, parts).map(([caller, rest]) => ({ caller, act: name, ...rest }));

const doings = [
  { weight: 30, arbitrary: act("request", fc.record({ task })) },
  { weight: 30, arbitrary: act("requestInSatellite", fc.record({ task })) },
  { weight: 30, arbitrary: act("finalize", pairs) },
  {
    weight: 10,
    arbitrary: act(
      "finalize",
      fc.record({ tasks: fc.constant([0]), values: fc.constant<number[]>([]) }),
    ),
  },
  { weight: 20, arbitrary: act("addOperator", fc.record({ account: fc.constantFrom(1, 2) })) },
  { weight: 20, arbitrary: act("removeOperator", fc.record({ account: fc.constantFrom(1, 2) })) },
  { weight: 40, arbitrary: act("registerBatch", pairs) },
  {
    weight: 60,
    arbitrary: fc
      .tuple(act("authenticate", pairs), fc.option(value))
      .map(([batch, claim]) => ({ ...batch, claim: claim ?? batch.values[0] ?? 0 })),
  },
  { weight: 40, arbitrary: act("registerExecution", fc.record({ task, value, develop })) },
  { weight: 60, arbitrary: act("authenticateInSatellite", fc.record({ task, value, develop })) },
  { weight: 15, arbitrary: act("enableProgram", fc.constant({})) },
  { weight: 10, arbitrary: act("disableProgram", fc.constant({})) },
  { weight: 2, arbitrary: act("requireAuthentication", fc.constant({})) },
] satisfies { weight: number; arbitrary: fc.Arbitrary<Step> }[];
const step = fc.oneof(...doings) as fc.Arbitrary<Step>;

/** The call that does a step. */
function encodeStep(
  doing: Step,
  store: Hex,
  settings: ProofSettings,
  kind: MockKind,
  accounts: readonly Hex[],
): { to: Hex; data: Hex } {
  const call = (
    ...args: Parameters<typeof encodeFunctionData<typeof abi | typeof hdpSatelliteDevelopAbi>>
  ): { to: Hex; data: Hex } => ({
    to: store,
    data: encodeFunctionData(...args),
  });
  const register = (fact: Hex): { to: Hex; data: Hex } => ({
    to: settings.factsRegistry,
    data: encodeFunctionData({
      abi: hdpFactsRegistryMockAbi,
      functionName: "registerFact",
      args: [fact],
    }),
  });
  switch (doing.act) {
    case "request":
    case "requestInSatellite":
      return call({
        abi,
        functionName:
          doing.act === "request"
            ? "requestExecutionOfModuleTask"
            : "requestDataProcessorExecutionOfTask",
        args: [{ programHash: taskWord(doing.task + 1), inputs: [] }],
      });
    case "finalize":
      return call({
        abi,
        functionName: "finalizeTasks",
        args: [doing.tasks.map(modelTaskHash), doing.values.map(taskWord)],
      });
    case "addOperator":
    case "removeOperator":
      return call({
        abi,
        functionName: doing.act === "addOperator" ? "grantRole" : "revokeRole",
        args: [OPERATOR_ROLE, accounts[doing.account] ?? "0x"],
      });
    case "registerBatch":
      return register(new MockModel(settings, kind).batchFact(doing.tasks, doing.values));
    case "registerExecution":
      return register(executionFact(settings.programHash, doing));
    case "authenticate": {
      const tree = batchTree(doing.tasks.map(modelTaskHash), doing.values.map(taskWord));
      const [tasks, results] = [splitWord(tree.tasksRoot), splitWord(tree.resultsRoot)];
      return call({
        abi,
        functionName: "authenticateTaskExecution",
        args: [
          [MOCK_MMR.id],
          [MOCK_MMR.size],
          tasks.low,
          tasks.high,
          results.low,
          results.high,
          tree.taskProofs,
          tree.resultProofs,
          doing.tasks.map(modelTaskHash),
          [doing.claim, ...doing.values.slice(1)].map(taskWord),
        ],
      });
    }
    case "authenticateInSatellite": {
      const hash = splitWord(modelTaskHash(doing.task));
      const taskData = {
        taskResultLow: BigInt(doing.value),
        taskResultHigh: 0n,
        taskHashLow: hash.low,
        taskHashHigh: hash.high,
        programHash: settings.programHash,
      };
      const functionName = "authenticateDataProcessorTaskExecution";
      return doing.develop
        ? call({
            abi: hdpSatelliteDevelopAbi,
            functionName,
            args: [{ ...taskData, mmrData: { poseidonMmr: [], keccakMmr: [] } }],
          })
        : call({ abi, functionName, args: [{ ...taskData, mmrData: [] }] });
    }
    case "enableProgram":
      return call({ abi, functionName: "setDataProcessorProgramHash", args: [MOCK_PROGRAM_HASH] });
    case "disableProgram":
      return call({ abi, functionName: "disableProgramHashes", args: [[MOCK_PROGRAM_HASH]] });
    case "requireAuthentication":
      return call({ abi, functionName: "requireAuthentication" });
  }
}

describe("the execution store mock and its model", () => {
  let chain: Chain;

  before(async () => {
    chain = await createChain();
  });

  after(async () => {
    await chain.close();
  });

  it(`behave alike over ${STEPS.toString()} random steps`, async function () {
    this.timeout(180_000);
    let done = 0;
    const reverts = new Set<string>();
    const length = 100;
    const runs = fc.array(step, { minLength: length, maxLength: length, size: "max" });
    await fc.assert(
      fc.asyncProperty(runs, fc.constantFrom(...MOCK_KINDS), async (steps, kind) => {
        const mock = await deployMock(chain, kind);
        // One proven batch sets the MMR up, and is itself the first thing both have done.
        const { factHash } = await proveBatch({
          provider: chain.provider,
          store: mock.address,
          results: [{ taskHash: modelTaskHash(0), word: taskWord(1) }],
        });
        const settings = await readProofSettings(chain.provider, mock.address, MOCK_MMR);
        const model = new MockModel(settings, kind);
        if (kind === "satellite-develop")
          model.do({ caller: 0, act: "finalize", tasks: [0], values: [1] });
        else {
          expect(factHash).to.equal(model.batchFact([0], [1]));
          model.do({ caller: 0, act: "registerBatch", tasks: [0], values: [1] });
          model.do({ caller: 0, act: "authenticate", tasks: [0], values: [1], claim: 1 });
        }
        for (const doing of steps) {
          const expected = model.do(doing);
          const from = chain.accounts[doing.caller];
          const call = encodeStep(doing, mock.address, settings, kind, chain.accounts);
          const actual = await attempt(chain, { ...call, from });
          expect(actual, JSON.stringify(doing)).to.equal(expected);
          if (expected !== undefined) reverts.add(expected);
          done++;
        }
        await compareResults(chain, mock.address, model);
      }),
      { numRuns: STEPS / length, endOnFailure: true },
    );
    expect(done).to.equal(STEPS);
    expect([...reverts]).to.include.members([
      "Unauthorized",
      "AccessControlUnauthorizedAccount",
      "DoubleRegistration",
      "InvalidFact",
      "NotInBatch",
      "TaskAlreadyFinalized",
      "UnauthorizedProgramHash",
      "MustBeContractOwner",
      NO_FUNCTION,
    ]);
  });
});

/** Sends a step; the name of its revert, or undefined. */
async function attempt(chain: Chain, transaction: object): Promise<string | undefined> {
  try {
    await chain.provider.request({
      method: "eth_sendTransaction",
      params: [{ ...transaction, gas: "0xf4240" }],
    });
    return undefined;
  } catch (error) {
    const data = revertData(error);
    if (data === undefined) throw error;
    return revertName(data);
  }
}

function revertName(data: Hex): string | undefined {
  return data === "0x" ? NO_FUNCTION : decodeRevert(data).name;
}

/** Status and word of every task by the names of the mock's kind; the names of the other kind don't exist. */
async function compareResults(chain: Chain, store: Hex, model: MockModel): Promise<void> {
  const call = async (data: Hex): Promise<unknown> =>
    await chain.provider
      .request({ method: "eth_call", params: [{ to: store, data }, "latest"] })
      .catch((error: unknown) => {
        const data = revertData(error);
        if (data === undefined) throw error;
        return revertName(data);
      });
  for (let index = 0; index < TASKS; index++) {
    const expected = model.results.get(index);
    const args = [modelTaskHash(index)] as const;
    const word = expected?.status === 2 ? taskWord(expected.value) : "NotFinalized";
    for (const kind of STORE_KINDS) {
      const { status, result } = FAMILIES[kind];
      const exists = (kind === "execution-store") === (model.kind === "execution-store");
      expect(await call(concatHex([status.selector, ...args]))).to.equal(
        exists ? taskWord(expected?.status ?? 0) : NO_FUNCTION,
      );
      expect(await call(concatHex([result.selector, ...args]))).to.equal(
        exists ? word : NO_FUNCTION,
      );
    }
    const cached = await call(encodeFunctionData({ abi, functionName: "cachedTasksResult", args }));
    const both = concatHex([taskWord(expected?.status ?? 0), taskWord(expected?.value ?? 0)]);
    expect(cached).to.equal(model.kind === "execution-store" ? both : NO_FUNCTION);
  }
}

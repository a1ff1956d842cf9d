import { expect } from "chai";
import {
  type Account,
  type BigNumberish,
  type CairoAssembly,
  CallData,
  type CompiledSierra,
  json,
  RpcProvider,
} from "starknet";
import { type Hex, numberToHex } from "viem";

import {
  MOCK_MMR,
  type SatelliteExecution,
  type StarknetAccountOptions,
  openStarknetExecutionStore,
} from "../../src/entries/store.js";
import { executed, TRANSACTION } from "../../src/store/starknet/starknet-transactions.js";
import { openAccount } from "../../src/store/starknet/starknet-account.js";
import { mulberry32 } from "../../src/submission/backend/faults/chaos.js";
import { cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import { MOCK_FILES, shippedMock } from "../../scripts/starknet/mock-class.js";
import { type BuiltContract, scarbBuild } from "../../scripts/starknet/scarb-build.js";
import { StarknetDevnet } from "../support/starknet-devnet.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";
import { starknetFact, taskData } from "./satellite-facts.js";

const AUTHENTICATE = "authenticateDataProcessorTaskExecution";
const PROGRAM: Hex = "0x59874649ccc5a0a15ee77538f1eb760acb88cab027a2d48f4246bf17b7b7694";
const random = mulberry32(22);

type Mmr = SatelliteExecution["poseidonMmrs"][number];

/** A number below 2^bits. */
function below(bits: number): bigint {
  let number = 0n;
  for (let done = 0; done < bits; done += 16)
    number = (number << 16n) | BigInt(Math.floor(random() * 65536));
  return BigInt.asUintN(bits, number);
}

/** As many MMRs, all of them different. Poseidon roots are felts. */
function mmrs(count: number, rootBits: 251 | 256): Mmr[] {
  return Array.from({ length: count }, () => ({
    id: below(200),
    size: below(64),
    chainId: below(80),
    root: numberToHex(below(rootBits) | 1n, { size: 32 }),
  }));
}

function execution(poseidon: number, keccak?: number): SatelliteExecution {
  return {
    taskHash: numberToHex(below(256), { size: 32 }),
    word: numberToHex(below(256), { size: 32 }),
    programHash: PROGRAM,
    poseidonMmrs: mmrs(poseidon, 251),
    keccakMmrs: keccak === undefined ? undefined : mmrs(keccak, 256),
  };
}

const KINDS = {
  published: [execution(0), execution(1), execution(2), execution(5)],
  develop: [execution(0, 0), execution(1, 0), execution(0, 1), execution(3, 2)],
};

describe("facts of executions in satellites on Starknet", function () {
  this.timeout(600_000);

  let devnet: StarknetDevnet;
  let provider: RpcProvider;
  let account: Account;
  let tools: StarknetTools;

  before(async function () {
    tools = starknetToolsOrSkip(this);
    devnet = await StarknetDevnet.start(tools);
    const { address, privateKey } = await devnet.account();
    const options: StarknetAccountOptions = {
      rpcUrl: devnet.rpcUrl,
      accountAddress: address,
      privateKey: () => privateKey,
    };
    account = await openAccount(options);
    provider = new RpcProvider({ nodeUrl: devnet.rpcUrl });
  });

  after(async () => {
    // Unset where the tools are missing.
    await (devnet as StarknetDevnet | undefined)?.end();
  });

  for (const [kind, executions] of Object.entries(KINDS)) {
    describe(kind, () => {
      let sierra: CompiledSierra;
      let store: string;

      async function send(
        ...calls: readonly (readonly [string, Record<string, unknown>])[]
      ): Promise<void> {
        const codec = new CallData(sierra.abi);
        const sent = await account.execute(
          calls.map(([entrypoint, args]) => ({
            contractAddress: store,
            entrypoint,
            calldata: codec.compile(entrypoint, args as Record<string, BigNumberish>),
          })),
          TRANSACTION,
        );
        await executed(account, sent.transaction_hash);
      }

      async function fact_hash_of(one: SatelliteExecution): Promise<bigint> {
        const calldata = new CallData(sierra.abi).compile("fact_hash_of", {
          task_data: taskData(one) as never,
        });
        const [fact = "0x0"] = await provider.callContract({
          contractAddress: store,
          entrypoint: "fact_hash_of",
          calldata,
        });
        return BigInt(fact);
      }

      async function refusal(one: SatelliteExecution): Promise<string> {
        return await send([AUTHENTICATE, { task_data: taskData(one) }]).then(
          () => "accepted",
          (error: unknown) => String(error),
        );
      }

      before(async () => {
        const built = kind === "published" ? undefined : await developClass(tools);
        sierra = json.parse(built?.sierra ?? shippedMock()[MOCK_FILES[0]]) as CompiledSierra;
        const { compiledClassHash } = JSON.parse(shippedMock()["class-hashes.json"]) as {
          compiledClassHash: string;
        };
        const compiled =
          built === undefined
            ? { compiledClassHash }
            : { casm: json.parse(built.casm) as CairoAssembly };
        const declared = await account.declareIfNot({ contract: sierra, ...compiled }, TRANSACTION);
        if (declared.transaction_hash !== "") await executed(account, declared.transaction_hash);
        const payload = { classHash: declared.class_hash, constructorCalldata: [account.address] };
        const { transaction_hash: sent, contract_address: address } = await account.deployContract(
          payload,
          TRANSACTION,
        );
        await executed(account, sent);
        store = address;
        const roots = executions.flatMap(({ poseidonMmrs, keccakMmrs = [] }) => [
          ...poseidonMmrs.map((mmr) => ["set_mmr_root", rootArguments(mmr)] as const),
          ...keccakMmrs.map((mmr) => ["set_keccak_mmr_root", rootArguments(mmr)] as const),
        ]);
        await send(["setDataProcessorProgramHash", { program_hash: PROGRAM }], ...roots);
      });

      it("match those that TypeScript computes", async () => {
        for (const one of executions) expect(await fact_hash_of(one)).to.equal(starknetFact(one));
      });

      it("finalize, each its own execution and once", async () => {
        const reader = await openStarknetExecutionStore({ rpcUrl: devnet.rpcUrl, address: store });
        for (const [position, one] of executions.entries()) {
          expect(await refusal(one)).to.contain("Invalid fact");
          await send(["register_fact", { fact_hash: starknetFact(one) }]);
          const changed = { ...one, word: numberToHex(BigInt(one.word) ^ 1n, { size: 32 }) };
          expect(await refusal(changed)).to.contain("Invalid fact");
          expect(
            await refusal({ ...one, poseidonMmrs: [...one.poseidonMmrs, unknownMmr] }),
          ).to.contain("InvalidMmrRoot");
          expect(await reader.status(one.taskHash)).to.equal("none");
          await send([AUTHENTICATE, { task_data: taskData(one, BigInt(position)) }]);
          expect((await reader.readResult(one.taskHash)).word).to.equal(one.word);
          expect(await refusal(one)).to.contain("TaskAlreadyFinalized");
        }
      });

      it("encode as the satellite reads them", () => {
        const one = executions.at(-1);
        if (one === undefined) throw new Error("No execution.");
        const codec = new CallData(sierra.abi);
        const felts = codec.compile(AUTHENTICATE, { task_data: taskData(one, 5n) as never });
        expect(felts.map(BigInt)).to.deep.equal(publishedLayout(one, 5n));
      });
    });
  }
});

const unknownMmr: Mmr = { ...MOCK_MMR, chainId: 1n };

function rootArguments({ chainId, id, size, root }: Mmr): Record<string, unknown> {
  return { chain_id: chainId, mmr_id: id, mmr_size: size, mmr_root: BigInt(root) };
}

/** The felts of `TaskData` in the published sources: see the layouts of the satellite's `IDataProcessor`. */
function publishedLayout(one: SatelliteExecution, moduleHash: bigint): bigint[] {
  const halves = (value: bigint): bigint[] => [BigInt.asUintN(128, value), value >> 128n];
  const list = (found: readonly Mmr[]): bigint[] => [
    BigInt(found.length),
    ...found.flatMap(({ chainId, id, size }) => [chainId, id, size].flatMap(halves)),
  ];
  const { poseidonMmrs, keccakMmrs, word, taskHash, programHash } = one;
  return [
    ...list(poseidonMmrs),
    ...(keccakMmrs === undefined ? [] : list(keccakMmrs)),
    ...halves(BigInt(word)),
    ...halves(BigInt(taskHash)),
    ...(keccakMmrs === undefined ? halves(moduleHash) : []),
    BigInt(programHash),
  ];
}

/** The mock of the development branch, which is not shipped compiled. */
async function developClass(tools: StarknetTools): Promise<BuiltContract> {
  const stem = "hardhat_hdp_testing_SatelliteDevelopMock";
  return await scarbBuild(tools, cairoPackages(), stem, { package: "hardhat_hdp_testing" });
}

import { readFileSync } from "node:fs";
import { join } from "node:path";

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
import type { Hex } from "viem";

import { HDP_FORM } from "../../src/entries/request.js";
import {
  MOCK_MMR,
  MOCK_PROGRAM_HASH,
  openStarknetExecutionStore,
  type SatelliteExecution,
} from "../../src/entries/store.js";
import { executed, TRANSACTION } from "../../src/store/starknet/starknet-transactions.js";
import { openAccount } from "../../src/store/starknet/starknet-account.js";
import { cairoPackages } from "../../scripts/starknet/cairo-packages.js";
import { MOCK_FILES, shippedMock } from "../../scripts/starknet/mock-class.js";
import { type BuiltContract, scarbBuild } from "../../scripts/starknet/scarb-build.js";
import { root } from "../support/hardhat-cli.js";
import { removeProject, testProject } from "../support/remote-project.js";
import { StarknetDevnet } from "../support/starknet-devnet.js";
import { type StarknetTools, starknetToolsOrSkip } from "../support/starknet-tools.js";
import { starknetFact, taskData } from "./satellite-facts.js";

const AUTHENTICATE = "authenticateDataProcessorTaskExecution";
/** The task of the project that hdp:init writes. */
const TASK = join(root, "templates", "project", "tasks", "fee.json");
const MMR = { ...MOCK_MMR, chainId: 11_155_111n };
const PACKAGES = "node_modules/hardhat-hdp/contracts/starknet/";

/** A declared class, deployed. */
interface Deployed {
  readonly address: string;
  readonly sierra: CompiledSierra;
}

/** A task's result as a service of today finalizes it. */
interface FirstResult {
  readonly hash: Hex;
  readonly form: number;
  readonly word: Hex;
  readonly value: bigint;
}

describe("the first task on Starknet", function () {
  this.timeout(600_000);

  let devnet: StarknetDevnet;
  let account: Account;
  let tools: StarknetTools;

  before(async function () {
    tools = starknetToolsOrSkip(this);
    devnet = await StarknetDevnet.start(tools);
    const { address, privateKey } = await devnet.account();
    account = await openAccount({
      rpcUrl: devnet.rpcUrl,
      accountAddress: address,
      privateKey: () => privateKey,
    });
  });

  after(async () => {
    // Unset where the tools are missing.
    await (devnet as StarknetDevnet | undefined)?.end();
  });

  async function deploy(
    sierra: CompiledSierra,
    compiled: { compiledClassHash: string } | { casm: CairoAssembly },
    constructorCalldata: readonly BigNumberish[],
  ): Promise<Deployed> {
    const declared = await account.declareIfNot({ contract: sierra, ...compiled }, TRANSACTION);
    if (declared.transaction_hash !== "") await executed(account, declared.transaction_hash);
    const payload = {
      classHash: declared.class_hash,
      constructorCalldata: [...constructorCalldata],
    };
    const { transaction_hash: sent, contract_address: address } = await account.deployContract(
      payload,
      TRANSACTION,
    );
    await executed(account, sent);
    return { address, sierra };
  }

  async function deploySatellite(): Promise<Deployed> {
    const shipped = shippedMock();
    const { compiledClassHash } = JSON.parse(shipped["class-hashes.json"]) as {
      compiledClassHash: string;
    };
    const sierra = json.parse(shipped[MOCK_FILES[0]]) as CompiledSierra;
    return await deploy(sierra, { compiledClassHash }, [account.address]);
  }

  /** Deploys the gate of the example, which takes values by the component. */
  async function deployGate(store: string, { hash, form }: FirstResult): Promise<Deployed> {
    const { sierra, casm } = await feeGateClass(tools);
    const halves = [BigInt.asUintN(128, BigInt(hash)), BigInt(hash) >> 128n];
    const parsed = { casm: json.parse(casm) as CairoAssembly };
    return await deploy(json.parse(sierra) as CompiledSierra, parsed, [store, ...halves, form]);
  }

  async function send(
    { address: contractAddress, sierra }: Deployed,
    entrypoint: string,
    args: Record<string, unknown>,
  ): Promise<void> {
    const calldata = new CallData(sierra.abi).compile(
      entrypoint,
      args as Record<string, BigNumberish>,
    );
    const sent = await account.execute([{ contractAddress, entrypoint, calldata }], TRANSACTION);
    await executed(account, sent.transaction_hash);
  }

  async function refusal(gate: Deployed, average: bigint): Promise<string> {
    return await send(gate, "update", { average }).then(
      () => "accepted",
      (error: unknown) => String(error),
    );
  }

  async function isOpen({ address: contractAddress }: Deployed): Promise<boolean> {
    const call = { contractAddress, entrypoint: "is_open" };
    const [open = "0x0"] = await new RpcProvider({ nodeUrl: devnet.rpcUrl }).callContract(call);
    return BigInt(open) === 1n;
  }

  it("finalizes it by its facts in a satellite, and the component takes its value and no other", async () => {
    const result = await firstResult();
    expect(result.form).to.equal(HDP_FORM.module);
    const satellite = await deploySatellite();
    const gate = await deployGate(satellite.address, result);
    expect(await refusal(gate, result.value)).to.contain("TASK_NOT_FINALIZED");

    const { hash: taskHash, word } = result;
    const execution: SatelliteExecution = {
      taskHash,
      word,
      programHash: MOCK_PROGRAM_HASH,
      poseidonMmrs: [MMR],
    };
    const { chainId, id, size, root: mmrRoot } = MMR;
    const mmr = { chain_id: chainId, mmr_id: id, mmr_size: size, mmr_root: BigInt(mmrRoot) };
    await send(satellite, "setDataProcessorProgramHash", { program_hash: MOCK_PROGRAM_HASH });
    await send(satellite, "set_mmr_root", mmr);
    await send(satellite, "register_fact", { fact_hash: starknetFact(execution) });
    await send(satellite, AUTHENTICATE, { task_data: taskData(execution) });

    const { rpcUrl } = devnet;
    const reader = await openStarknetExecutionStore({ rpcUrl, address: satellite.address });
    expect((await reader.readResult(taskHash)).word).to.equal(word);
    expect(await refusal(gate, result.value + 1n)).to.contain("wrong value");
    expect(await refusal(gate, BigInt(word))).to.contain("wrong value");
    expect(await isOpen(gate)).to.equal(false);
    await send(gate, "update", { average: result.value });
    expect(await isOpen(gate)).to.equal(true);
  });
});

/** Runs the task here as the first project's configuration says. */
async function firstResult(): Promise<FirstResult> {
  const project = await testProject({ hdp: { local: { edition: "module-tasks" } } });
  const connection = await project.hre.network.create();
  try {
    const { hash, form } = await connection.hdp.task(TASK);
    const [{ value, word }] = await connection.hdp.run(TASK);
    return { hash, form, word, value };
  } finally {
    await connection.close();
    await removeProject(project);
  }
}

/** Builds the gate of examples/one-task-three-tests. */
async function feeGateClass(tools: StarknetTools): Promise<BuiltContract> {
  const source = join(root, "examples", "one-task-three-tests", "cairo", "src", "fee_gate.cairo");
  const manifest = `[package]
name = "fee_gate"
version = "0.1.0"
edition = "2024_07"

[dependencies]
starknet = ">=2.13.1"
hardhat_hdp = { path = "${PACKAGES}hardhat_hdp" }

[[target.starknet-contract]]
sierra = true
casm = true
`;
  const files = {
    ...cairoPackages(PACKAGES),
    "Scarb.toml": manifest,
    "src/lib.cairo": readFileSync(source, "utf8"),
  };
  return await scarbBuild(tools, files, "fee_gate_FeeGate");
}

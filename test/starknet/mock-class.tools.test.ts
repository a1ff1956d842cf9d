import { expect } from "chai";
import { cairo, CallData, type CompiledSierra, hash, json } from "starknet";
import { z } from "zod";

import { buildMock, MOCK_FILES, shippedMock } from "../../scripts/starknet/mock-class.js";
import { COMMITTED_SCARB } from "../../scripts/starknet/scarb-build.js";
import { starknetToolsOrSkip } from "../support/starknet-tools.js";

const artifacts = shippedMock();
const [sierraFile, hashesFile] = MOCK_FILES;
const shipped = artifacts[sierraFile];

describe("the shipped class of the Cairo mock", function () {
  this.timeout(600_000);

  it("equals what Scarb builds from the sources, byte for byte, and has the hashes of its compiled class", async function () {
    const tools = starknetToolsOrSkip(this);
    if (tools.versions.scarb !== COMMITTED_SCARB) {
      console.log(
        `      skipped: the class is built with Scarb ${COMMITTED_SCARB}, and this is ${tools.versions.scarb}`,
      );
      this.skip();
    }
    expect(await buildMock(tools)).to.deep.equal(artifacts);
  });

  it("hashes to class-hashes.json", () => {
    expect(hash.computeSierraContractClassHash(json.parse(shipped) as CompiledSierra)).to.equal(
      (JSON.parse(artifacts[hashesFile]) as { classHash: string }).classHash,
    );
    expect(JSON.parse(artifacts[hashesFile])).to.include({
      scarb: "2.16.1",
      classHash: "0x12aecbf03663e8ba5dde185034efe12d8f3b3cc9da562907c7e6620cbc72565",
      compiledClassHash: "0x71bb0f6484f4555ab65f3ca0c4588841e4ef1a953656e5dd9d83cc5c176fe28",
    });
  });

  it("carries an ABI that starknet.js encodes calls with", () => {
    const sierra = json.parse(shipped) as CompiledSierra;
    const calls = new CallData(sierra.abi);
    const task = { program_hash: 0xabcn, inputs: [5n, 2n ** 128n] };
    expect(
      calls.compile("requestDataProcessorExecutionOfTask", { module_task: task }),
    ).to.deep.equal(["2748", "0", "2", "5", "0", "0", "1"]);
    expect(
      calls.compile("finalize", { task_hash: 2n ** 128n + 3n, task_result: cairo.uint256(7) }),
    ).to.deep.equal(["3", "1", "7", "0"]);
    expect(calls.parse("getDataProcessorFinalizedTaskResult", ["0x7", "0x1"])).to.equal(
      2n ** 128n + 7n,
    );
    expect(calls.decodeParameters("hardhat_hdp::interface::TaskStatus", ["0x2"])).to.have.property(
      "variant",
    );
  });

  it("offers the published satellite's functions, and those of the mock", () => {
    const short = (type: string): string =>
      type.replaceAll(/\w+::(?=\w)/g, "").replaceAll("::<", "<");
    const functions = abiInterfaces.parse(JSON.parse(shipped)).abi.flatMap(({ items = [] }) =>
      items.map(({ name, inputs, outputs }) => {
        const [returned] = outputs.map(({ type }) => ` -> ${short(type)}`);
        return `${name}(${inputs.map(({ type }) => short(type)).join(", ")})${returned ?? ""}`;
      }),
    );
    expect(functions).to.have.members([...SATELLITE_FUNCTIONS, ...MOCK_FUNCTIONS]);
  });

  it("declares the real store's events with all fields in their data", () => {
    const fields = abiEvents.parse(JSON.parse(shipped)).abi.flatMap((entry) => {
      if (entry.type !== "event" || entry.kind !== "struct") return [];
      const members = (entry.members ?? []).map(
        (member) => `${member.name} ${member.type} ${member.kind ?? ""}`,
      );
      return [[entry.name?.split("::").at(-1), ...members]];
    });
    const u256 = "core::integer::u256 data";
    expect(fields).to.deep.equal([
      ["TaskAlreadyStored", `task_commitment ${u256}`],
      ["ModuleTaskScheduled", "module_task hardhat_hdp::interface::ModuleTask data"],
      ["TaskFinalized", `task_hash ${u256}`, `task_result ${u256}`],
      ["ProgramHashEnabled", "program_hash core::felt252 data"],
      ["ProgramHashesDisabled", "program_hashes core::array::Span::<core::felt252> data"],
      ["ProvenTimestamp", `chain_id ${u256}`, `timestamp ${u256}`],
    ]);
  });
});

/** What the published satellite has of these, by its sources of February 2026. */
const SATELLITE_FUNCTIONS = [
  "requestDataProcessorExecutionOfTask(ModuleTask)",
  "getDataProcessorTaskStatus(u256) -> TaskStatus",
  "getDataProcessorFinalizedTaskResult(u256) -> u256",
  "setDataProcessorProgramHash(felt252)",
  "disableProgramHashes(Span<felt252>)",
  "isProgramHashAuthorized(felt252) -> bool",
  "authenticateDataProcessorTaskExecution(TaskData)",
  "headerFieldSafe(u256, u256, HeaderField) -> Option<u256>",
  "headerField(u256, u256, HeaderField) -> u256",
  "accountFieldSafe(u256, u256, EthAddress, AccountField) -> Option<u256>",
  "accountField(u256, u256, EthAddress, AccountField) -> u256",
  "storageSlotSafe(u256, u256, EthAddress, u256) -> Option<u256>",
  "storageSlot(u256, u256, EthAddress, u256) -> u256",
  "timestampSafe(u256, u256) -> Option<u256>",
  "timestamp(u256, u256) -> u256",
  "proveTimestamp(u256, u256, u256)",
];
/** What only the mock has. */
const MOCK_FUNCTIONS = [
  "finalize(u256, u256)",
  "schedule(u256)",
  "set_operator(ContractAddress, bool)",
  "owner() -> ContractAddress",
  "register_fact(felt252)",
  "set_mmr_root(u256, u256, u256, u256)",
  "fact_hash_of(TaskData) -> felt252",
  "set_header_field(u256, u256, HeaderField, u256)",
  "set_account_field(u256, u256, EthAddress, AccountField, u256)",
  "set_storage_slot(u256, u256, EthAddress, u256, u256)",
];

const abiTyped = z.object({ type: z.string() });
const abiInterfaces = z.object({
  abi: z.array(
    z.object({
      type: z.string(),
      items: z
        .array(
          z.object({ name: z.string(), inputs: z.array(abiTyped), outputs: z.array(abiTyped) }),
        )
        .optional(),
    }),
  ),
});
const abiMember = z.object({ name: z.string(), type: z.string(), kind: z.string().optional() });
const abiEvents = z.object({
  abi: z.array(
    z.object({
      type: z.string(),
      name: z.string().optional(),
      kind: z.string().optional(),
      members: z.array(abiMember).optional(),
    }),
  ),
});

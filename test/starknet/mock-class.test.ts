import { readFileSync } from "node:fs";

import { expect } from "chai";
import { cairo, CallData, type CompiledSierra, hash, json } from "starknet";
import { z } from "zod";

import { compileMockClass, mockClassFile } from "../../scripts/starknet/mock-class.js";

const shipped = readFileSync(mockClassFile, "utf8");

describe("the shipped class of the Cairo mock", function () {
  this.timeout(600_000);

  it("is what the sources compile to, byte for byte", async () => {
    expect(await compileMockClass()).to.equal(shipped);
  });

  it("has the class hash the documentation states", () => {
    const sierra = json.parse(shipped) as CompiledSierra;
    expect(hash.computeSierraContractClassHash(sierra)).to.equal(
      "0x24a261e1b640ed2fd86064fa8a10a22a01ff36363e02398764ecc70cc040cfa",
    );
  });

  it("has an ABI that starknet.js encodes calls with", () => {
    const sierra = json.parse(shipped) as CompiledSierra;
    const calls = new CallData(sierra.abi);
    const task = { program_hash: 0xabcn, inputs: [5n, 2n ** 128n] };
    expect(calls.compile("requestDataProcessorExecutionOfTask", { module_task: task })).to.deep.equal([
      "2748",
      "0",
      "2",
      "5",
      "0",
      "0",
      "1",
    ]);
    expect(calls.compile("finalize", { task_hash: 2n ** 128n + 3n, task_result: cairo.uint256(7) })).to.deep.equal([
      "3",
      "1",
      "7",
      "0",
    ]);
    expect(calls.parse("getDataProcessorFinalizedTaskResult", ["0x7", "0x1"])).to.equal(2n ** 128n + 7n);
    expect(calls.decodeParameters("hardhat_hdp::interface::TaskStatus", ["0x2"])).to.have.property("variant");
  });

  it("declares the real store's events with their fields, none of them a key", () => {
    const fields = abiEvents.parse(JSON.parse(shipped)).abi.flatMap((entry) => {
      if (entry.type !== "event" || entry.kind !== "struct") return [];
      const members = (entry.members ?? []).map((member) => `${member.name} ${member.type} ${member.kind ?? ""}`);
      return [[entry.name?.split("::").at(-1), ...members]];
    });
    const u256 = "core::integer::u256 data";
    expect(fields).to.deep.equal([
      ["TaskAlreadyStored", `task_commitment ${u256}`],
      ["ModuleTaskScheduled", "module_task hardhat_hdp::interface::ModuleTask data"],
      ["TaskFinalized", `task_hash ${u256}`, `task_result ${u256}`],
    ]);
  });
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

import { expect } from "chai";

import { openRecording, parseRecording, type StarknetReader } from "../../../src/entries/local.js";
import { RECORDING_FORMAT, RECORDING_VERSION } from "../../../src/chain/recording/recording.js";
import { StarknetRecorder } from "../../../src/chain/recording/chain-recorder.js";
import { hdpFailure } from "../../support/failure.js";

const SEPOLIA = 393402133025997798000961n;
const node: StarknetReader = {
  header: async (block) => await Promise.resolve({ value: block + 1n, proven: false }),
  storage: async (block, address, key) =>
    await Promise.resolve({ value: block + BigInt(address) + BigInt(key), proven: false }),
};

async function recorded(): Promise<object> {
  const recorder = new StarknetRecorder();
  const reader = await recorder.source(SEPOLIA, async () => await Promise.resolve(node));
  await reader?.storage(9n, "0x0a", "0x03");
  await reader?.storage(8n, "0xb", "0x4");
  await reader?.storage(9n, "0xa", "0x3");
  await reader?.header(9n, "blockTimestamp");
  return {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    taskHashes: [],
    chains: [],
    ...recorder.recorded(),
  };
}

describe("recorded reads of Starknet", () => {
  it("writes each read once, in a fixed order, as the node said it", async () => {
    expect(await recorded()).to.deep.include({
      starknet: [
        {
          chain: "STARKNET_SEPOLIA",
          headers: [{ block: 9, field: "blockTimestamp", value: "0xa" }],
          storage: [
            { block: 8, address: "0xb", key: "0x4", value: "0x17" },
            { block: 9, address: "0xa", key: "0x3", value: "0x16" },
          ],
        },
      ],
    });
  });

  it("serves recorded reads unproven, and throws for what is not there", async () => {
    const opened = await openRecording(parseRecording(await recorded()));
    expect([...opened.chains]).to.deep.equal(["STARKNET_SEPOLIA"]);
    const reader = opened.starknetOf("STARKNET_SEPOLIA");
    expect(await reader.storage(9n, "0xa", "0x03")).to.deep.equal({ value: 22n, proven: false });
    expect(await reader.header(9n, "blockTimestamp")).to.deep.equal({ value: 10n, proven: false });
    const missing = [
      reader.storage(9n, "0xa", "0x4"),
      reader.header(8n, "blockTimestamp"),
      opened.starknetOf("STARKNET_MAINNET").storage(9n, "0xa", "0x3"),
      opened.readerOf("ETHEREUM_SEPOLIA").header(9n),
    ];
    const codes = await Promise.all(missing.map(async (read) => (await hdpFailure(read)).code));
    expect(codes).to.deep.equal(Array<string>(4).fill("HDP-4604"));
  });

  it("leave a fixture without Starknet as it was, and a chain without a node to the module", async () => {
    const recorder = new StarknetRecorder();
    expect(await recorder.source(SEPOLIA, async () => await Promise.resolve(undefined))).to.equal(
      undefined,
    );
    expect(await recorder.source(5n, async () => await Promise.resolve(node))).to.equal(node);
    expect(recorder.recorded()).to.deep.equal({});
  });
});

import { expect } from "chai";

import { parseCompiledClass, typedModuleTask, programHash } from "../../src/entries/program.js";
import { HANDLE, compiledJson } from "./classes.js";
import { hdpThrown } from "../support/failure.js";

const abi = [
  ...HANDLE,
  {
    type: "struct",
    name: "my::Recipient",
    members: [
      { name: "to", type: "core::starknet::eth_address::EthAddress" },
      { name: "amount", type: "core::integer::u256" },
    ],
  },
  {
    type: "enum",
    name: "my::Mode",
    variants: [
      { name: "Off", type: "()" },
      { name: "Limit", type: "core::integer::i8" },
    ],
  },
  {
    type: "interface",
    name: "my::IModule",
    items: [
      {
        type: "function",
        name: "main",
        inputs: [
          { name: "hdp", type: "hdp_cairo::HDP" },
          { name: "recipients", type: "core::array::Array::<my::Recipient>" },
          { name: "mode", type: "my::Mode" },
          { name: "flag", type: "core::option::Option::<core::bool>" },
          {
            name: "pair",
            type: "(core::array::Span::<(core::felt252, core::bool)>, core::byte_array::ByteArray)",
          },
          { name: "outcome", type: "core::result::Result::<[core::integer::u8; 2], ()>" },
        ],
        outputs: [],
        state_mutability: "external",
      },
    ],
  },
] as const;

const compiledClass = parseCompiledClass(compiledJson());
const values = {
  recipients: [{ to: "0x1", amount: 2n }],
  mode: { Limit: -1 },
  flag: null,
  pair: [[[1, true]], "text"],
  outcome: { Ok: [1, 2] },
} as const;

describe("typed module task", () => {
  it("encodes typed arguments", () => {
    const task = typedModuleTask({
      abi,
      compiledClass,
      arguments: values,
      visibility: { outcome: "private" },
    });
    expect(task.type).to.equal("Module");
    expect(task.programHash).to.equal(programHash(compiledClass));
    expect(task.inputs.map(({ value }) => BigInt(value))).to.deep.equal([
      1n,
      1n,
      2n,
      0n,
      1n,
      BigInt(compiledJson()["prime"] as string) - 1n,
      1n,
      1n,
      1n,
      1n,
      0n,
      0x74657874n,
      4n,
      0n,
      1n,
      2n,
    ]);
    expect(task.inputs.map(({ visibility }) => visibility).slice(-4)).to.deep.equal([
      "public",
      "private",
      "private",
      "private",
    ]);
    expect(
      typedModuleTask({
        abi,
        compiledClass,
        arguments: { ...values, mode: "Off", flag: { Some: true } },
      }).inputs[4],
    ).to.deep.equal({ visibility: "public", value: "0x0" });
  });

  it("refuses wrong types when it is compiled, and also when it runs", () => {
    const refused = (typed: () => unknown): string => hdpThrown(typed).code;
    const task = { abi, compiledClass } as const;
    const codes = [
      refused(() => {
        const recipients = "0x1";
        // @ts-expect-error a text is no list of recipients
        typedModuleTask({ ...task, arguments: { ...values, recipients } });
      }),
      refused(() => {
        const recipients = [{ to: 1, sum: 2 }];
        // @ts-expect-error the member is called `amount`
        typedModuleTask({ ...task, arguments: { ...values, recipients } });
      }),
      refused(() => {
        // @ts-expect-error no such variant
        typedModuleTask({ ...task, arguments: { ...values, mode: "On" } });
      }),
      refused(() => {
        // @ts-expect-error the variant holds a value
        typedModuleTask({ ...task, arguments: { ...values, mode: "Limit" } });
      }),
      refused(() => {
        // @ts-expect-error a bool is true or false
        typedModuleTask({ ...task, arguments: { ...values, flag: 1 } });
      }),
      refused(() => {
        // @ts-expect-error the pair's list holds pairs
        typedModuleTask({ ...task, arguments: { ...values, pair: [[1], "text"] } });
      }),
      refused(() => {
        // @ts-expect-error neither Ok nor Err
        typedModuleTask({ ...task, arguments: { ...values, outcome: [1, 2] } });
      }),
      refused(() => {
        // @ts-expect-error arguments are missing
        typedModuleTask({ ...task, arguments: { recipients: [] } });
      }),
      refused(() => {
        // @ts-expect-error the data handle is not an argument
        typedModuleTask({ ...task, arguments: { ...values, hdp: 1 } });
      }),
      refused(() => {
        const visibility = { outcome: "secret" } as const;
        // @ts-expect-error no such visibility
        typedModuleTask({ ...task, arguments: values, visibility });
      }),
    ];
    expect(codes).to.deep.equal([
      "HDP-1103",
      "HDP-1100",
      "HDP-1108",
      "HDP-1103",
      "HDP-1103",
      "HDP-1103",
      "HDP-1103",
      "HDP-1100",
      "HDP-1102",
      "HDP-1108",
    ]);
  });
});

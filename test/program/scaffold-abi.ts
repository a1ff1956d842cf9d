/** ABI that the compiler 2.8.2 writes for the module of the scaffold. */
export const SCAFFOLD_ABI = [
  {
    type: "struct",
    name: "my_module::hdp::RelocatableValue",
    members: [
      { name: "segment_index", type: "core::felt252" },
      { name: "offset", type: "core::felt252" },
    ],
  },
  {
    type: "struct",
    name: "my_module::hdp::Memorizer",
    members: [{ name: "dict", type: "my_module::hdp::RelocatableValue" }],
  },
  {
    type: "struct",
    name: "my_module::hdp::HDP",
    members: [
      { name: "evm", type: "my_module::hdp::Memorizer" },
      { name: "starknet", type: "my_module::hdp::Memorizer" },
      { name: "injected_state", type: "my_module::hdp::Memorizer" },
      { name: "unconstrained", type: "my_module::hdp::Memorizer" },
    ],
  },
  {
    type: "struct",
    name: "core::integer::u256",
    members: [
      { name: "low", type: "core::integer::u128" },
      { name: "high", type: "core::integer::u128" },
    ],
  },
  {
    type: "function",
    name: "main",
    inputs: [
      { name: "hdp", type: "my_module::hdp::HDP" },
      { name: "chain_id", type: "core::felt252" },
      { name: "account", type: "core::felt252" },
      { name: "first_block", type: "core::integer::u64" },
      { name: "last_block", type: "core::integer::u64" },
    ],
    outputs: [{ type: "core::integer::u256" }],
    state_mutability: "external",
  },
  { type: "event", name: "my_module::Module::Event", kind: "enum", variants: [] },
] as const;

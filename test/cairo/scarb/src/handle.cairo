// What every module starts with: the data handle, eight felts a module hands back with each read.
#[derive(Serde, Drop, Copy)]
pub struct Pair {
    pub segment_index: felt252,
    pub offset: felt252,
}

#[derive(Serde, Drop, Copy)]
pub struct HDP {
    pub evm: Pair,
    pub starknet: Pair,
    pub injected_state: Pair,
    pub unconstrained: Pair,
}

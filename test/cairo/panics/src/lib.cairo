//! A module that panics in many ways: each has to be reported at its own line.

mod kinds;

#[starknet::contract]
pub mod Module {
    use hardhat_hdp_module::HDP;
    use super::kinds::panics;

    #[storage]
    struct Storage {}

    #[external(v0)]
    pub fn main(ref self: ContractState, hdp: HDP, kind: felt252, one: u8) -> felt252 {
        panics(hdp, kind, one)
    }
}

// Chain data as a module reads it.
pub fn slot(chain_id: felt252, block: felt252, address: felt252, key: u256) -> u256 {
    let calldata = array![0, 0, chain_id, block, address, key.high.into(), key.low.into()];
    let result = starknet::SyscallResultTrait::unwrap_syscall(
        starknet::syscalls::call_contract_syscall(
            2_felt252.try_into().unwrap(), 0, calldata.span(),
        ),
    );
    u256 { low: (*result[0]).try_into().unwrap(), high: (*result[1]).try_into().unwrap() }
}

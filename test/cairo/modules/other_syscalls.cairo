// System calls that the data processor does not offer.
pub fn compute(inputs: Span<felt252>) -> Array<felt252> {
    if *inputs[0] == 0 {
        let info = starknet::get_execution_info().unbox();
        return array![info.contract_address.into()];
    }
    let keys = array![1].span();
    starknet::SyscallResultTrait::unwrap_syscall(
        starknet::syscalls::emit_event_syscall(keys, keys),
    );
    array![]
}

// Hands any call to a data handler on, so that every handler and field can be reached: address,
// selector, arguments.
pub fn compute(inputs: Span<felt252>) -> Array<felt252> {
    let address = (*inputs[0]).try_into().unwrap();
    let calldata = inputs.slice(2, inputs.len() - 2);
    let result = starknet::SyscallResultTrait::unwrap_syscall(
        starknet::syscalls::call_contract_syscall(address, *inputs[1], calldata),
    );
    let mut out: Array<felt252> = array![];
    let mut rest = result;
    while let Option::Some(felt) = rest.pop_front() {
        out.append(*felt);
    }
    out
}

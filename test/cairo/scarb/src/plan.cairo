// Reads by a plan that its inputs give: what depends on what, what is skipped, and where it panics.
#[starknet::contract]
mod Plan {
    use starknet::SyscallResultTrait;
    use crate::handle::HDP;

    #[storage]
    struct Storage {}

    // A step is three felts. The last value read decides some: it is the sum's newest part.
    // 0: reads slot a in block b; 1: reads slot last + a in block b; 2: reads slot a in block last + b;
    // 3: reads the base fee of block b; 4: reads the balance of account a in block b;
    // 5: skips b steps where last is even; 6: panics where last is a; 7: prints last + a;
    // 8: divides a by last; 9: repeats the step before b times, each with the slot that it read;
    // 10: writes last to the key b of injected state; 11: reads the key b of it.
    #[external(v0)]
    fn main(ref self: ContractState, hdp: HDP, address: felt252, plan: Array<felt252>) -> Array<felt252> {
        let mut plan = plan.span();
        let mut last: felt252 = 0;
        let mut values = array![];
        let mut skipped: felt252 = 0;
        while let Option::Some(step) = plan.multi_pop_front::<3>() {
            let [kind, a, b] = step.unbox();
            if skipped != 0 {
                skipped -= 1;
                continue;
            }
            match kind {
                0 => { last = read(2, 0, array![b, address, 0, a]); },
                1 => { last = read(2, 0, array![b, address, 0, last + a]); },
                2 => { last = read(2, 0, array![last + b, address, 0, a]); },
                3 => { last = read(0, 15, array![b]); },
                4 => { last = read(1, 1, array![b, a]); },
                5 => {
                    let number: u256 = last.into();
                    if number % 2 == 0 {
                        skipped = b;
                    }
                },
                6 => { assert!(last != a, "the value is refused"); },
                7 => { print(last + a); },
                8 => {
                    let divisor: u256 = last.into();
                    last = (a.into() / divisor).low.into();
                },
                9 => {
                    let mut turns = b;
                    while turns != 0 {
                        last = read(2, 0, array![a, address, 0, last]);
                        values.append(last);
                        turns -= 1;
                    }
                },
                10 => { last = state(2, array![b, last]); },
                _ => { last = state(1, array![b]); },
            }
            values.append(last);
        }
        values
    }

    #[inline(never)]
    fn read(handler: felt252, field: felt252, arguments: Array<felt252>) -> felt252 {
        let mut calldata = array![0, 0, 1];
        for argument in arguments {
            calldata.append(argument);
        }
        let result = starknet::syscalls::call_contract_syscall(
            handler.try_into().unwrap(), field, calldata.span(),
        )
            .unwrap_syscall();
        let low: u128 = (*result[0]).try_into().unwrap();
        low.into()
    }

    #[inline(never)]
    fn state(call: felt252, arguments: Array<felt252>) -> felt252 {
        let mut calldata = array![0, 0, 'plan'];
        for argument in arguments {
            calldata.append(argument);
        }
        let result = starknet::syscalls::call_contract_syscall(
            'injected_state'.try_into().unwrap(), call, calldata.span(),
        )
            .unwrap_syscall();
        *result[0]
    }

    fn print(value: felt252) {
        starknet::syscalls::call_contract_syscall(
            'debug'.try_into().unwrap(), 0, array![value].span(),
        )
            .unwrap_syscall();
    }
}

// Every way in which functions reach one another: what a profile has to tell apart.
#[starknet::contract]
mod Calls {
    use starknet::SyscallResultTrait;
    use crate::handle::HDP;

    #[storage]
    struct Storage {}

    // kind 0: loops in loops, 1: functions that call each other, 2: a generic function for two types,
    // 3: constants in the bytecode, 4: reads of a storage slot and of a header.
    #[external(v0)]
    fn main(ref self: ContractState, hdp: HDP, kind: felt252, turns: u32) -> felt252 {
        match kind {
            0 => square(turns),
            1 => even(turns).into(),
            2 => (twice::<u32>(turns) + twice::<u32>(turns)).into() + twice::<felt252>(kind),
            3 => table(turns),
            _ => reads(turns),
        }
    }

    fn square(turns: u32) -> felt252 {
        let mut sum = 0;
        for row in 0..turns {
            for column in 0..turns {
                sum += cell(row, column);
            }
        }
        sum
    }

    #[inline(never)]
    fn cell(row: u32, column: u32) -> felt252 {
        row.into() * column.into()
    }

    #[inline(never)]
    fn even(number: u32) -> bool {
        if number == 0 {
            true
        } else {
            odd(number - 1)
        }
    }

    #[inline(never)]
    fn odd(number: u32) -> bool {
        if number == 0 {
            false
        } else {
            even(number - 1)
        }
    }

    #[inline(never)]
    fn twice<T, +Add<T>, +Copy<T>, +Drop<T>>(value: T) -> T {
        value + value
    }

    #[inline(never)]
    fn table(turns: u32) -> felt252 {
        let values = BoxTrait::new([11, 22, 33, 44]).as_snapshot().unbox().span();
        let mut sum = 0;
        for turn in 0..turns {
            sum += *values[turn % 4];
        }
        sum
    }

    fn reads(turns: u32) -> felt252 {
        let mut sum = 0;
        for block in 0..turns {
            sum += slot(block);
        }
        sum + base_fee()
    }

    #[inline(never)]
    fn slot(block: u32) -> felt252 {
        let calldata = array![0, 0, 1, block.into(), 0xabc, 5, 0];
        *call(2, calldata)[0]
    }

    #[inline(never)]
    fn base_fee() -> felt252 {
        *call(0, array![0, 0, 1, 7])[0]
    }

    fn call(handler: felt252, calldata: Array<felt252>) -> Span<felt252> {
        starknet::syscalls::call_contract_syscall(handler.try_into().unwrap(), 0, calldata.span()).unwrap_syscall()
    }
}

// Every way to fail, by number.
pub fn compute(inputs: Span<felt252>) -> Array<felt252> {
    let kind = *inputs[0];
    let small: u8 = 200;
    if kind == 0 {
        panic!("a message of {} bytes and more, formatted with the value {}", 31, kind);
    }
    if kind == 1 {
        core::panic_with_felt252('short text');
    }
    if kind == 2 {
        let more: u8 = (*inputs[1]).try_into().unwrap();
        return array![(small + more).into()];
    }
    if kind == 3 {
        return array![*inputs[99]];
    }
    if kind == 4 {
        let divisor: u64 = (*inputs[1]).try_into().unwrap();
        return array![(10_u64 / divisor).into()];
    }
    if kind == 5 {
        core::panics::panic(array!['one', 2, 'three']);
    }
    if kind == 6 {
        assert!(kind == 7, "assertion on {}", kind);
    }
    if kind == 7 {
        assert(*inputs[1] == 1, 'plain assertion');
    }
    array![kind]
}

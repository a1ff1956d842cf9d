// keccak is a system call, which the plain runner has too.
use core::keccak::{compute_keccak_byte_array, keccak_u256s_be_inputs, keccak_u256s_le_inputs};

fn push(ref out: Array<felt252>, value: u256) {
    out.append(value.low.into());
    out.append(value.high.into());
}

pub fn compute(inputs: Span<felt252>) -> Array<felt252> {
    let mut words: Array<u256> = array![];
    let mut text: ByteArray = "keccak:";
    let mut rest = inputs;
    while let Option::Some(felt) = rest.pop_front() {
        words.append((*felt).into());
        text.append_byte(0x41);
    }
    let mut out: Array<felt252> = array![];
    push(ref out, keccak_u256s_be_inputs(words.span()));
    push(ref out, keccak_u256s_le_inputs(words.span()));
    push(ref out, compute_keccak_byte_array(@text));
    out
}

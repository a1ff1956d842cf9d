// Sums a storage slot over a range of blocks: the everyday module, and the one that speed is
// measured on.
pub fn compute(inputs: Span<felt252>) -> Array<felt252> {
    let chain_id = *inputs[0];
    let address = *inputs[1];
    let mut block: u64 = (*inputs[2]).try_into().unwrap();
    let end: u64 = (*inputs[3]).try_into().unwrap();
    let mut sum: u256 = 0;
    loop {
        if block >= end {
            break;
        }
        sum += crate::reads::slot(chain_id, block.into(), address, u256 { low: 5, high: 1 });
        block += 1;
    }
    array![sum.low.into(), sum.high.into()]
}

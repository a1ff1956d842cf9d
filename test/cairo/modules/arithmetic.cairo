// Felts, integers of every width and u256: each operation whose code differs.
use core::integer::{u512, u512_safe_div_rem_by_u256};
use core::math::u256_inv_mod;
use core::num::traits::{Sqrt, WideMul};

fn push(ref out: Array<felt252>, value: u256) {
    out.append(value.low.into());
    out.append(value.high.into());
}

pub fn compute(inputs: Span<felt252>) -> Array<felt252> {
    let x: felt252 = *inputs[0];
    let y: felt252 = *inputs[1];
    let a = u256 { low: (*inputs[2]).try_into().unwrap(), high: (*inputs[3]).try_into().unwrap() };
    let b = u256 { low: (*inputs[4]).try_into().unwrap(), high: (*inputs[5]).try_into().unwrap() };
    let mut out: Array<felt252> = array![];
    out.append(x + y);
    out.append(x - y);
    out.append(x * y);
    if y != 0 {
        out.append(core::felt252_div(x, y.try_into().unwrap()));
    }
    let wide: u256 = x.into();
    push(ref out, wide);

    push(ref out, core::num::traits::WrappingAdd::wrapping_add(a, b));
    push(ref out, core::num::traits::WrappingSub::wrapping_sub(a, b));
    let product: u512 = WideMul::wide_mul(a, b);
    out.append(product.limb0.into());
    out.append(product.limb1.into());
    out.append(product.limb2.into());
    out.append(product.limb3.into());
    if b != 0 {
        let (quotient, remainder) = DivRem::div_rem(a, b.try_into().unwrap());
        push(ref out, quotient);
        push(ref out, remainder);
        let (quotient, remainder) = u512_safe_div_rem_by_u256(product, b.try_into().unwrap());
        out.append(quotient.limb0.into());
        out.append(quotient.limb1.into());
        out.append(quotient.limb2.into());
        out.append(quotient.limb3.into());
        push(ref out, remainder);
        match u256_inv_mod(a, b.try_into().unwrap()) {
            Option::Some(inverse) => { push(ref out, inverse.into()); },
            Option::None => { out.append('no inverse'); },
        };
    }
    push(ref out, a & b);
    push(ref out, a | b);
    push(ref out, a ^ b);
    out.append(a.sqrt().into());
    out.append(a.low.sqrt().into());
    out.append((a < b).into());
    out.append((a <= b).into());
    out.append((a.low < b.low).into());

    let u256 { low, high } = WideMul::wide_mul(a.low, b.high);
    out.append(high.into());
    out.append(low.into());
    let short: u64 = (a.low & 0xffffffffffffffff).try_into().unwrap();
    let other: u64 = (b.low & 0xfffffff).try_into().unwrap() + 1;
    out.append((short / other).into());
    out.append((short % other).into());
    out.append(short.sqrt().into());
    let tiny: u8 = (a.low & 0x7f).try_into().unwrap();
    out.append(tiny.wide_mul(tiny).into());
    let signed: i64 = tiny.into();
    out.append((signed - 64).into());
    out.append((-5_i64 * signed).into());
    let as_u128: Option<u128> = x.try_into();
    out.append(match as_u128 {
        Option::Some(value) => value.into(),
        Option::None => 'too large',
    });
    out
}

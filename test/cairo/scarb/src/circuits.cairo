// Modular arithmetic by circuits: the builtins add_mod, mul_mod and range_check96, and the hint EvalCircuit.
#[starknet::contract]
mod Circuits {
    use core::circuit::{
        AddInputResultTrait, CircuitElement, CircuitInput, CircuitInputs, CircuitModulus, CircuitOutputsTrait, EvalCircuitTrait,
        circuit_add, circuit_inverse, circuit_mul, circuit_sub, u384,
    };
    use crate::handle::HDP;

    #[storage]
    struct Storage {}

    fn felts(ref out: Array<felt252>, value: u384) {
        out.append(value.limb0.into());
        out.append(value.limb1.into());
        out.append(value.limb2.into());
        out.append(value.limb3.into());
    }

    // (a + b) * (a - b) and 1 / (a + b) modulo p; no values where a + b has no inverse.
    #[external(v0)]
    fn main(ref self: ContractState, hdp: HDP, a: u384, b: u384, modulus: u384) -> Array<felt252> {
        let x = CircuitElement::<CircuitInput<0>> {};
        let y = CircuitElement::<CircuitInput<1>> {};
        let sum = circuit_add(x, y);
        let difference = circuit_sub(x, y);
        let product = circuit_mul(sum, difference);
        let inverse = circuit_inverse(sum);
        let modulus = TryInto::<_, CircuitModulus>::try_into([modulus.limb0, modulus.limb1, modulus.limb2, modulus.limb3]).unwrap();
        let mut out = array![];
        match (product, inverse).new_inputs().next(a).next(b).done().eval(modulus) {
            Result::Ok(values) => {
                felts(ref out, values.get_output(product));
                felts(ref out, values.get_output(inverse));
            },
            Result::Err(_) => {},
        }
        out
    }
}

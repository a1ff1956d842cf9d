// Points of the Stark curve: the builtin ec_op and the hint RandomEcPoint.
#[starknet::contract]
mod Curve {
    use core::ec::{EcPointTrait, EcStateTrait, stark_curve};
    use crate::handle::HDP;

    #[storage]
    struct Storage {}

    // scalar * G + (the point of x, where there is one); x and y, or nothing at infinity.
    #[external(v0)]
    fn main(ref self: ContractState, hdp: HDP, scalar: felt252, x: felt252) -> Array<felt252> {
        let generator = EcPointTrait::new_nz(stark_curve::GEN_X, stark_curve::GEN_Y).unwrap();
        let mut state = EcStateTrait::init();
        state.add_mul(scalar, generator);
        if let Some(point) = EcPointTrait::new_nz_from_x(x) {
            state.add(point);
        }
        match state.finalize_nz() {
            Some(point) => {
                let (x, y) = point.coordinates();
                array![x, y]
            },
            None => array![],
        }
    }
}

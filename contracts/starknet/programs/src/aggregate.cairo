// SPDX-License-Identifier: MIT
//! The aggregate functions: one value after another, and the result as the felts that `main`
//! returns.
use core::num::traits::{OverflowingAdd, Zero};
use crate::calldata::word;

const AVG: felt252 = 0;
const SUM: felt252 = 1;
const MIN: felt252 = 2;
const MAX: felt252 = 3;
const COUNT: felt252 = 4;

#[derive(Copy, Drop)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

#[derive(Copy, Drop)]
enum Function {
    Average,
    Sum,
    Minimum,
    Maximum,
    Count: (Operator, u256),
}

#[derive(Copy, Drop)]
pub struct Aggregate {
    function: Function,
    /// The wrapped sum, the least or greatest value, or the number of matching values, so far.
    state: u256,
    samples: u64,
}

#[generate_trait]
pub impl AggregateImpl of AggregateTrait {
    /// Starts an aggregate from its inputs: function, operator, value low, value high. Without a
    /// comparison the last three must be 0, so that one task has one hash.
    fn new(inputs: Span<felt252>) -> Aggregate {
        let function = *inputs[0];
        let operator = *inputs[1];
        let compared = word(*inputs[2], *inputs[3]);
        if function != COUNT {
            assert(operator == 0 && compared.is_zero(), 'comparison without count');
        }
        let function = if function == AVG {
            Function::Average
        } else if function == SUM {
            Function::Sum
        } else if function == MIN {
            Function::Minimum
        } else if function == MAX {
            Function::Maximum
        } else {
            assert(function == COUNT, 'unknown function');
            Function::Count((operator_of(operator), compared))
        };
        Aggregate { function, state: 0, samples: 0 }
    }

    fn add(ref self: Aggregate, value: u256) {
        let state = self.state;
        self.state = match self.function {
            Function::Average |
            Function::Sum => {
                let (sum, _) = state.overflowing_add(value);
                sum
            },
            Function::Minimum => if self.samples == 0 || value < state {
                value
            } else {
                state
            },
            Function::Maximum => if value > state {
                value
            } else {
                state
            },
            Function::Count((operator, compared)) => if matches(operator, value, compared) {
                state + 1
            } else {
                state
            },
        };
        self.samples += 1;
    }

    /// The result as two felts: the low half, and the high half plus 2^128. The root over what a
    /// program returns does not fix the order of felts; no other uint256 has these two in either
    /// order.
    fn result(self: Aggregate) -> (felt252, felt252) {
        assert(self.samples != 0, 'no values');
        let value = match self.function {
            Function::Average => rounded(self.state, self.samples.into()),
            _ => self.state,
        };
        (value.low.into(), value.high.into() + 0x100000000000000000000000000000000)
    }
}

/// Divides, rounded to the nearest, halves up.
fn rounded(sum: u256, samples: u256) -> u256 {
    let rest = sum % samples;
    let up: u256 = if rest != 0 && rest >= samples - rest {
        1
    } else {
        0
    };
    sum / samples + up
}

fn operator_of(operator: felt252) -> Operator {
    match operator {
        0 => core::panic_with_felt252('count without operator'),
        1 => Operator::Equal,
        2 => Operator::NotEqual,
        3 => Operator::Greater,
        4 => Operator::GreaterOrEqual,
        5 => Operator::Less,
        6 => Operator::LessOrEqual,
        _ => core::panic_with_felt252('unknown operator'),
    }
}

fn matches(operator: Operator, value: u256, compared: u256) -> bool {
    match operator {
        Operator::Equal => value == compared,
        Operator::NotEqual => value != compared,
        Operator::Greater => value > compared,
        Operator::GreaterOrEqual => value >= compared,
        Operator::Less => value < compared,
        Operator::LessOrEqual => value <= compared,
    }
}

// Arrays, spans, structs, enums, dictionaries (with squashing), boxes and nullables, byte arrays.
use core::dict::{Felt252Dict, Felt252DictTrait};
use core::nullable::{FromNullableResult, NullableTrait, match_nullable};

#[derive(Drop, Copy, Serde, PartialEq)]
struct Point {
    x: u64,
    y: u64,
}

#[derive(Drop, Serde)]
enum Shape {
    Empty,
    Dot: Point,
    Line: (Point, Point),
}

fn area(shape: @Shape) -> u64 {
    match shape {
        Shape::Empty => 0,
        Shape::Dot(point) => *point.x * *point.y,
        Shape::Line((from, to)) => (*to.x - *from.x) * (*to.y - *from.y),
    }
}

pub fn compute(inputs: Span<felt252>) -> Array<felt252> {
    let mut out: Array<felt252> = array![];
    let mut counts: Felt252Dict<u32> = Default::default();
    let mut lasts: Felt252Dict<Nullable<Span<felt252>>> = Default::default();
    let mut index: u32 = 0;
    let mut rest = inputs;
    loop {
        match rest.pop_front() {
            Option::Some(value) => {
                let key = *value;
                counts.insert(key, counts.get(key) + 1);
                lasts.insert(key, NullableTrait::new(inputs.slice(0, index)));
                index += 1;
            },
            Option::None => { break; },
        };
    }
    let mut again = inputs;
    while let Option::Some(value) = again.pop_back() {
        out.append(counts.get(*value).into());
        let seen = match match_nullable(lasts.get(*value)) {
            FromNullableResult::Null => 0,
            FromNullableResult::NotNull(span) => span.unbox().len(),
        };
        out.append(seen.into());
    }
    let _squashed = counts.squash();

    let from = Point { x: 1, y: 2 };
    let to = Point { x: 11, y: 22 };
    let shapes = array![Shape::Empty, Shape::Dot(to), Shape::Line((from, to))];
    let mut shape = shapes.span();
    while let Option::Some(one) = shape.pop_front() {
        out.append(area(one).into());
    }
    shapes.serialize(ref out);
    let boxed = BoxTrait::new(to);
    out.append((boxed.unbox() == to).into());
    let mut text: ByteArray = "a text that is longer than thirty-one bytes";
    text.append_byte(0x21);
    out.append(text.len().into());
    text.serialize(ref out);
    let parsed: Option<Point> = Serde::deserialize(ref rest);
    out.append(parsed.is_none().into());
    out
}

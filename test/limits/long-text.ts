/** A long text by the pieces that make it. */
export interface LongText {
  readonly head: string;
  readonly unit: string;
  readonly times: number;
  readonly tail: string;
}

/** Returns `head`, as many units as fit into so many bytes, and `tail`. */
export function filling(bytes: number, unit: string, head = "", tail = ""): LongText {
  return {
    head,
    unit,
    times: Math.floor((bytes - head.length - tail.length) / Buffer.byteLength(unit)),
    tail,
  };
}

export function written({ head, unit, times, tail }: LongText): string {
  return head + unit.repeat(times) + tail;
}

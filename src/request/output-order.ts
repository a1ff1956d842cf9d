/**
 * Yields every other order of felts that has the same output root, those with one swap first: a parent of the tree
 * hashes its smaller child first, so that two children of one shape may change places. n felts have up to 2^(n - 1).
 */
export function* otherOrders(felts: readonly bigint[]): Generator<readonly bigint[]> {
  const nodes = exchangeable(felts);
  for (let chosen = 1; chosen < 2 ** nodes.length; chosen += 1) {
    const exchanged = nodes.filter((_, bit) => Math.floor(chosen / 2 ** bit) % 2 === 1);
    yield arranged(felts, new Set(exchanged));
  }
}

/** Returns the nodes whose children have one shape and are not the same, the lowest first. */
function exchangeable(felts: readonly bigint[]): number[] {
  const firstLeaf = felts.length - 1;
  const leafCounts: number[] = [];
  const contents: number[] = [];
  const numbers = new Map<string, number>();
  const textNumber = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const nodes: number[] = [];
  for (let node = 2 * firstLeaf; node >= 0; node -= 1) {
    if (node >= firstLeaf) {
      leafCounts[node] = 1;
      contents[node] = textNumber(String(felts[2 * firstLeaf - node]));
      continue;
    }
    const children = [2 * node + 1, 2 * node + 2];
    const [left = 0, right = 0] = children.map((child) => contents[child] ?? 0);
    const [ofLeft = 0, ofRight = 0] = children.map((child) => leafCounts[child] ?? 0);
    leafCounts[node] = ofLeft + ofRight;
    contents[node] = textNumber(`${Math.min(left, right)} ${Math.max(left, right)}`);
    if (ofLeft === ofRight && left !== right) nodes.push(node);
  }
  return nodes;
}

/** Returns the felts with the children of some nodes exchanged. Node i has the children 2i + 1 and 2i + 2. */
function arranged(felts: readonly bigint[], exchanged: ReadonlySet<number>): readonly bigint[] {
  const last = 2 * felts.length - 2;
  const order = [...felts];
  const place = (from: number, to: number): void => {
    if (to >= felts.length - 1) {
      order[last - to] = felts[last - from] ?? 0n;
      return;
    }
    const turn = exchanged.has(from) ? 1 : 0;
    place(2 * from + 1, 2 * to + 1 + turn);
    place(2 * from + 2, 2 * to + 2 - turn);
  };
  place(0, 0);
  return order;
}

const KINDS = { bytes: Uint8Array, integers: Uint32Array, offsets: Float64Array } as const;
type Kind = keyof typeof KINDS;
type Cells = InstanceType<(typeof KINDS)[Kind]>;

const FIRST_ROOM = 64;

/** Numbers of one kind in as few bytes as they take: a million of them are no million objects. */
export class Column {
  readonly #kind: Kind;
  #cells: Cells;
  #length: number;

  /** @param bytes what `bytes` of an earlier one gave */
  public constructor(kind: Kind, bytes?: Uint8Array) {
    this.#kind = kind;
    this.#cells = cellsOf(kind, bytes ?? new Uint8Array());
    this.#length = this.#cells.length;
  }

  public get length(): number {
    return this.#length;
  }

  public get(at: number): number {
    return this.#cells[at] ?? 0;
  }

  public set(at: number, value: number): void {
    this.#cells[at] = value;
  }

  public push(value: number): void {
    this.#reserve(1);
    this.#cells[this.#length] = value;
    this.#length += 1;
  }

  public append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#cells.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Its memory, which it goes on using. */
  public bytes(from = 0, to = this.#length): Uint8Array {
    const { buffer, byteOffset, BYTES_PER_ELEMENT } = this.#cells;
    return new Uint8Array(buffer, byteOffset + from * BYTES_PER_ELEMENT, (to - from) * BYTES_PER_ELEMENT);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#cells.length) return;
    const grown = new KINDS[this.#kind](Math.max(FIRST_ROOM, needed, Math.ceil(this.#cells.length * 1.25)));
    grown.set(this.#cells);
    this.#cells = grown;
  }
}

/** The bytes as they are where they can be read as numbers there, else a copy. */
function cellsOf(kind: Kind, bytes: Uint8Array): Cells {
  const cells = KINDS[kind];
  const { buffer, byteOffset, byteLength } = bytes;
  const length = byteLength / cells.BYTES_PER_ELEMENT;
  const isAligned = buffer instanceof ArrayBuffer && byteOffset % cells.BYTES_PER_ELEMENT === 0;
  return isAligned ? new cells(buffer, byteOffset, length) : new cells(Uint8Array.from(bytes).buffer, 0, length);
}

/** Lets the clock of this process jump by the milliseconds that a test does not wait, in each test of a `describe`. */
export function jumpingClock(): (milliseconds: number) => void {
  const real = performance.now.bind(performance);
  let jumped = 0;
  beforeEach(() => {
    performance.now = () => real() + jumped;
  });
  afterEach(() => {
    performance.now = real;
  });
  return (milliseconds) => {
    jumped += milliseconds;
  };
}

/** Works while the clock of this process goes a hundredth as fast: what is kept for a second is kept on a loaded machine. */
export async function withSlowClock<T>(work: () => Promise<T>): Promise<T> {
  const real = performance.now.bind(performance);
  const begin = real();
  performance.now = () => begin + (real() - begin) / 100;
  try {
    return await work();
  } finally {
    performance.now = real;
  }
}

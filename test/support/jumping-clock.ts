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

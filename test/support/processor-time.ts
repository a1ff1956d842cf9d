/** A slow or loaded machine takes several times as long. What grows faster than the input takes more. */
export const LOAD = 4;

/**
 * A stopwatch of the processor time of this process, in milliseconds: what a computation costs however busy the machine
 * is with other work.
 */
export function processorTime(): () => number {
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  };
}

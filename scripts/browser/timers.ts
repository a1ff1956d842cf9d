// What stands for `node:timers/promises` in a browser.
const pause = async (milliseconds: number): Promise<void> => {
  await new Promise((resolve) => {
    globalThis.setTimeout(resolve, milliseconds);
  });
};

export const setTimeout = pause;
export const setImmediate = async (): Promise<void> => {
  await pause(0);
};

// What stands for `node:util` in a browser, where no keys are read that a text could have.
export const inspect = (value: unknown): string => String(value);

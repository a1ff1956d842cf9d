/** The message a piece of work fails with; fails itself where the work succeeds. */
export async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing failed");
}

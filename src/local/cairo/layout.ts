/** Segments every run has, and where the stack starts. */
export const PROGRAM_SEGMENT = 0;
export const EXECUTION_SEGMENT = 1;
/** The stack starts this far into its segment: no offset of an instruction reaches below it unseen. */
export const STACK_BASE = 0x8000;

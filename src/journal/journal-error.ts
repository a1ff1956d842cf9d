import { HdpError } from "../errors/hdp-error.js";

/** An error of the journal of submissions: area 5xxx of the catalogue. */
export class JournalError extends HdpError {}

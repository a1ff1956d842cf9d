/** What the catalogue says about one error. The texts are Markdown; links are relative to the folder `docs/errors`. */
export interface CatalogueEntry {
  /** A few words in sentence case, without a full stop. */
  readonly title: string;
  /** What a script has to tell apart from a mistake in the input, which is meant where this is left out. */
  readonly ends?: "service" | "not finalized" | "unknown outcome";
  /** When it comes and what it means, in sentences. */
  readonly meaning: string;
  /** What to do about it, in sentences. */
  readonly remedy: string;
  /** The message as it is printed; lines after the first are its hints. */
  readonly example: string;
}

/** What a script has to tell apart from invalid input, which is meant where an entry does not say it: the exit code. */
type Ending = "service" | "not finalized" | "unknown outcome";

/** One error. `message` and `hints` are templates: `{name}` stands for a value that the place of the error gives. */
export interface ErrorTemplate {
  /** A few words in sentence case, without a full stop. */
  readonly title: string;
  readonly ends?: Ending;
  /** What is wrong, naming the value. A value that is undefined is left out. */
  readonly message: string;
  /** What is allowed and the next step, one sentence a line. A hint with a value that is undefined is left out. */
  readonly hints?: readonly string[];
  /** What message and hints do not say: a paragraph of Markdown, with links relative to `docs/errors`. */
  readonly description?: string;
}

/** Returns the message and hints of an error with `<name>` in place of each value. */
export function printedTemplate(code: string, { message, hints = [] }: ErrorTemplate): string {
  const lines = [`${code}: ${message}`, ...hints.map((hint) => `  ${hint}`)];
  // A value behind a word or a full stop brings its own space, and may be absent.
  const withoutOptional = lines.join("\n").replace(/(?<=[\w.])\{[A-Za-z]+\}/g, "");
  return withoutOptional.replace(/\{([A-Za-z]+)\}/g, "<$1>");
}

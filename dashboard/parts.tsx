import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { SubmissionView } from "../src/request/views.js";
import { errorMessage } from "./server.js";

/** Shortens hex to recognise it; the whole of it is in its title, and is what is copied. */
export function Hash({ text }: { readonly text: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const short = text.length <= 20 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`;
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => {
        setCopied(false);
      }, 1_500);
    });
  };
  const shown = copied ? "copied" : short;
  return (
    <button
      type="button"
      class="hash"
      title={text}
      aria-label={`${shown}, copy ${text}`}
      onClick={copy}
    >
      {shown}
    </button>
  );
}

export function Copied({
  label,
  text,
}: {
  readonly label: string;
  readonly text: string;
}): JSX.Element {
  return (
    <div class="call">
      <dt>{label}</dt>
      <dd>
        <code>{text}</code>
        <Copy text={text} what={label} />
      </dd>
    </div>
  );
}

/** A button that copies a text. */
export function Copy({
  text,
  what,
}: {
  readonly text: string;
  readonly what: string;
}): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
    });
  };
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`${copied ? "Copied" : "Copy"}: ${what}`}
      onClick={copy}
    >
      {copied ? "Copied" : "Copy"}
    </button>
  );
}

/** Marks with the words they stand for: colour alone means nothing. */
const MARKS = { pending: "◐", finalized: "●", failed: "✕", held: "‖", elsewhere: "○" } as const;

/** The state of a submission as it is published, as polls see it where a fault holds it, and where its results are. */
export function State({ of }: { readonly of: SubmissionView }): JSX.Element {
  const kind = markKind(of);
  const said = {
    pending: words(of.state),
    finalized: "Finalized",
    failed: "Failed",
    held: `${words(of.held ?? "")}, held`,
    elsewhere: "Finalized on another chain",
  };
  return <Mark kind={kind}>{said[kind]}</Mark>;
}

/** Words of a state behind their mark. */
export function Mark(props: {
  readonly kind: keyof typeof MARKS;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <span class={`state ${props.kind}`}>
      <span aria-hidden="true">{MARKS[props.kind]}</span> {props.children}
    </span>
  );
}

function markKind({ phase, held, isElsewhere }: SubmissionView): keyof typeof MARKS {
  if (held !== undefined) return "held";
  return isElsewhere ? "elsewhere" : phase;
}

/** Writes a published state as words: `CachedMmrRoot` as "Cached MMR root". */
export function words(state: string): string {
  const spaced = state.replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  if (spaced === state) return state;
  const lower = spaced.charAt(0) + spaced.slice(1).toLowerCase();
  return lower.replaceAll(/\b(mmr|pie)\b/gi, (word) => word.toUpperCase());
}

/** Text in which long hex is shortened; its title has the whole. */
export function Short({ text }: { readonly text: string }): JSX.Element {
  const short = text.replaceAll(
    /0x[0-9a-fA-F]{16,}/g,
    (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`,
  );
  return <span title={short === text ? undefined : text}>{short}</span>;
}

/** Returns milliseconds as "12 ms", "0.8 s", "75 s", "2 min 5 s". */
export function elapsed(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds.toFixed(0)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  return `${String(Math.floor(seconds / 60))} min ${String(Math.round(seconds) % 60)} s`;
}

/** Returns a time of today, and the date before any other. */
export function time(iso: string): string {
  const date = new Date(iso);
  const clock = date.toLocaleTimeString("en-GB");
  if (date.toDateString() === new Date().toDateString()) return clock;
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" })} ${clock}`;
}

/** A time, with the whole of it in its title. */
export function Time({ at }: { readonly at: string }): JSX.Element {
  return (
    <time dateTime={at} title={at}>
      {time(at)}
    </time>
  );
}

/** Saves a text as a file. */
export function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

let hasNavigated = false;
addEventListener("hashchange", () => {
  hasNavigated = true;
});

/**
 * A heading that takes the focus when its view is opened from another one, so that a screen reader begins there. The
 * first view leaves it to the browser: the first Tab leads to the link to the content.
 */
export function Title({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasNavigated) heading.current?.focus({ preventScroll: true });
    document.title = `${heading.current?.textContent ?? ""} · hardhat-hdp`;
  }, []);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

interface Work {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  readonly start: () => void;
}

/** Returns work that may fail, to be started by a button or a form. */
function useWork(run: () => Promise<unknown>): Work {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const start = (): void => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    run()
      .catch((error: unknown) => {
        setFailure(errorMessage(error));
      })
      .finally(() => {
        setBusy(false);
      });
  };
  return { isBusy, failure, start };
}

/** A button whose work may fail; the words of the failure stand beside it. Busy, it keeps the focus. */
export function Action(props: {
  readonly label: string;
  /** For screen readers, where several buttons have one label. */
  readonly full?: string;
  readonly run: () => Promise<unknown>;
}): JSX.Element {
  const { isBusy, failure, start } = useWork(props.run);
  return (
    <span class="action">
      <button
        type="button"
        aria-label={props.full ?? props.label}
        aria-disabled={isBusy}
        onClick={start}
      >
        {props.label}
      </button>
      {failure !== undefined && <span role="alert">{failure}</span>}
    </span>
  );
}

/** A form whose work may fail. Enter in a field starts it too. */
export function ActionForm(props: {
  readonly class: string;
  readonly label: string;
  readonly run: () => Promise<unknown>;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { isBusy, failure, start } = useWork(props.run);
  return (
    <form
      class={props.class}
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      {props.children}
      <span class="action">
        <button aria-disabled={isBusy}>{props.label}</button>
        {failure !== undefined && <span role="alert">{failure}</span>}
      </span>
    </form>
  );
}

/** Says why a list is empty. */
export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { SubmissionView } from "../src/request/views.js";

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
  return (
    <button type="button" class="hash" title={text} aria-label={`Copy ${text}`} onClick={copy}>
      {copied ? "copied" : short}
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

function Copy({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
    });
  };
  return (
    <button type="button" class="quiet" aria-label={`Copy: ${what}`} onClick={copy}>
      {copied ? "Copied" : "Copy"}
    </button>
  );
}

/** Marks with the words they stand for: colour alone means nothing. */
const MARKS = { pending: "◐", finalized: "●", failed: "✕", held: "‖" } as const;

/** The state of a submission as it is published, and as polls see it where a fault holds it. */
export function State({
  of: { phase, state, held },
}: {
  readonly of: SubmissionView;
}): JSX.Element {
  const kind = held === undefined ? phase : "held";
  const said = {
    pending: words(state),
    finalized: "Finalized",
    failed: "Failed",
    held: `${words(held ?? "")}, held`,
  };
  return (
    <span class={`state ${kind}`}>
      <span aria-hidden="true">{MARKS[kind]}</span> {said[kind]}
    </span>
  );
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

export function time(iso: string): string {
  return new Date(iso).toLocaleTimeString("en-GB");
}

/** A heading that takes the focus when its page is opened, so that a screen reader begins there. */
export function Title({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    document.title = `${heading.current?.textContent ?? ""} · hardhat-hdp`;
  }, []);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

/** A button whose work may fail; the words of the failure stand beside it. */
export function Action(props: {
  readonly label: string;
  /** For screen readers, where several buttons have one label. */
  readonly full?: string;
  readonly run: () => Promise<void>;
}): JSX.Element {
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    setFailure(undefined);
    props
      .run()
      .catch((error: unknown) => {
        setFailure(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        setBusy(false);
      });
  };
  return (
    <span class="action">
      <button type="button" aria-label={props.full ?? props.label} disabled={busy} onClick={run}>
        {props.label}
      </button>
      {failure !== undefined && <span role="alert">{failure}</span>}
    </span>
  );
}

/** Says why a list is empty. */
export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

import {
  CHAIN_IDENTIFIERS,
  describeTask,
  supportedFunctions,
  inForm,
  isHdpError,
  isStarknet,
  listFields,
  OPERATORS,
  parseTask,
  type TaskForm as Form,
  taskHash,
} from "hardhat-hdp/request";
import { render } from "preact";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { writeTaskCode, type Language } from "./task-code.js";
import { type Choices, type Draft, parseDraft, draftQuery, draftTask } from "./task-draft.js";
import { TaskForm } from "./task-form.js";

const SLOT = { kind: "storage", address: "0x", slot: "0x" } as const;

const CHOICES: Choices = {
  // No datalake samples a Starknet chain.
  chains: CHAIN_IDENTIFIERS.filter((chain) => !isStarknet(chain)),
  fields: {
    header: fieldChoices("header"),
    account: fieldChoices("account"),
    storage: [{ field: "", functions: supportedFunctions(SLOT) }],
    tx: fieldChoices("tx"),
    tx_receipt: fieldChoices("tx_receipt"),
  },
  operators: Object.values(OPERATORS),
};

function fieldChoices(kind: "header" | "account" | "tx" | "tx_receipt"): Choices["fields"][string] {
  return listFields(kind).filter(({ functions }) => functions.length > 0);
}

/** What a draft is: its sentence, hash and code, or what is wrong with it. */
type Outcome =
  | {
      readonly sentence: string;
      readonly warnings: readonly string[];
      readonly hash: string;
      readonly code: Readonly<Record<Language, string>>;
    }
  | { readonly wrong: string };

function draftOutcome(draft: Draft): Outcome {
  try {
    const task = parseTask(draftTask(draft));
    if (task.type === "Module") return { wrong: "a datalake task is expected" };
    const form: Form = draft.form === "datalake" ? "datalake" : "module";
    const hash = taskHash(inForm(task, form));
    const { title, lines, warnings } = describeTask(task);
    return {
      sentence: [title, ...lines].join(", "),
      warnings,
      hash,
      code: writeTaskCode(task, form),
    };
  } catch (error) {
    if (isHdpError(error)) return { wrong: error.message };
    throw error;
  }
}

/** Shows a task that one chooses: what it computes, its hash, and how it is written. Sends nothing. */
function Playground(): JSX.Element {
  const [draft, setDraft] = useState(() => parseDraft(location.search));
  useEffect(() => {
    const query = draftQuery(draft);
    history.replaceState(
      history.state,
      "",
      `${location.pathname}${query && `?${query}`}${location.hash}`,
    );
  }, [draft]);
  const outcome = draftOutcome(draft);
  return (
    <section class="playground" aria-label="Playground">
      <TaskForm draft={draft} choices={CHOICES} report={setDraft} hasForms />
      {"wrong" in outcome ? (
        <p class="wrong" role="alert">
          {outcome.wrong}
        </p>
      ) : (
        <Shown outcome={outcome} />
      )}
    </section>
  );
}

function Shown({
  outcome: { sentence, warnings, hash, code },
}: {
  readonly outcome: Exclude<Outcome, { readonly wrong: string }>;
}): JSX.Element {
  return (
    <>
      <p class="sentence" role="status">
        {sentence}
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="wrong">
          {warning}
        </p>
      ))}
      <Part label="Task hash" text={hash} />
      {Object.entries(code).map(([language, text]) => (
        <Part key={language} label={language} text={text} />
      ))}
    </>
  );
}

function Part({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  const [copied, setCopied] = useState<string>();
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(text);
    });
  };
  return (
    <div class="part">
      <h2>
        {label}
        <button type="button" aria-label={`Copy: ${label}`} onClick={copy}>
          {copied === text ? "Copied" : "Copy"}
        </button>
      </h2>
      {/* Keys scroll it where it is wider than the page. */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </div>
  );
}

/** Shows the playground in an element of a page. */
export function mount(element: Element): void {
  render(<Playground />, element);
}

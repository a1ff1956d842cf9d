import type { JSX } from "preact";

import { changed, type Choices, type Draft, isOfTransactions } from "./task-draft.js";

const KINDS: Readonly<Record<string, string>> = {
  header: "block header",
  account: "account",
  storage: "storage slot",
  tx: "transaction",
  tx_receipt: "receipt",
};
const FUNCTIONS: Readonly<Record<string, string>> = {
  avg: "average",
  sum: "sum",
  min: "minimum",
  max: "maximum",
  count: "count",
};
const FORMS: Readonly<Record<string, string>> = {
  module: "module: today's service",
  datalake: "datalake: stores of 2024",
};

interface Input {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

/** A form in which one chooses a task; each change is reported at once. */
export function TaskForm({
  draft,
  choices,
  report,
  hasForms,
}: {
  readonly draft: Draft;
  readonly choices: Choices;
  readonly report: (draft: Draft) => void;
  /** Whether the form of the hash is asked for. */
  readonly hasForms: boolean;
}): JSX.Element {
  const fields = choices.fields[draft.kind] ?? [];
  const functions = fields.find(({ field }) => field === draft.field)?.functions ?? [];
  const of = (name: keyof Draft, label: string): Input & { readonly key: string } => ({
    key: name,
    label,
    value: draft[name],
    change: (value) => {
      report(changed(draft, { [name]: value }, choices));
    },
  });
  const inTransactions = isOfTransactions(draft);
  return (
    <div class="task-form">
      <Select {...of("chain", "Chain")} options={choices.chains} />
      <Select {...of("kind", "Property of a")} options={Object.keys(KINDS)} names={KINDS} />
      {draft.kind !== "storage" && (
        <Select {...of("field", "Field")} options={fields.map(({ field }) => field)} />
      )}
      {(draft.kind === "account" || draft.kind === "storage") && (
        <Text {...of("address", "Address")} isLong />
      )}
      {draft.kind === "storage" && <Text {...of("slot", "Slot")} isLong />}
      {inTransactions && <Text {...of("block", "Block")} />}
      <Text {...of("from", inTransactions ? "First transaction" : "First block")} />
      <Text {...of("to", inTransactions ? "Before transaction" : "Last block")} />
      <Text {...of("step", "Step")} />
      <Select {...of("fn", "Function")} options={functions} names={FUNCTIONS} />
      {draft.fn === "count" && (
        <Select {...of("operator", "Counted if")} options={choices.operators} />
      )}
      {draft.fn === "count" && <Text {...of("value", "than or to")} />}
      {hasForms && <Select {...of("form", "Form")} options={Object.keys(FORMS)} names={FORMS} />}
    </div>
  );
}

function Select({
  label,
  value,
  change,
  options,
  names = {},
}: Input & {
  readonly options: readonly string[];
  readonly names?: Readonly<Record<string, string>>;
}): JSX.Element {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={(event) => {
          change(event.currentTarget.value);
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {names[option] ?? option}
          </option>
        ))}
      </select>
    </label>
  );
}

function Text({
  label,
  value,
  change,
  isLong = false,
}: Input & { readonly isLong?: boolean }): JSX.Element {
  return (
    <label class={isLong ? "long" : undefined}>
      {label}
      <input
        value={value}
        spellcheck={false}
        autocomplete="off"
        inputMode={isLong ? "text" : "numeric"}
        onInput={(event) => {
          change(event.currentTarget.value);
        }}
      />
    </label>
  );
}

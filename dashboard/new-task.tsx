import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { CHAIN_IDENTIFIERS, isStarknet } from "../src/request/chains.js";
import { AGGREGATE_FUNCTIONS } from "../src/request/fields.js";
import { listFields } from "../src/request/field-support.js";
import { Action, Title } from "./parts.js";
import { act } from "./server.js";
import { type Choices, FIRST_DRAFT, draftTask } from "./task-draft.js";
import { TaskForm } from "./task-form.js";

const fieldChoices = (
  kind: "header" | "account" | "tx" | "tx_receipt",
): Choices["fields"][string] => listFields(kind).filter(({ functions }) => functions.length > 0);

const CHOICES: Choices = {
  chains: CHAIN_IDENTIFIERS.filter((chain) => !isStarknet(chain)),
  fields: {
    header: fieldChoices("header"),
    account: fieldChoices("account"),
    storage: [{ field: "", functions: AGGREGATE_FUNCTIONS }],
    tx: fieldChoices("tx"),
    tx_receipt: fieldChoices("tx_receipt"),
  },
  operators: ["eq", "nq", "gt", "gteq", "lt", "lteq"],
};

/** A form for a task, with a button that has the server run it. */
export function NewTask(): JSX.Element {
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const run = async (): Promise<void> => {
    await act("/tasks", { destinationChainId: draft.chain, tasks: [draftTask(draft)] });
    location.hash = "#/submissions";
  };
  return (
    <>
      <Title>New task</Title>
      <TaskForm draft={draft} choices={CHOICES} report={setDraft} hasForms={false} />
      <p>
        <Action label="Run" run={run} />
      </p>
    </>
  );
}

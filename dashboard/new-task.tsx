import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { CHAIN_IDENTIFIERS, isStarknet } from "../src/request/chains.js";
import { AGGREGATE_FUNCTIONS, listFields } from "../src/request/fields.js";
import { Action, Title } from "./parts.js";
import { act } from "./server.js";
import { type Choices, FIRST_DRAFT, taskJsonOf } from "./task-draft.js";
import { TaskForm } from "./task-form.js";

const fieldsOf = (kind: "header" | "account" | "tx" | "tx_receipt"): Choices["fields"][string] =>
  listFields(kind).filter(({ functions }) => functions.length > 0);

const CHOICES: Choices = {
  chains: CHAIN_IDENTIFIERS.filter((chain) => !isStarknet(chain)),
  fields: {
    header: fieldsOf("header"),
    account: fieldsOf("account"),
    storage: [{ field: "", functions: AGGREGATE_FUNCTIONS }],
    tx: fieldsOf("tx"),
    tx_receipt: fieldsOf("tx_receipt"),
  },
  operators: ["eq", "nq", "gt", "gteq", "lt", "lteq"],
};

/** A form for a task, with a button that has the server run it. */
export function NewTask(): JSX.Element {
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const run = async (): Promise<void> => {
    await act("/tasks", { destinationChainId: draft.chain, tasks: [taskJsonOf(draft)] });
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

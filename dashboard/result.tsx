import type { JSX } from "preact";

import type { ResultView, ServerView, TaskView } from "../src/request/views.js";
import { Copied, Hash } from "./parts.js";
import { valueText } from "./submissions.js";
import { grouped } from "./units.js";

/** A finalized result, and how contracts and people read it. */
export function Result(props: {
  readonly view: ServerView;
  readonly hash: string;
  readonly form: TaskView["form"];
  readonly result: ResultView;
  readonly isReadable: boolean;
}): JSX.Element {
  const { view, hash, form, result, isReadable } = props;
  const { word, value, spoken, transactionHash, blockNumber } = result;
  const { executionStore: store, chainUrl } = view;
  return (
    <>
      <p class="value">
        <strong>{valueText(result)}</strong>
        {spoken !== undefined && value !== undefined && <span class="exact">{grouped(value)}</span>}
      </p>
      <dl class="facts">
        <dt>Word</dt>
        <dd>
          <Hash text={word} />
          {form === "module" && ", the root of the value: module form"}
        </dd>
        {transactionHash !== undefined && <dt>Transaction</dt>}
        {transactionHash !== undefined && (
          <dd>
            <Hash text={transactionHash} />
            {blockNumber !== undefined && ` in block ${grouped(blockNumber)}`}
          </dd>
        )}
      </dl>
      {store !== undefined && isReadable && (
        <details>
          <summary>Read it</summary>
          <dl class="calls">
            <Copied label="In a contract" text={callText(props, store)} />
            <Copied label="In a test" text={`await hdp.readResult("${hash}")`} />
            <Copied label="On the command line" text={`npx hardhat hdp:result ${hash}`} />
            {chainUrl !== undefined && (
              <Copied
                label="With cast, from a satellite"
                text={`cast call ${store} "getDataProcessorFinalizedTaskResult(bytes32)(bytes32)" ${hash} --rpc-url ${chainUrl}`}
              />
            )}
          </dl>
        </details>
      )}
    </>
  );
}

/** Returns how a contract checks the value in either form; of a module of the user, how it reads the word. */
function callText(
  { hash, form, result: { value } }: Parameters<typeof Result>[0],
  store: string,
): string {
  if (form === undefined || value === undefined) return `HdpResults.read(${store}, ${hash})`;
  const variant = form === "module" ? "Module" : "Datalake";
  return `HdpResults.requireValue(${store}, HdpTask(${hash}, HdpForm.${variant}), ${value})`;
}

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import type {
  ResultView,
  RunView,
  ServerView,
  SubmissionView,
  TaskView,
} from "../src/request/views.js";
import { Action, Copied, elapsed, Empty, Hash, Short, State, time, Title, words } from "./parts.js";
import { Run } from "./run.js";
import { act, ask } from "./server.js";
import { grouped } from "./units.js";

/** Lists the submissions. */
export function Submissions({
  view: { submissions, totals },
}: {
  readonly view: ServerView;
}): JSX.Element {
  return (
    <>
      <Title>Submissions</Title>
      {submissions.length === 0 ? (
        <Empty>
          Nothing was submitted yet. From a project:{" "}
          <code>npx hardhat hdp:submit tasks/fee.json</code>
        </Empty>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Tasks</th>
              <th scope="col">Result</th>
              <th scope="col" class="number">
                Received
              </th>
            </tr>
          </thead>
          <tbody>
            {submissions.map((submission) => (
              <Row key={submission.id} submission={submission} />
            ))}
          </tbody>
        </table>
      )}
      {totals.submissions > submissions.length && (
        <p class="note">
          The newest {submissions.length} of {grouped(totals.submissions)}.
        </p>
      )}
    </>
  );
}

function titleOf({ tasks: [first], taskCount }: SubmissionView): string {
  return `${first?.title ?? "no tasks"}${taskCount < 2 ? "" : ` and ${grouped(taskCount - 1)} more`}`;
}

function Row({ submission }: { readonly submission: SubmissionView }): JSX.Element {
  const { id, tasks, transitions, error } = submission;
  const [first] = tasks;
  return (
    <tr>
      <td>
        <State of={submission} />
      </td>
      <td class="subject">
        <a href={`#/submissions/${encodeURIComponent(id)}`}>
          <Short text={titleOf(submission)} />
        </a>
        <span class="detail">{first?.lines[0]}</span>
      </td>
      <td class="result">
        <span>{error ?? resultText(first?.result)}</span>
      </td>
      <td class="number">{time(transitions[0]?.at ?? "")}</td>
    </tr>
  );
}

function resultText(result: ResultView | undefined): string {
  if (result === undefined) return "";
  return result.spoken ?? valueText(result.word);
}

/** A word as a number; one that is too long to be one stays a word. */
function valueText(word: string): string {
  const value = BigInt(word);
  return value < 2n ** 128n ? grouped(value) : `${word.slice(0, 10)}…${word.slice(-8)}`;
}

/** Shows one submission. */
export function Submission({
  view,
  id,
}: {
  readonly view: ServerView;
  readonly id: string;
}): JSX.Element {
  const submission = view.submissions.find((one) => one.id === id);
  if (submission === undefined) {
    return (
      <>
        <Title>No such submission</Title>
        <Empty>
          It is not among the newest {view.submissions.length}.{" "}
          <a href="#/submissions">All submissions</a>
        </Empty>
      </>
    );
  }
  const { tasks, taskCount, error, held, phase, edition, destination } = submission;
  return (
    <>
      <p class="above">
        <a href="#/submissions">Submissions</a>
      </p>
      <Title>
        <Short text={titleOf(submission)} />
      </Title>
      <p class="state-line" aria-live="polite">
        <State of={submission} />
        {held !== undefined && (
          <Action
            label="Release"
            full="Release from its fault"
            run={async () => await act("/dashboard/release", { id })}
          />
        )}
        {phase === "failed" && (
          <Action
            label="Retry"
            run={async () => await act(`/tasks/${encodeURIComponent(id)}/retry`, {})}
          />
        )}
      </p>
      {error !== undefined && <p class="failure">{error}</p>}
      <TimeLine submission={submission} />
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <Hash text={id} />
        </dd>
        <dt>Destination</dt>
        <dd>{destination}</dd>
        <dt>API version</dt>
        <dd>{edition}</dd>
      </dl>
      {tasks.map((task, position) => (
        <Task key={position} {...{ view, submission, task, position }} />
      ))}
      {taskCount > tasks.length && (
        <p class="note">and {grouped(taskCount - tasks.length)} more tasks</p>
      )}
    </>
  );
}

/** The states that a submission has passed, with the time since it was received; of a batch also those to come. */
function TimeLine({
  submission: { transitions, batch, phase },
}: {
  readonly submission: SubmissionView;
}): JSX.Element {
  const steps = batch ?? transitions;
  const start = Date.parse(transitions[0]?.at ?? "");
  return (
    <ol class="timeline" aria-label={batch === undefined ? "Time line" : "Time line of the batch"}>
      {steps.map(({ state, at }, index) => {
        const key = `${String(index)}${state}`;
        const step = <span class="step">{words(state)}</span>;
        if (at === undefined) {
          return (
            <li key={key} class="ahead">
              {step}
              <span class="when">to come</span>
            </li>
          );
        }
        const isLast = steps[index + 1]?.at === undefined;
        const when = index === 0 ? time(at) : `+ ${elapsed(Date.parse(at) - start)}`;
        return (
          <li
            key={key}
            class={isLast ? `here ${phase}` : "passed"}
            aria-current={isLast ? "step" : undefined}
          >
            {step}
            <span class="when">{when}</span>
          </li>
        );
      })}
    </ol>
  );
}

function Task(props: {
  readonly view: ServerView;
  readonly submission: SubmissionView;
  readonly task: TaskView;
  readonly position: number;
}): JSX.Element {
  const { view, submission, task, position } = props;
  const { hash, title, result } = task;
  return (
    <section class="task">
      <h2>
        {submission.taskCount === 1 ? (
          "Result"
        ) : (
          <Short text={`Task ${String(position + 1)}: ${title}`} />
        )}
      </h2>
      {result === undefined ? (
        <p class="note">
          {submission.phase === "pending" ? "Not finalized yet." : "There is no result."}
        </p>
      ) : (
        <Result {...{ view, hash, result }} />
      )}
      <Explained
        id={submission.id}
        position={position}
        isShort={submission.taskCount === 1}
        stored={result?.word}
      />
    </section>
  );
}

/** A finalized result, and how contracts and people read it. */
function Result(props: {
  readonly view: ServerView;
  readonly hash: string;
  readonly result: ResultView;
}): JSX.Element {
  const { view, hash, result } = props;
  const { word, spoken, transactionHash } = result;
  const { executionStore: store, chainUrl } = view;
  return (
    <>
      <p class="value">
        <strong>{spoken ?? valueText(word)}</strong>
        {spoken !== undefined && <span class="exact">{grouped(BigInt(word))}</span>}
      </p>
      <dl class="facts">
        <dt>Word</dt>
        <dd>
          <Hash text={word} />
        </dd>
        {transactionHash !== undefined && <dt>Transaction</dt>}
        {transactionHash !== undefined && (
          <dd>
            <Hash text={transactionHash} />
          </dd>
        )}
      </dl>
      {store !== undefined && (
        <details>
          <summary>Read it</summary>
          <dl class="calls">
            <Copied label="In a contract" text={`HdpResults.read(${store}, ${hash})`} />
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

/** What a value is made of: computed again by the server when it is asked for. */
function Explained(props: {
  readonly id: string;
  readonly position: number;
  readonly isShort: boolean;
  readonly stored: string | undefined;
}): JSX.Element {
  const { id, position, isShort, stored } = props;
  const [wanted, setWanted] = useState(isShort);
  const [run, setRun] = useState<RunView>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (!wanted) return;
    ask(`/dashboard/tasks/${encodeURIComponent(id)}/${String(position)}`).then(
      (found) => {
        setRun(found as RunView);
      },
      (error: unknown) => {
        setFailure(error instanceof Error ? error.message : String(error));
      },
    );
  }, [wanted, id, position]);
  if (!wanted) {
    return (
      <button
        type="button"
        class="quiet"
        onClick={() => {
          setWanted(true);
        }}
      >
        Show what it is made of
      </button>
    );
  }
  return (
    <div class="explained">
      <h3>
        What it is made of <small>computed again on the chain as it is now</small>
      </h3>
      {failure !== undefined && <p class="failure">{failure}</p>}
      {run === undefined && failure === undefined && <p class="note">Reading the chain.</p>}
      {run !== undefined && <Run run={run} stored={stored} />}
    </div>
  );
}

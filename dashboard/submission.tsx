import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type {
  RunView,
  ServerView,
  SubmissionDetails,
  SubmissionView,
  TaskView,
} from "../src/request/views.js";
import { Action, Copy, elapsed, Empty, Hash, Short, State, Time, Title, words } from "./parts.js";
import { Result } from "./result.js";
import { Run } from "./run.js";
import { act, useAsked } from "./server.js";
import { submissionAddress, SubmissionTable, submissionTitle } from "./submissions.js";
import { grouped } from "./units.js";

/** Tasks that are shown before the others are asked for. */
const SHOWN_TASKS = 50;

interface Shown {
  readonly view: ServerView;
  readonly isLive: boolean;
}

/** Shows the submission of an id. */
export function Submission({ id, ...shown }: Shown & { readonly id: string }): JSX.Element {
  const { view, isLive } = shown;
  const streamed = view.submissions.find((one) => one.id === id);
  const [acted, setActed] = useState(0);
  const version = JSON.stringify([acted, streamed]);
  const path = `/dashboard/submissions/${encodeURIComponent(id)}`;
  const { found, failure } = useAsked<SubmissionDetails>(path, isLive, version);
  const submission = found ?? streamed;
  if (submission === undefined) {
    return (
      <>
        <Title>{failure === undefined ? "Submission" : "No such submission"}</Title>
        <Empty>
          {failure ?? "Reading the server."} <a href="#/submissions">All submissions</a>
        </Empty>
      </>
    );
  }
  const reread = (): void => {
    setActed(acted + 1);
  };
  return (
    <>
      <p class="above">
        <a href="#/submissions">Submissions</a>
      </p>
      <Title>
        <Short text={submissionTitle(submission)} />
      </Title>
      <StateLine submission={submission} reread={reread} />
      <Failure of={submission} />
      <TimeLine submission={submission} />
      <Facts submission={submission} />
      {found !== undefined && <More details={found} />}
      <Tasks {...shown} submission={submission} />
    </>
  );
}

function StateLine(props: {
  readonly submission: SubmissionView;
  readonly reread: () => void;
}): JSX.Element {
  const { submission, reread } = props;
  const { id, held, phase } = submission;
  const again = async (): Promise<void> => {
    const made = (await act("/dashboard/again", { id })) as { readonly id: string };
    location.hash = submissionAddress(made.id);
  };
  return (
    <p class="state-line" aria-live="polite">
      <State of={submission} />
      {held !== undefined && (
        <Action
          label="Release"
          full="Release from its fault"
          run={async () => {
            await act("/dashboard/release", { id });
            reread();
          }}
        />
      )}
      {phase === "failed" && (
        <Action
          label="Retry"
          run={async () => {
            await act("/dashboard/retry", { id });
            reread();
          }}
        />
      )}
      {phase !== "pending" && <Action label="Submit again" run={again} />}
    </p>
  );
}

/** Says why there is no result that can be read, with the page of the error. */
export function Failure(props: {
  readonly of: Partial<Pick<SubmissionDetails, "error" | "errorPage" | "isElsewhere">>;
}): JSX.Element {
  const { error, errorPage, isElsewhere = false } = props.of;
  return (
    <>
      {isElsewhere && (
        <p class="failure">
          Its results were finalized on another chain, or in another store, than this server has
          now: reading them here reverts. Submit it again to finalize them here.
        </p>
      )}
      {error !== undefined && <p class="failure">{error}</p>}
      {errorPage !== undefined && (
        <p class="help">
          <a href={errorPage} rel="noreferrer">
            What this error means, and the next step
          </a>
        </p>
      )}
    </>
  );
}

function Facts({ submission }: { readonly submission: SubmissionView }): JSX.Element {
  const { id, destination, edition, transitions } = submission;
  const [first] = transitions;
  return (
    <dl class="facts">
      <dt>Id</dt>
      <dd>
        <Hash text={id} />
      </dd>
      <dt>Received</dt>
      <dd>{first !== undefined && new Date(first.at).toLocaleString("en-GB")}</dd>
      <dt>Destination</dt>
      <dd>{destination}</dd>
      <dt>API version</dt>
      <dd>{edition}</dd>
    </dl>
  );
}

/** What is asked of the server for one submission: sources, programs, webhook, request and other runs. */
function More({ details }: { readonly details: SubmissionDetails }): JSX.Element {
  const { sources, programs, webhook, request, others } = details;
  return (
    <>
      <dl class="facts">
        {sources.length > 0 && <dt>Read from</dt>}
        {sources.length > 0 && <dd>{sources.join(", ")}</dd>}
        {programs.map(({ hash, about }) => (
          <>
            <dt>Program</dt>
            <dd>
              <Hash text={hash} /> {about}
            </dd>
          </>
        ))}
        {webhook !== undefined && <dt>Webhook</dt>}
        {webhook !== undefined && (
          <dd>
            {webhook.url}
            {webhook.attempts === undefined && <span class="exact">not delivered yet</span>}
            {webhook.attempts?.map(({ at, answer }) => (
              <span class="exact" key={at}>
                <Time at={at} />: answered {answer}
              </span>
            ))}
          </dd>
        )}
      </dl>
      {request !== undefined && (
        <details>
          <summary>Request as JSON</summary>
          <Copy text={request} what="the request as JSON" />
          <pre class="scroll" tabIndex={0} role="group" aria-label="Request as JSON">
            {request}
          </pre>
        </details>
      )}
      {others.length > 0 && (
        <details>
          <summary>{grouped(others.length)} other submissions of this task</summary>
          <SubmissionTable submissions={others} comparedTo={details.id} />
        </details>
      )}
    </>
  );
}

function Tasks(props: Shown & { readonly submission: SubmissionView }): JSX.Element {
  const { submission, ...shown } = props;
  const { tasks, taskCount } = submission;
  const [most, setMost] = useState(SHOWN_TASKS);
  const left = taskCount - Math.min(most, tasks.length);
  return (
    <>
      {tasks.slice(0, most).map((task, position) => (
        <Task key={position} {...shown} submission={submission} task={task} position={position} />
      ))}
      {left > 0 && (
        <p>
          <button
            type="button"
            onClick={() => {
              setMost(most + SHOWN_TASKS);
            }}
          >
            Show {Math.min(left, SHOWN_TASKS)} of {grouped(left)} more tasks
          </button>
        </p>
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
        const when = index === 0 ? <Time at={at} /> : `+ ${elapsed(Date.parse(at) - start)}`;
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

function Task(
  props: Shown & {
    readonly submission: SubmissionView;
    readonly task: TaskView;
    readonly position: number;
  },
): JSX.Element {
  const { view, isLive, submission, task, position } = props;
  const { hash, title, lines, form, result, isComputed } = task;
  return (
    <section class="task">
      <h2>
        {submission.taskCount === 1 ? (
          "Result"
        ) : (
          <Short text={`Task ${String(position + 1)}: ${title}`} />
        )}
      </h2>
      {lines.map((line) => (
        <p class="what" key={line}>
          <Short text={line} />
        </p>
      ))}
      {result === undefined ? (
        <p class="note">
          {submission.phase === "pending" ? "Not finalized yet." : "There is no result."}
        </p>
      ) : (
        <Result
          view={view}
          hash={hash}
          form={form}
          result={result}
          isReadable={!submission.isElsewhere}
        />
      )}
      {isComputed && (
        <Explained
          id={submission.id}
          position={position}
          isShort={submission.taskCount === 1}
          stored={result?.word}
          isLive={isLive}
        />
      )}
    </section>
  );
}

/** What a value is made of: computed again by the server when it is asked for. */
function Explained(props: {
  readonly id: string;
  readonly position: number;
  readonly isShort: boolean;
  readonly stored: string | undefined;
  readonly isLive: boolean;
}): JSX.Element {
  const { id, position, isShort, stored, isLive } = props;
  const [wanted, setWanted] = useState(isShort);
  const path = `/dashboard/tasks/${encodeURIComponent(id)}/${String(position)}`;
  const { found: run, failure } = useAsked<RunView>(wanted ? path : undefined, isLive);
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
      {run !== undefined && <Run run={run} stored={stored} hasTitle />}
    </div>
  );
}

import type { JSX } from "preact";

import type { SubmissionDetails, TaskView } from "../src/request/views.js";
import { elapsed, Empty, Short, time, Title, words } from "./parts.js";
import { useAsked } from "./server.js";
import { submissionAddress, submissionTitle, valueText } from "./submissions.js";
import { grouped } from "./units.js";

/** Tasks of a submission that are compared. */
const COMPARED_TASKS = 50;

type Fact = readonly [name: string, text: string];

/** Shows two submissions beside each other, and in what they differ. */
export function Compare(props: {
  readonly id: string;
  readonly other: string;
  readonly isLive: boolean;
}): JSX.Element {
  const { id, other, isLive } = props;
  const one = useAsked<SubmissionDetails>(submissionPath(id), isLive);
  const two = useAsked<SubmissionDetails>(submissionPath(other), isLive);
  const failure = one.failure ?? two.failure;
  return (
    <>
      <p class="above">
        <a href={submissionAddress(id)}>Submission</a>
      </p>
      <Title>Two submissions</Title>
      {failure !== undefined && <Empty>{failure}</Empty>}
      {one.found !== undefined && two.found !== undefined && (
        <Comparison one={one.found} two={two.found} />
      )}
    </>
  );
}

function submissionPath(id: string): string {
  return `/dashboard/submissions/${encodeURIComponent(id)}`;
}

function Comparison(props: {
  readonly one: SubmissionDetails;
  readonly two: SubmissionDetails;
}): JSX.Element {
  const { one, two } = props;
  const [first, second] = [new Map(facts(one)), new Map(facts(two))];
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const rows = names.map((name) => {
    const texts = [first.get(name) ?? "", second.get(name) ?? ""] as const;
    return { name, texts, differs: texts[0] !== texts[1] };
  });
  const differing = rows.filter(({ differs }) => differs).length;
  return (
    <>
      <p>
        They differ in {grouped(differing)} of {grouped(rows.length)} facts.
      </p>
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">Fact</th>
            {[one, two].map((submission) => (
              <th scope="col" key={submission.id}>
                <a href={submissionAddress(submission.id)}>
                  <Short text={submissionTitle(submission)} />
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, texts, differs }) => (
            <tr key={name} class={differs ? "differs" : undefined}>
              <th scope="row">
                {name}
                {differs && <span class="detail">differs</span>}
              </th>
              <td>
                <Short text={texts[0]} />
              </td>
              <td>
                <Short text={texts[1]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Returns what is compared of a submission. */
function facts(submission: SubmissionDetails): readonly Fact[] {
  const { id, state, transitions, destination, edition, sources, error, tasks } = submission;
  const received = transitions[0]?.at ?? "";
  const took = Date.parse(transitions.at(-1)?.at ?? "") - Date.parse(received);
  const ofTasks = tasks
    .slice(0, COMPARED_TASKS)
    .flatMap((task, position) =>
      taskFacts(task, tasks.length === 1 ? "" : `Task ${String(position + 1)}: `),
    );
  return [
    ["Id", id],
    ["State", words(state)],
    ["Received", time(received)],
    ["Took", elapsed(took)],
    ["Error", error ?? "none"],
    ["Destination", destination],
    ["API version", edition],
    ["Read from", sources.join(", ")],
    ["Programs", programText(submission)],
    ...ofTasks,
  ];
}

function programText({ programs }: SubmissionDetails): string {
  if (programs.length === 0) return "none";
  return programs.map(({ hash, about }) => `${hash} ${about}`).join(", ");
}

function taskFacts({ hash, title, lines, form, result }: TaskView, of: string): readonly Fact[] {
  return [
    [`${of}Task`, [title, ...lines].join(", ")],
    [`${of}Task hash`, hash],
    [`${of}Form`, form ?? "module of the user"],
    [`${of}Result`, result === undefined ? "none" : valueText(result)],
    [`${of}Word`, result?.word ?? "none"],
    [`${of}Transaction`, result?.transactionHash ?? "none"],
    [`${of}Block`, result?.blockNumber ?? "none"],
  ];
}

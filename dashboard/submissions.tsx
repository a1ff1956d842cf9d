import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import type {
  ResultView,
  ServerView,
  SubmissionsView,
  SubmissionView,
} from "../src/request/views.js";
import { Empty, Short, State, Time, Title } from "./parts.js";
import { useAsked } from "./server.js";
import { grouped } from "./units.js";

/** Milliseconds after a key before the list is searched. */
const SEARCH_PAUSE = 250;

/** Lists the submissions that the address selects: `#/submissions?search=gas&state=failed&page=2`. */
export function Submissions(props: {
  readonly view: ServerView;
  readonly query: URLSearchParams;
  readonly isLive: boolean;
}): JSX.Element {
  const { view, query, isLive } = props;
  const page = Math.max(1, Number(query.get("page") ?? 1) || 1);
  const isNewest = page === 1 && !query.has("search") && !query.has("state");
  // The stream has the newest ones. Any other page is asked for again when one of them changes.
  const version = JSON.stringify([
    view.totals.submissions,
    view.submissions.map(({ id, state, held }) => [id, state, held]),
  ]);
  const path = `/dashboard/submissions?${query.toString()}`;
  const { found, failure } = useAsked<SubmissionsView>(
    isNewest ? undefined : path,
    isLive,
    version,
  );
  const newest = { submissions: view.submissions, total: view.totals.submissions, perPage: 100 };
  const shown = isNewest ? newest : found;
  return (
    <>
      <Title>Submissions</Title>
      <Filters query={query} />
      {failure !== undefined && <p class="failure">{failure}</p>}
      {shown === undefined && failure === undefined && <p class="note">Searching.</p>}
      {shown?.total === 0 && <NoSubmissions isFiltered={!isNewest} />}
      {shown !== undefined && shown.submissions.length > 0 && (
        <SubmissionTable submissions={shown.submissions} />
      )}
      {shown !== undefined && <Pages query={query} page={page} {...shown} />}
    </>
  );
}

function NoSubmissions({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  if (isFiltered) {
    return (
      <Empty>
        No submission is selected. <a href="#/submissions">All submissions</a>
      </Empty>
    );
  }
  return (
    <Empty>
      Nothing was submitted yet. From a project: <code>npx hardhat hdp:submit tasks/fee.json</code>
    </Empty>
  );
}

/** Returns the address of a list; values that are empty are left out. */
function listAddress(values: Readonly<Record<string, string>>): string {
  const filled = Object.entries(values).filter(([, value]) => value !== "");
  const query = new URLSearchParams(filled).toString();
  return `#/submissions${query === "" ? "" : `?${query}`}`;
}

function Filters({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const given = query.get("search") ?? "";
  const state = query.get("state") ?? "";
  const [search, setSearch] = useState(given);
  useEffect(() => {
    setSearch(given);
  }, [given]);
  useEffect(() => {
    if (search === given) return undefined;
    const timer = setTimeout(() => {
      location.replace(listAddress({ search, state }));
    }, SEARCH_PAUSE);
    return () => {
      clearTimeout(timer);
    };
  }, [search]);
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = listAddress({ search, state });
      }}
    >
      <label>
        Search
        <input
          type="search"
          value={search}
          placeholder="title, hash, id, program, state"
          spellcheck={false}
          onInput={(event) => {
            setSearch(event.currentTarget.value);
          }}
        />
      </label>
      <label>
        State
        <select
          value={state}
          onChange={(event) => {
            location.hash = listAddress({ search, state: event.currentTarget.value });
          }}
        >
          <option value="">all</option>
          <option value="pending">under way</option>
          <option value="finalized">finalized</option>
          <option value="failed">failed</option>
        </select>
      </label>
    </form>
  );
}

function Pages(props: {
  readonly query: URLSearchParams;
  readonly page: number;
  readonly total: number;
  readonly perPage: number;
}): JSX.Element | null {
  const { query, page, total, perPage } = props;
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1) return null;
  const [search, state] = [query.get("search") ?? "", query.get("state") ?? ""];
  const to = (number: number): string =>
    listAddress({ search, state, page: number === 1 ? "" : String(number) });
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && <a href={to(page - 1)}>Newer</a>}
      <span>
        Page {grouped(page)} of {grouped(last)}, {grouped(total)} submissions
      </span>
      {page < last && <a href={to(page + 1)}>Older</a>}
    </nav>
  );
}

/** Lists submissions as a table. */
export function SubmissionTable({
  submissions,
  comparedTo,
}: {
  readonly submissions: readonly SubmissionView[];
  /** Id of a submission that each of them can be compared to. */
  readonly comparedTo?: string | undefined;
}): JSX.Element {
  return (
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
          <Row key={submission.id} submission={submission} comparedTo={comparedTo} />
        ))}
      </tbody>
    </table>
  );
}

/** Returns the address of a submission, or of its comparison with another one. */
export function submissionAddress(id: string, other?: string): string {
  const query = other === undefined ? "" : `?with=${encodeURIComponent(other)}`;
  return `#/submissions/${encodeURIComponent(id)}${query}`;
}

/** Returns the title of a submission: that of its first task. */
export function submissionTitle({ tasks: [first], taskCount }: SubmissionView): string {
  return `${first?.title ?? "no tasks"}${taskCount < 2 ? "" : ` and ${grouped(taskCount - 1)} more`}`;
}

function Row({
  submission,
  comparedTo,
}: {
  readonly submission: SubmissionView;
  readonly comparedTo: string | undefined;
}): JSX.Element {
  const { id, tasks, transitions, error } = submission;
  const [first] = tasks;
  return (
    <tr>
      <td>
        <State of={submission} />
      </td>
      <td class="subject">
        <a href={submissionAddress(id)}>
          <Short text={submissionTitle(submission)} />
        </a>
        <span class="detail">{first?.lines[0]}</span>
        {comparedTo !== undefined && (
          <a href={submissionAddress(comparedTo, id)}>Compare with {id.slice(0, 8)}</a>
        )}
      </td>
      <td class="result">
        <span>{error ?? resultText(first?.result)}</span>
      </td>
      <td class="number">
        <Time at={transitions[0]?.at ?? ""} />
      </td>
    </tr>
  );
}

function resultText(result: ResultView | undefined): string {
  if (result === undefined) return "";
  return valueText(result);
}

/** Returns a result in its unit, or as a number; one that is too long to be read is shortened, as hex. */
export function valueText({ spoken, value: text }: ResultView): string {
  if (text === undefined) return "the root of another value";
  const value = BigInt(text);
  if (spoken !== undefined) return spoken;
  if (value < 2n ** 128n) return grouped(value);
  const word = value.toString(16).padStart(64, "0");
  return `0x${word.slice(0, 8)}…${word.slice(-8)}`;
}

import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";

import type { ServerView } from "../src/request/views.js";
import { Action, ActionForm, Empty, Hash, Title } from "./parts.js";
import { act } from "./server.js";
import { submissionAddress } from "./submissions.js";
import { grouped } from "./units.js";

interface Shown {
  readonly view: ServerView;
}

/** Lists the uploaded programs. */
export function Programs({ view: { programs, totals } }: Shown): JSX.Element {
  return (
    <>
      <Title>Programs</Title>
      {programs.length === 0 ? (
        <Empty>
          No program was uploaded yet. From a project: <code>npx hardhat hdp:program:upload</code>
        </Empty>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Program hash</th>
              <th scope="col">Layout</th>
              <th scope="col" class="number">
                Compiler
              </th>
              <th scope="col" class="number">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {programs.map(({ hash, layout, version, bytes }) => (
              <tr key={hash}>
                <td class="subject">
                  <Hash text={hash} />
                </td>
                <td>{layout}</td>
                <td class="number">version {version}</td>
                <td class="number">{grouped(Math.ceil(bytes / 1_000))} kB</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <More shown={programs.length} total={totals.programs} />
    </>
  );
}

/** Says that a list is not all there is. */
export function More({
  shown,
  total,
}: {
  readonly shown: number;
  readonly total: number;
}): JSX.Element | null {
  if (total <= shown) return null;
  return (
    <p class="note">
      The newest {shown} of {grouped(total)}.
    </p>
  );
}

/** When a fault happens, by the moment it waits for. */
const MOMENTS: Readonly<Record<string, string>> = {
  submission: "the next submission",
  call: "the next calls",
  finalization: "the next results that are stored",
};

/** Lists the faults that wait. */
export function Faults({ view: { faults, submissions } }: Shown): JSX.Element {
  if (faults === undefined) {
    return (
      <>
        <Title>Faults</Title>
        <Empty>This server was started without a fault queue.</Empty>
      </>
    );
  }
  return (
    <>
      <Title>Faults</Title>
      <p>Each fault happens once, in this order among those that wait for the same moment.</p>
      <Inject kinds={faults.kinds} />
      <Waiting faults={faults} />
      <Held submissions={submissions.filter((one) => one.held !== undefined)} />
    </>
  );
}

/** Returns the id of a list's heading with a function that focuses it: a row that is acted on goes. */
function useHeading(): { readonly id: string; readonly focus: () => void } {
  const id = useId();
  return { id, focus: () => document.getElementById(id)?.focus() };
}

function Waiting({
  faults: { waiting, kinds },
}: {
  readonly faults: NonNullable<ServerView["faults"]>;
}): JSX.Element {
  const { id: headingId, focus } = useHeading();
  return (
    <>
      <h2 id={headingId} tabIndex={-1}>
        Waiting
      </h2>
      {waiting.length === 0 && <Empty>No fault waits: everything goes as it should.</Empty>}
      <ol class="rows">
        {waiting.map((fault, position) => (
          <li key={`${String(position)}${fault}`}>
            <code>{fault}</code>
            <span class="detail">for {faultMoment(kinds, fault)}</span>
            <Action
              label="Stop"
              full={`Stop ${fault}`}
              run={async () => {
                await act("/dashboard/faults/stop", { position, fault });
                focus();
              }}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

function Held({ submissions }: Pick<ServerView, "submissions">): JSX.Element {
  const { id: headingId, focus } = useHeading();
  return (
    <>
      <h2 id={headingId} tabIndex={-1}>
        Held submissions
      </h2>
      {submissions.length === 0 && <Empty>No submission is held by a fault.</Empty>}
      <ul class="rows">
        {submissions.map(({ id, held, tasks: [first] }) => (
          <li key={id}>
            <a href={submissionAddress(id)}>{first?.title ?? id}</a>
            <span class="detail">polls are answered {held}</span>
            <Action
              label="Release"
              full={`Release ${first?.title ?? id}`}
              run={async () => {
                await act("/dashboard/release", { id });
                focus();
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

type Kinds = NonNullable<ServerView["faults"]>["kinds"];

function faultMoment(kinds: Kinds, fault: string): string {
  const found = kinds.find(({ kind }) => kind === fault.split(":", 1)[0]);
  return MOMENTS[found?.moment ?? ""] ?? "its moment";
}

/** Forms filled in, to begin from. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "stuck-at": "CachedMmrRoot",
  "fails-at": "DryRunFailed:out of steps",
  "unknown-state": "Migrating:3",
  "http-burst": "503:3",
  "wrong-result": `0x${"0".repeat(63)}1`,
  "late-finalization": "5",
  reorg: "2",
};

function Inject({ kinds }: { readonly kinds: Kinds }): JSX.Element {
  const [kind, setKind] = useState(kinds[0]?.kind ?? "");
  const [details, setDetails] = useState(EXAMPLES[kind] ?? "");
  const form = kinds.find((one) => one.kind === kind)?.form ?? "";
  const inject = async (): Promise<void> => {
    await act("/dashboard/faults", { faults: form === "" ? kind : `${kind}:${details}` });
  };
  return (
    <ActionForm class="inject" label="Inject" run={inject}>
      <label>
        Fault
        <select
          value={kind}
          onChange={(event) => {
            setKind(event.currentTarget.value);
            setDetails(EXAMPLES[event.currentTarget.value] ?? "");
          }}
        >
          {kinds.map((one) => (
            <option key={one.kind}>{one.kind}</option>
          ))}
        </select>
      </label>
      {form !== "" && (
        <label>
          {form}
          <input
            value={details}
            spellcheck={false}
            onInput={(event) => {
              setDetails(event.currentTarget.value);
            }}
          />
        </label>
      )}
    </ActionForm>
  );
}

import type { JSX } from "preact";

import type { ModuleView, RunView, SamplesView } from "../src/request/views.js";
import { Chart } from "./chart.js";
import { Flame } from "./flame.js";
import { Hash, save, Short } from "./parts.js";
import { grouped, inUnit } from "./units.js";

/** Samples that are listed. */
const LISTED = 500;

/** What a task's value is made of. */
export function Run({
  run,
  stored,
  hasTitle = false,
}: {
  readonly run: RunView;
  readonly stored?: string | undefined;
  /** Whether the page says already what is computed. */
  readonly hasTitle?: boolean;
}): JSX.Element {
  const isStored = stored !== undefined && stored === run.word;
  const { lines, taskHash, proven, anchor, samples, module } = run;
  return (
    <section class="run">
      {!hasTitle &&
        lines.map((line) => (
          <p class="what" key={line}>
            <Short text={line} />
          </p>
        ))}
      {samples !== undefined && <Chart samples={samples} />}
      {stored !== undefined && !isStored && (
        <p class="failure">
          The stored word is another one: {stored}. This run gives the value below.
        </p>
      )}
      <dl class="facts">
        {!(isStored && samples !== undefined) && <Value run={run} />}
        <dt>Proofs</dt>
        <dd>
          {proven ? "All values proven" : <strong class="bad">Not all values proven</strong>}
          {samples !== undefined && `: ${samples.proof}`}
          {proven && anchor !== undefined && (
            <span class="exact">
              under <Short text={anchor} />
            </span>
          )}
        </dd>
        <dt>Task</dt>
        <dd>
          <Hash text={taskHash} />
        </dd>
      </dl>
      {samples !== undefined && <Samples samples={samples} />}
      {module !== undefined && <Module module={module} Heading={hasTitle ? "h3" : "h2"} />}
    </section>
  );
}

/** Returns the title of a run's value. */
function valueTitle(module: RunView["module"]): string {
  if (module === undefined) return "Value";
  return module.status === "panicked" ? "Panic" : "Returned";
}

function Value({ run: { spoken, value, word, module } }: { readonly run: RunView }): JSX.Element {
  return (
    <>
      <dt>{valueTitle(module)}</dt>
      <dd class="value">
        <strong>{spoken ?? value}</strong>
        {spoken !== undefined && <span class="exact">{value}</span>}
      </dd>
      {word !== undefined && <dt>Word</dt>}
      {word !== undefined && (
        <dd>
          <Hash text={word} />
        </dd>
      )}
    </>
  );
}

/** Returns samples as CSV: position, value and aggregate as integers, and whether the value is proven. */
function samplesCsv({
  unit,
  aggregate,
  positions,
  values,
  aggregates,
  unproven,
}: SamplesView): string {
  const missing = new Set(unproven);
  const rows = positions.map((position, index) =>
    [position, values[index], aggregates[index], !missing.has(index)].join(","),
  );
  return [`${unit},value,${aggregate} so far,proven`, ...rows, ""].join("\n");
}

function SaveButtons({ samples }: { readonly samples: SamplesView }): JSX.Element {
  return (
    <p>
      <button
        type="button"
        onClick={() => {
          save("samples.csv", "text/csv", samplesCsv(samples));
        }}
      >
        Save as CSV
      </button>{" "}
      <button
        type="button"
        onClick={() => {
          save("samples.json", "application/json", JSON.stringify(samples, null, 2));
        }}
      >
        Save as JSON
      </button>
    </p>
  );
}

function Samples({ samples }: { readonly samples: SamplesView }): JSX.Element {
  const { positions, values, aggregates, unit, aggregate, valueUnit, isCount, unproven } = samples;
  const missing = new Set(unproven);
  return (
    <details>
      <summary>{grouped(positions.length)} samples as a table</summary>
      <SaveButtons samples={samples} />
      <div class="scroll" tabIndex={0} role="group" aria-label="Samples">
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                {unit}
              </th>
              <th scope="col" class="number">
                value
              </th>
              <th scope="col" class="number">
                {aggregate} so far
              </th>
              <th scope="col">proven</th>
            </tr>
          </thead>
          <tbody>
            {positions.slice(0, LISTED).map((position, index) => (
              <tr key={position}>
                <th scope="row" class="number">
                  {grouped(position)}
                </th>
                <td class="number">{inUnit(values[index] ?? "0", valueUnit)}</td>
                <td class="number">
                  {inUnit(aggregates[index] ?? "0", isCount ? undefined : valueUnit)}
                </td>
                <td>{missing.has(index) ? <strong class="bad">no</strong> : "yes"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {positions.length > LISTED && (
        <p class="note">{grouped(positions.length - LISTED)} more are in the saved files.</p>
      )}
    </details>
  );
}

function Module({
  module,
  Heading,
}: {
  readonly module: ModuleView;
  readonly Heading: "h2" | "h3";
}): JSX.Element {
  const { steps, generation, printed, reads, moreReads, state, profile } = module;
  return (
    <>
      <Heading>
        Run <small>{`${grouped(steps)} steps, generation ${generation}`}</small>
      </Heading>
      {profile !== undefined && <Flame profile={profile} />}
      {printed.length > 0 && (
        <>
          <Heading>Printed</Heading>
          <ol class="printed">
            {printed.map((text, index) => (
              <li key={index}>{text}</li>
            ))}
          </ol>
        </>
      )}
      {state.length > 0 && (
        <>
          <Heading>Injected state</Heading>
          <ul class="plain">
            {state.map(([label, before, after]) => (
              <li key={label}>
                {label}: <Hash text={before} /> to <Hash text={after} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Heading>
        Reads <small>{grouped(reads.length + moreReads)}</small>
      </Heading>
      <ol class="reads">
        {reads.map(({ what, proven }, index) => (
          <li key={index}>
            {what} <span class={proven ? "good" : "bad"}>{proven ? "proven" : "not proven"}</span>
          </li>
        ))}
      </ol>
      {moreReads > 0 && <p class="note">and {grouped(moreReads)} more</p>}
    </>
  );
}

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";

import type { SamplesView } from "../src/request/views.js";
import { drawn, grouped, inUnit, tick } from "./units.js";

const HEIGHT = 280;
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the enum exists in types only
const RIGHT: uPlot.Axis.Side = 1;
/** Samples that have a point each. */
const MAX_POINTS = 250;

function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}

/** What is said of the sample that is looked at. */
export function sampleText(samples: SamplesView, index: number): string {
  const { unit, positions, values, aggregates, valueUnit, isCount, aggregate, unproven } = samples;
  const soFar = inUnit(aggregates[index] ?? "0", isCount ? undefined : valueUnit);
  const proof = unproven.includes(index) ? "not proven" : "proven";
  return `${unit} ${grouped(positions[index] ?? "")}: ${inUnit(values[index] ?? "0", valueUnit)}, ${proof}. ${aggregate} so far: ${soFar}`;
}

/** The samples of a task with the aggregate drawn in. Arrow keys move along the samples and say each. */
export function Chart({ samples }: { readonly samples: SamplesView }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const last = samples.values.length - 1;
  const [index, setIndex] = useState(last);
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(
        { ...chartOptions(samples, setIndex), width: parent.clientWidth, height: HEIGHT },
        chartData(samples),
        parent,
      );
    };
    draw();
    const resized = new ResizeObserver(() =>
      plot.current?.setSize({ width: parent.clientWidth, height: HEIGHT }),
    );
    resized.observe(parent);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener("change", draw);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [samples]);
  const move = (event: KeyboardEvent): void => {
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      PageUp: index - 10,
      PageDown: index + 10,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(last, target));
    setIndex(next);
    const at = plot.current?.valToPos(Number(samples.positions[next]), "x") ?? 0;
    plot.current?.setCursor({ left: at, top: 0 });
  };
  const { aggregate, unit, isCount, valueUnit, unproven } = samples;
  return (
    <figure class="chart">
      <div
        ref={place}
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`${grouped(last + 1)} samples by ${unit}, with the ${aggregate}. Arrow keys move along them.`}
        onKeyDown={move}
      />
      <figcaption>
        <ul class="legend">
          <li class="series-value">value{valueUnit === undefined ? "" : `, ${valueUnit}`}</li>
          <li class="series-aggregate">
            {aggregate} so far{isCount ? " (right axis)" : ""}
          </li>
          {unproven.length > 0 && <li class="series-unproven">not proven</li>}
        </ul>
        <output aria-live="polite">{sampleText(samples, index)}</output>
      </figcaption>
    </figure>
  );
}

function chartData({
  positions,
  values,
  aggregates,
  valueUnit,
  isCount,
  unproven,
}: SamplesView): uPlot.AlignedData {
  const missing = new Set(unproven);
  const drawnValues = values.map((value) => drawn(value, valueUnit));
  return [
    positions.map(Number),
    drawnValues,
    aggregates.map((value) => drawn(value, isCount ? undefined : valueUnit)),
    drawnValues.map((value, index) => (missing.has(index) ? value : null)),
  ];
}

function chartOptions(
  { valueUnit, isCount, positions, values }: SamplesView,
  onIndex: (index: number) => void,
): Omit<uPlot.Options, "width" | "height"> {
  const [value, sum, bad, text, grid] = [
    "--value",
    "--aggregate",
    "--bad",
    "--faint",
    "--line",
  ].map(color);
  const axis = {
    stroke: text ?? "",
    grid: { stroke: grid ?? "", width: 1 },
    ticks: { stroke: grid ?? "", width: 1, size: 4 },
    font: "12px system-ui, sans-serif",
  };
  const size = (_: uPlot, labels: string[] | null): number =>
    18 + 7 * Math.max(4, ...(labels ?? []).map((label) => label.length));
  const ticks = (unit: SamplesView["valueUnit"]) => (_: uPlot, splits: number[]) =>
    splits.map((at) => tick(at, unit, (splits.at(-1) ?? at) - (splits[0] ?? at)));
  const countAxis = {
    ...axis,
    scale: "count",
    side: RIGHT,
    grid: { show: false },
    size,
    values: ticks(undefined),
  };
  const hasPoints = values.length <= MAX_POINTS;
  return {
    scales: { x: { time: false }, y: {}, count: {} },
    legend: { show: false },
    cursor: { y: false, points: { size: 9 } },
    axes: [
      {
        ...axis,
        values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? grouped(at) : "")),
        space: 70,
        size: 34,
      },
      { ...axis, size, values: ticks(valueUnit) },
      ...(isCount ? [countAxis] : []),
    ],
    series: [
      {},
      { stroke: value ?? "", width: 1.5, points: { show: hasPoints, size: 5, fill: value ?? "" } },
      {
        stroke: sum ?? "",
        width: 2,
        dash: [6, 4],
        scale: isCount ? "count" : "y",
        points: { show: positions.length === 1, size: 9 },
      },
      {
        stroke: bad ?? "",
        width: 0,
        points: { show: true, size: 9, width: 2, fill: "transparent" },
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor }) => {
          if (typeof cursor.idx === "number") onIndex(cursor.idx);
        },
      ],
    },
  };
}

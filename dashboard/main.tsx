import "uplot/dist/uPlot.min.css";
import "./style.css";

import { render } from "preact";

import type { RunView } from "../src/request/views.js";
import { App } from "./app.js";
import { Run } from "./run.js";

const page = document.getElementById("page");
const written = document.getElementById("runs");
if (page !== null)
  render(written === null ? <App /> : <Written text={written.textContent} />, page);

/** Shows runs that are written in the page itself. */
function Written({ text }: { readonly text: string }): preact.JSX.Element {
  const runs = JSON.parse(text) as readonly RunView[];
  return (
    <main class="sheet">
      {runs.map((run) => (
        <article key={run.taskHash}>
          <h1>{run.title}</h1>
          <Run run={run} />
        </article>
      ))}
    </main>
  );
}

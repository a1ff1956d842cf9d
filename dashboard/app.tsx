import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { ServerView } from "../src/request/views.js";
import { Compare } from "./compare.js";
import { Faults, Programs } from "./lists.js";
import { NewTask } from "./new-task.js";
import { Title } from "./parts.js";
import { Proof, Proofs } from "./proofs.js";
import { Requests } from "./requests.js";
import { type Server, useServer } from "./server.js";
import { Submission } from "./submission.js";
import { Submissions } from "./submissions.js";
import { grouped } from "./units.js";

const CONNECTIONS: Readonly<Record<Server["connection"], string>> = {
  connecting: "Connecting",
  live: "Live",
  lost: "No connection, trying again",
  "no key": "Needs a key",
  "wrong key": "Needs another key",
  "too many pages": "Too many pages are open",
};

interface Route {
  readonly page: string;
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Reads the part of the address behind `#/`: `submissions/<id>`, `submissions?search=gas`. */
function parseRoute(hash: string): Route {
  const [path = "", query] = hash.replace(/^#\/?/, "").split("?");
  const [page = "", id = ""] = path.split("/");
  return { page, id: decoded(id), query: new URLSearchParams(query) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns what tells a view from others: filters of a list do not. */
function viewKey({ page, id, query }: Route): string {
  return [page, id, query.get("with")].join("/");
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = ({ oldURL }: HashChangeEvent): void => {
      const [before, now] = [parseRoute(new URL(oldURL).hash), parseRoute(location.hash)];
      setRoute(now);
      if (viewKey(before) !== viewKey(now)) scrollTo(0, 0);
    };
    addEventListener("hashchange", changed);
    return () => {
      removeEventListener("hashchange", changed);
    };
  }, []);
  return route;
}

/** Shows the page that the address names. */
export function App(): JSX.Element {
  const server = useServer();
  const { connection, view } = server;
  const { page, id, query } = useRoute();
  const tabs = [
    ["submissions", "Submissions", view?.totals.submissions],
    ["programs", "Programs", view?.totals.programs],
    ["proofs", "Proofs", view?.totals.proofs],
    ["faults", "Faults", view?.faults?.waiting.length],
    ["requests", "Requests", undefined],
    ["new", "New task", undefined],
  ] as const;
  const open = tabs.some(([name]) => name === page) ? page : "submissions";
  const needsKey = connection === "no key" || connection === "wrong key";
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          // The part behind # names the view.
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="bar">
        <a class="name" href="#/submissions">
          hardhat-hdp
        </a>
        <nav aria-label="Views">
          {tabs.map(([name, label, count]) => (
            <a key={name} href={`#/${name}`} aria-current={open === name ? "page" : undefined}>
              {label}
              {count !== undefined && <span class="count">{grouped(count)}</span>}
            </a>
          ))}
        </nav>
        <p class={`connection ${connection === "live" ? "good" : ""}`} role="status">
          {CONNECTIONS[connection]}
        </p>
      </header>
      {view !== undefined && !needsKey && <Facts view={view} />}
      <main id="content" tabIndex={-1}>
        {needsKey && <KeyForm server={server} />}
        {!needsKey && view === undefined && <p class="empty">Waiting for the server.</p>}
        {!needsKey && view !== undefined && (
          <Page
            key={viewKey({ page: open, id, query })}
            view={view}
            id={id}
            query={query}
            page={open}
            isLive={connection === "live"}
          />
        )}
      </main>
    </>
  );
}

function Page(props: Route & { readonly view: ServerView; readonly isLive: boolean }): JSX.Element {
  const { view, page, id, query, isLive } = props;
  if (page === "requests") return <Requests isLive={isLive} />;
  if (page === "programs") return <Programs view={view} />;
  if (page === "proofs" && id !== "") return <Proof view={view} id={id} isLive={isLive} />;
  if (page === "proofs") return <Proofs view={view} />;
  if (page === "faults") return <Faults view={view} />;
  if (page === "new") return <NewTask />;
  const other = query.get("with");
  if (id !== "" && other !== null) return <Compare id={id} other={other} isLive={isLive} />;
  return id === "" ? (
    <Submissions view={view} query={query} isLive={isLive} />
  ) : (
    <Submission view={view} id={id} isLive={isLive} />
  );
}

function Facts({ view: { chainUrl, executionStore } }: { readonly view: ServerView }): JSX.Element {
  return (
    <section aria-label="Server">
      <dl class="server">
        {chainUrl !== undefined && (
          <div>
            <dt>Chain</dt>
            <dd>{chainUrl}</dd>
          </div>
        )}
        {executionStore !== undefined && (
          <div>
            <dt>Execution store</dt>
            <dd>{executionStore}</dd>
          </div>
        )}
        <div>
          <dt>Interfaces</dt>
          <dd>
            <a href="/swagger/">description</a>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function KeyForm({ server: { connection, useKey } }: { readonly server: Server }): JSX.Element {
  const [key, setKey] = useState("");
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        useKey(key);
      }}
    >
      <Title>This server needs its API key</Title>
      <p>
        It is the key that the server was started with. The page keeps it until the tab is closed.
        {connection === "wrong key" && (
          <strong role="alert"> The key that was given is not it.</strong>
        )}
      </p>
      <label>
        API key
        <input
          type="password"
          autocomplete="off"
          required
          value={key}
          onInput={(event) => {
            setKey(event.currentTarget.value);
          }}
        />
      </label>
      <button>Open</button>
    </form>
  );
}

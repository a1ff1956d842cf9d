import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { RequestView } from "../src/request/views.js";
import { Empty, Time, Title } from "./parts.js";
import { useAsked } from "./server.js";

/** Milliseconds between two looks at the log. */
const LOOK = 1_000;

/** Lists the latest requests of clients, with the faults that were injected into their answers. */
export function Requests({ isLive }: { readonly isLive: boolean }): JSX.Element {
  const [look, setLook] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setLook((before) => before + 1);
    }, LOOK);
    return () => {
      clearInterval(timer);
    };
  }, []);
  const asked = useAsked<{ readonly requests: readonly RequestView[] }>(
    "/dashboard/requests",
    isLive,
    String(look),
  );
  const { requests = [] } = asked.found ?? {};
  return (
    <>
      <Title>Requests</Title>
      {asked.failure !== undefined && <p class="failure">{asked.failure}</p>}
      {asked.found !== undefined && requests.length === 0 && (
        <Empty>No client sent a request yet. Those of this page are left out.</Empty>
      )}
      {requests.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Request</th>
              <th scope="col">Refused or injected</th>
              <th scope="col" class="number">
                Took
              </th>
              <th scope="col" class="number">
                Time
              </th>
            </tr>
          </thead>
          <tbody>
            {requests.map((request) => (
              <Row key={request.number} request={request} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Row({ request }: { readonly request: RequestView }): JSX.Element {
  const { at, method, path, status, milliseconds, code, injected } = request;
  return (
    <tr>
      <td>
        <span class={status > 0 && status < 400 ? "state finalized" : "state failed"}>
          {status === 0 ? "connection ended" : status}
        </span>
      </td>
      <td class="subject">
        {method} {path}
      </td>
      <td class="result">
        <span>{[code, injected].filter((one) => one !== undefined).join(", ")}</span>
      </td>
      <td class="number">{milliseconds.toFixed(0)} ms</td>
      <td class="number">
        <Time at={at} />
      </td>
    </tr>
  );
}

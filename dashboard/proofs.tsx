import type { JSX } from "preact";

import type { ProofDetails, ProofQueryView, ServerView } from "../src/request/views.js";
import { More } from "./lists.js";
import { Copy, elapsed, Empty, Hash, Mark, Time, Title } from "./parts.js";
import { useAsked } from "./server.js";
import { Failure } from "./submission.js";
import { grouped } from "./units.js";

/** Lists the storage proof requests. */
export function Proofs({ view: { proofs, totals } }: { readonly view: ServerView }): JSX.Element {
  return (
    <>
      <Title>Storage proof requests</Title>
      {proofs.length === 0 ? (
        <Empty>
          No storage proofs were asked for yet. From a project:{" "}
          <code>npx hardhat hdp:proof:submit</code>
        </Empty>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">What is proven</th>
              <th scope="col">Failure</th>
              <th scope="col" class="number">
                Asked
              </th>
            </tr>
          </thead>
          <tbody>
            {proofs.map((proof) => (
              <tr key={proof.id}>
                <td>
                  <ProofState of={proof} />
                </td>
                <td class="subject">
                  <a href={`#/proofs/${encodeURIComponent(proof.id)}`}>{proofTitle(proof)}</a>
                  <Wanted of={proof} />
                </td>
                <td class="result">
                  <span>{proof.error}</span>
                </td>
                <td class="number">
                  <Time at={proof.created} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <More shown={proofs.length} total={totals.proofs} />
    </>
  );
}

/** Shows the storage proof request of an id: the proven values, or why there are none. */
export function Proof(props: {
  readonly view: ServerView;
  readonly id: string;
  readonly isLive: boolean;
}): JSX.Element {
  const { view, id, isLive } = props;
  const listed = view.proofs.find((one) => one.id === id);
  const path = `/dashboard/proofs/${encodeURIComponent(id)}`;
  const { found, failure } = useAsked<ProofDetails>(path, isLive, listed?.status);
  if (found === undefined) {
    return (
      <>
        <Title>{failure === undefined ? "Storage proof request" : "No such request"}</Title>
        <Empty>
          {failure ?? "Reading the server."} <a href="#/proofs">All storage proof requests</a>
        </Empty>
      </>
    );
  }
  return (
    <>
      <p class="above">
        <a href="#/proofs">Storage proof requests</a>
      </p>
      <Title>{proofTitle(found)}</Title>
      <p class="state-line" aria-live="polite">
        <ProofState of={found} />
      </p>
      <Failure of={found} />
      <Facts of={found} />
      <h2>Values</h2>
      <Values of={found} />
      <details>
        <summary>Reply as JSON, with the proofs</summary>
        <Copy text={found.actions} what="the reply as JSON" />
        <pre class="scroll" tabIndex={0} role="group" aria-label="Reply as JSON">
          {found.actions}
        </pre>
      </details>
    </>
  );
}

function proofTitle({ time, chainId }: ProofQueryView): string {
  return `${time.replace(":", " ")} of chain ${chainId}`;
}

function ProofState({ of: { status } }: { readonly of: ProofQueryView }): JSX.Element {
  if (status === "COMPLETED") return <Mark kind="finalized">Proven</Mark>;
  if (status === "FAILED") return <Mark kind="failed">Failed</Mark>;
  return <Mark kind="pending">Under way</Mark>;
}

function Wanted({ of: { wanted } }: { readonly of: ProofQueryView }): JSX.Element {
  return (
    <>
      {wanted.map((one) => (
        <span class="detail" key={one}>
          {one}
        </span>
      ))}
    </>
  );
}

function Facts({ of: proof }: { readonly of: ProofDetails }): JSX.Element {
  const { id, request, created, completed, block } = proof;
  return (
    <dl class="facts">
      <dt>Request</dt>
      <dd>
        <Hash text={request} />
      </dd>
      <dt>Query</dt>
      <dd>
        <Hash text={id} />
      </dd>
      <dt>Asked for</dt>
      <dd>
        <Wanted of={proof} />
      </dd>
      <dt>Received</dt>
      <dd>{new Date(created).toLocaleString("en-GB")}</dd>
      {completed !== undefined && <dt>Took</dt>}
      {completed !== undefined && <dd>{elapsed(Date.parse(completed) - Date.parse(created))}</dd>}
      {block !== undefined && <dt>Block</dt>}
      {block !== undefined && (
        <dd>
          {grouped(block.number)}, <Hash text={block.hash} />
        </dd>
      )}
    </dl>
  );
}

function Values({ of: { values, status } }: { readonly of: ProofDetails }): JSX.Element {
  if (values.length === 0)
    return <p class="note">{status === "PROCESSING" ? "Not proven yet." : "There are none."}</p>;
  return (
    <table class="compare">
      <thead>
        <tr>
          <th scope="col">Of</th>
          <th scope="col">What</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {values.map(({ of, name, value }) => (
          <tr key={`${of} ${name}`}>
            <th scope="row">{of}</th>
            <td>{name}</td>
            <td>{value ?? "not in this block's header"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import type { AwaitOptions } from "../../request/data-processor.js";
import type { TaskResult } from "../../request/task-result.js";
import type { AwaitRequestOptions, StorageProofQuery } from "../../service/storage-proof.js";
import type { SubmissionKind } from "../../submission/kinds.js";
import { isLive, isUndecided, type SubmissionRecord } from "../../submission/model.js";
import { forgotten, notItsId, notResumable, settleByRegistry } from "../../submission/settle.js";
import type { AcceptedOptions } from "../../submission/submissions.js";
import { projectSubmissions } from "../project-database.js";
import { moduleTasks, programRegistry, storageProof } from "../services.js";
import { callPipeline } from "../charged-calls.js";
import type { Session } from "../session.js";
import { storageProofActions } from "./service-actions.js";
import type { HdpConfig } from "../config/config.js";

/** Options of the wait for a recorded submission. */
interface RecordWaitOptions extends AwaitOptions {
  /** Called with the queries of a storage proof request. */
  readonly onQueries?: AwaitRequestOptions["onQueries"];
}

/** What a resumed submission ended with. */
interface Resumed {
  readonly results?: readonly TaskResult[];
  readonly queries?: readonly StorageProofQuery[];
  /** The service's record of a grow order or of a decommitment's task. */
  readonly order?: unknown;
}

/** What is asked of a service about a recorded submission of one kind. */
interface RecordedKind {
  /** Asks the service for what it accepted under an id, before the id is recorded. @throws HdpError HDP-5017, HDP-204x */
  readonly requireAccepted: (
    session: Session,
    record: SubmissionRecord,
    serviceId: string,
    options: AcceptedOptions,
  ) => Promise<void>;
  /** Finishes a submission. @throws HdpError HDP-5009 for one that was not accepted */
  readonly resume: (
    session: Session,
    record: SubmissionRecord,
    options: RecordWaitOptions,
  ) => Promise<Resumed>;
}

/** All kinds of submissions: a missing one does not compile. */
export const RECORDED: Readonly<Record<SubmissionKind, RecordedKind>> = {
  tasks: {
    requireAccepted: async (session, record, serviceId, options) => {
      const { submissions } = await session.processor();
      await submissions.requireAccepted(record, serviceId, options);
    },
    resume: async (session, record, options) => {
      const { submissions } = await session.processor();
      return { results: await submissions.resume(record, options) };
    },
  },
  program: {
    // A registry knows a program by its hash.
    requireAccepted: async (session, record, serviceId, { force, signal }) => {
      const hash = record.parts[0]?.hash ?? "";
      if (force !== true && serviceId.toLowerCase() !== hash)
        throw notItsId(record, serviceId, `a registry knows a program by its hash, ${hash}`);
      await (await programRegistry(session)).client.metadata(serviceId, { signal });
    },
    resume: async (session, record) => {
      if (!isUndecided(record)) {
        requireLive(record);
        return {};
      }
      const { client } = await programRegistry(session);
      const store = projectSubmissions(session.config.dataDir);
      const metadata = async (hash: string): Promise<unknown> => await client.metadata(hash);
      await settleByRegistry(store, callPipeline(session), record, metadata);
      return {};
    },
  },
  // What a service knows of a storage proof request, a grow order or a decommitment does not name its content: only its
  // existence is checked.
  "storage-proof": {
    requireAccepted: async (session, record, serviceId, options) => {
      const { client } = await storageProof(session);
      await client.getQueries(serviceId, { signal: options.signal });
      refuseOtherWith(serviceId, record, session.config, options);
    },
    resume: async (session, record, options) => {
      const id = requireLive(record);
      const { timeout = session.config.timeouts.await } = options;
      const waiting = { ...options, timeout };
      const queries = await storageProofActions(session)
        .awaitRequest(id, waiting)
        .catch(asForgotten(record));
      return { queries };
    },
  },
  // Whether a transaction was mined is found out by delivering again, which knows what it would say.
  delivery: {
    requireAccepted: async (_, record, transactionHash) =>
      await Promise.reject(notItsId(record, transactionHash, "deliver again to look for it")),
    resume: async (_, record) => {
      if (!isLive(record)) throw notResumable(record, ", and only delivering again looks for it");
      return await Promise.resolve({});
    },
  },
  "grow-order": {
    requireAccepted: async (session, record, serviceId, options) => {
      const { client } = await storageProof(session);
      await client.growOrder(serviceId, { signal: options.signal });
      refuseOtherWith(serviceId, record, session.config, options);
    },
    resume: async (session, record, { signal }) => {
      const id = requireLive(record);
      const { client } = await storageProof(session);
      return { order: await client.growOrder(id, { signal }).catch(asForgotten(record)) };
    },
  },
  decommitment: {
    requireAccepted: async (session, record, serviceId, options) => {
      await (await moduleTasks(session)).details(serviceId, { signal: options.signal });
      refuseOtherWith(serviceId, record, session.config, options);
    },
    resume: async (session, record, { signal }) => {
      const id = requireLive(record);
      const client = await moduleTasks(session);
      return { order: await client.details(id, { signal }).catch(asForgotten(record)) };
    },
  },
};

/** Returns the service's id of an accepted submission. @throws HdpError HDP-5009 */
function requireLive(record: SubmissionRecord): string {
  if (!isLive(record) || record.serviceId === undefined) throw notResumable(record);
  return record.serviceId;
}

/** Returns a function that rethrows an error, with the next step where the service has forgotten a submission. */
function asForgotten(record: SubmissionRecord): (error: unknown) => never {
  return (error) => {
    throw forgotten(error, record);
  };
}

/** Throws where an id was recorded for another submission of the kind. @throws HdpError HDP-5017 */
function refuseOtherWith(
  serviceId: string,
  record: SubmissionRecord,
  { dataDir }: HdpConfig,
  { force }: AcceptedOptions,
): void {
  const { id, kind, endpoint } = record;
  const other = projectSubmissions(dataDir)
    .withServiceId(serviceId)
    .find((one) => one.id !== id && one.kind === kind && one.endpoint === endpoint);
  if (other !== undefined && force !== true)
    throw notItsId(record, serviceId, "another submission has it");
}

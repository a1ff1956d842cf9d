import { keysOf } from "../base/collections.js";
import { KINDS } from "./kinds.js";
import { STATES, type SubmissionState } from "./model.js";

/** Which submissions to list. What is left out selects nothing. */
export interface SubmissionFilter {
  /** Only those that have not ended, or whose results were not read. */
  readonly unfinished?: boolean | undefined;
  /** Only those in one of these states. */
  readonly states?: readonly SubmissionState[] | undefined;
  /** Only those made at this time or later. */
  readonly since?: Date | undefined;
  /** Only those with a task of one of these hashes, by this project or by the service. */
  readonly taskHashes?: readonly string[] | undefined;
  /** Only those made on this network, by its name in the configuration. */
  readonly network?: string | undefined;
  /** Only those whose label, the name of a file, contains this text. */
  readonly label?: string | undefined;
  /** At most so many, the newest ones. */
  readonly newest?: number | undefined;
}

/** A query with its values. */
interface Query {
  readonly sql: string;
  readonly values: (string | number)[];
}

const RESULT_KINDS = keysOf(KINDS)
  .filter((kind) => KINDS[kind].hasResults)
  .map((kind) => `'${kind}'`)
  .join(", ");

/** States in which something may be left to do, whatever the results. */
const OPEN = keysOf(STATES)
  .filter((state) => state !== "finalized" && STATES[state].unfinished !== false)
  .map((state) => `'${state}'`)
  .join(", ");

/** Finalized submissions with a result that was not read. */
const UNREAD = `SELECT one.rowid FROM part CROSS JOIN submission AS one ON one.id = part.submission
 WHERE part.word IS NULL AND one.state = 'finalized' AND one.kind IN (${RESULT_KINDS})`;

/** Submissions with a task of a hash. */
const WITH_HASH = `SELECT one.rowid FROM json_each(?) AS wanted
 CROSS JOIN part ON part.hash = wanted.value OR part.service_hash = wanted.value
 CROSS JOIN submission AS one ON one.id = part.submission`;

type Condition = readonly [sql: string, ...values: (string | number)[]];

/**
 * Returns the end of a query for submissions, oldest first. One index has every column that a filter names, so that a
 * search reads no row that it does not return.
 */
export function searchClause(filter: SubmissionFilter): Query {
  const conditions = searchConditions(filter);
  const where = ["TRUE", ...conditions.map(([sql]) => sql)].join(" AND ");
  const limit: readonly number[] = filter.newest === undefined ? [] : [filter.newest];
  const found = `SELECT rowid FROM submission INDEXED BY submission_list WHERE ${where}
   ORDER BY created DESC, rowid DESC${limit.length === 0 ? "" : " LIMIT ?"}`;
  const values = [...conditions.flatMap(([, ...given]) => given), ...limit];
  return { sql: `WHERE rowid IN (${found}) ORDER BY rowid`, values };
}

function searchConditions(filter: SubmissionFilter): readonly Condition[] {
  const { unfinished = false, states, since, taskHashes, network, label } = filter;
  const json = (texts: readonly string[]): string => JSON.stringify(texts);
  return [
    ...(unfinished ? [[`(state IN (${OPEN}) OR rowid IN (${UNREAD}))`] as const] : []),
    ...(states === undefined
      ? []
      : [["state IN (SELECT value FROM json_each(?))", json(states)] as const]),
    ...(since === undefined ? [] : [["created >= ?", since.getTime()] as const]),
    ...(taskHashes === undefined
      ? []
      : [[`rowid IN (${WITH_HASH})`, json(taskHashes.map((hash) => hash.toLowerCase()))] as const]),
    ...(network === undefined ? [] : [["network = ?", network] as const]),
    ...(label === undefined ? [] : [["instr(label, ?) > 0", label] as const]),
  ];
}

/** Counts the ids, of this project and of services, that begin with a text. */
export function alikeQuery(prefix: string): Query {
  const end = `${prefix}\u{10ffff}`;
  const begins = (column: string): string =>
    `SELECT ${column} FROM submission WHERE ${column} >= ? AND ${column} < ?`;
  const sql = `SELECT count(*) AS alike FROM (${begins("id")} UNION ${begins("service_id")})`;
  return { sql, values: [prefix, end, prefix, end] };
}

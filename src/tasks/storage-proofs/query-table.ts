import type { StorageProofQuery } from "../../plugin/actions/storage-proof-actions.js";
import type { TaskStatus } from "../../request/lifecycle.js";
import type { Screen } from "../ui/screen.js";
import { printTable } from "../ui/table.js";

/** The queries of one storage proof request, a row each. */
export function printQueries(screen: Screen, queries: readonly StorageProofQuery[]): void {
  if (queries.length === 0) screen.line("  No queries yet: the request is being scheduled.");
  const rows = queries.map(({ internal_id, status, typ, created_at, completed_at }) => [
    ...[internal_id, status, typ ?? "", created_at ?? "", completed_at ?? ""],
  ]);
  if (rows.length > 0) printTable(screen, ["QUERY", "STATUS", "KIND", "CREATED", "COMPLETED"], rows);
}

/** Where a request's queries stand, as a state of progress. */
export function queriesAsStatus(queries: readonly StorageProofQuery[]): TaskStatus {
  if (queries.length === 0) return { name: "Scheduled", phase: "pending" };
  const counts = new Map<string, number>();
  for (const { status } of queries) counts.set(status, (counts.get(status) ?? 0) + 1);
  const name = [...counts].map(([status, count]) => `${String(count)} ${status}`).join(", ");
  return { name, phase: "pending", detail: `${String(queries.length)} in all` };
}

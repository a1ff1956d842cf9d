import { style, toJson, type Screen } from "./screen.js";

/** A record whose fields are not published, under a title: shown as it came. */
export function printRecord(screen: Screen, title: string, record: unknown): void {
  screen.line();
  screen.line(`  ${style.strong(title)}`);
  for (const line of toJson(record).split("\n")) screen.line(`    ${line}`);
}

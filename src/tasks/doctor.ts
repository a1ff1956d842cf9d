import { plural } from "../base/text.js";
import type { Finding, Light } from "../plugin/doctor/finding.js";
import { command } from "./run-command.js";
import { printBlock, type Screen, style } from "./ui/screen.js";

const MARKS: Readonly<Record<Light, () => string>> = {
  green: () => style.good("✔"),
  yellow: () => style.warning("!"),
  red: () => style.bad("✘"),
};

/** Runs `hdp doctor`: checks what a connection works with. Sets exit code 1 where a line is red. */
export const doctor = command(async (_args: object, { hre, screen }) => {
  const connection = await hre.network.getOrCreate();
  const { diagnose } = await import("../plugin/doctor/diagnose.js");
  const findings = await diagnose(connection);
  const { networkName } = connection;
  printFindings(screen, findings, networkName);
  const count = (light: Light): number => findings.filter((one) => one.light === light).length;
  const counts = { green: count("green"), yellow: count("yellow"), red: count("red") };
  printBlock(
    screen,
    `  ${plural(findings.length, "check")}: ${counts.green} green, ${counts.yellow} yellow, ${counts.red} red`,
  );
  if (counts.red > 0) process.exitCode = 1;
  return { networkName, ...counts, findings };
});

/** Prints findings under the titles of their groups, each with its next step on a line of its own. */
function printFindings(screen: Screen, findings: readonly Finding[], networkName: string): void {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = " ".repeat(width + 8);
  for (const [group, those] of Map.groupBy(findings, (one) => one.group)) {
    const title = group === "Node" ? `${group} of network "${networkName}"` : group;
    printBlock(screen, `  ${style.strong(title)}`);
    for (const finding of those) {
      screen.line(`  ${MARKS[finding.light]()} ${finding.check.padEnd(width)}  ${finding.found}`);
      if (finding.light === "green") continue;
      for (const step of finding.nextStep.split("\n")) screen.line(`${indent.slice(2)}${step}`);
    }
  }
}

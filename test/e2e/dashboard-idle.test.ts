import { expect, test } from "vitest";
import { startPlatform } from "../support/svc.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../ui/support/open-dashboard.ts";

/** A busy machine answers late, which the header must show. */
const lateAnswer = /slow|waiting|as of/;
/** More than a minute, after which each age on the screen has changed. */
const idleMs = 65_000;

function belowHeader(screen: string): string {
  return screen.slice(screen.indexOf("\n"));
}

test("the dashboard writes nothing in an idle minute, and ages follow with the next key", async () => {
  await using platform = await startPlatform({ hasSamples: true });
  await using terminal = await openDashboard(platform);
  await enterPlanning(terminal);
  await goToApplications(terminal);
  // The jobs of the new platform's documents have ended: no count is left next to their place.
  await terminal.waitFor(/3 Jobs +│/, patient);
  await terminal.waitForQuiet(1_000, patient);
  const before = terminal.raw().length;
  const [header = ""] = terminal.screen();
  const first = belowHeader(terminal.text());
  await Bun.sleep(idleMs);
  expect(belowHeader(terminal.text())).toBe(first);
  const written = terminal.raw().slice(before);
  if (!lateAnswer.test(header + written)) expect(written).toBe("");
  terminal.write("r");
  await terminal.waitFor((text) => belowHeader(text) !== first, patient);
}, 180_000);

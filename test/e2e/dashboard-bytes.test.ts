import { beforeAll, describe, expect, it } from "vitest";
import type { RunningPlatform } from "../support/platform-process.ts";
import { sized } from "../support/size.ts";
import { startPlatform } from "../support/svc.ts";
import { keys } from "../support/tty.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../ui/support/open-dashboard.ts";

const mostOfMove = 400;
const moves = sized(6, 14);
const testLimitMs = 180_000;

/** A busy machine answers late, which the header must show. */
const lateAnswer = /slow|waiting|as of/;
/** More than a minute, after which each age on the screen has changed. */
const idleMs = 65_000;

let platform: RunningPlatform;

beforeAll(async () => {
  platform = await startPlatform({ hasSamples: true });
}, testLimitMs);

function belowHeader(screen: string): string {
  return screen.slice(screen.indexOf("\n"));
}

// All of them only read, and most of the time is that of the idle minute.
describe.concurrent("what the dashboard writes to the terminal", () => {
  it(
    "is nothing in an idle minute, and ages follow with the next key",
    async () => {
      await using terminal = await openDashboard(platform);
      await enterPlanning(terminal);
      await goToApplications(terminal);
      // The jobs of the new platform's documents have ended: no count is next to their place.
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
    },
    testLimitMs,
  );

  it.each(["terminal", "dark", "light", "mono"])(
    "is at most 400 bytes for a move of the cursor in the skin %s",
    async (skin) => {
      await using terminal = await openDashboard(platform, { env: { SVC_SKIN: skin } });
      await enterPlanning(terminal);
      await goToApplications(terminal);
      await terminal.waitForQuiet(500, patient);
      for (let newest = 41; newest > 41 - moves; newest -= 1) {
        const before = terminal.bytesWritten();
        terminal.write(keys.down);
        await terminal.waitFor(`▸ PA-2026-00${newest}`, patient);
        expect(terminal.bytesWritten() - before).toBeLessThanOrEqual(mostOfMove);
        await terminal.waitFor(`┌ PA-2026-00${newest} ─`, patient);
        await terminal.waitForQuiet(300, patient);
      }
    },
    testLimitMs,
  );
});

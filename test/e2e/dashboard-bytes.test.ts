import { describe, expect, it } from "vitest";
import { startPlatformProcess } from "../support/platform-process.ts";
import { svcExecutable } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { keys } from "../support/tty.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../ui/support/open-dashboard.ts";

const mostOfMove = 400;
/** A busy machine answers late, which the header must show. */
const lateAnswer = /slow|waiting|\d old/;
/** More than a minute, after which each age on the screen has changed. */
const idleMs = 65_000;

async function samplePlatform() {
  const home = await temporaryDirectory("platform");
  const dataDir = `${home}/data`;
  const executable = await svcExecutable();
  return startPlatformProcess({ executable, dataDir, home, args: ["--demo"] });
}

function belowHeader(screen: string): string {
  return screen.slice(screen.indexOf("\n"));
}

describe("what the dashboard writes to the terminal", () => {
  it.each(["terminal", "dark", "light", "mono"])(
    "is at most 400 bytes for a move of the cursor in the skin %s",
    async (skin) => {
      await using platform = await samplePlatform();
      await using terminal = await openDashboard(platform, { env: { SVC_SKIN: skin } });
      await enterPlanning(terminal);
      await goToApplications(terminal);
      await terminal.waitForQuiet(500, patient);
      for (let newest = 41; newest > 27; newest -= 1) {
        const before = terminal.bytesWritten();
        terminal.write(keys.down);
        await terminal.waitFor(`▸ PA-2026-00${newest}`, patient);
        expect(terminal.bytesWritten() - before).toBeLessThanOrEqual(mostOfMove);
        await terminal.waitFor(`┌ PA-2026-00${newest} ─`, patient);
        await terminal.waitForQuiet(300, patient);
      }
    },
    180_000,
  );

  it("is nothing in an idle minute, and ages follow with the next key", async () => {
    await using platform = await samplePlatform();
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
});

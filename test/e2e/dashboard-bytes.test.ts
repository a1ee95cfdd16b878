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

let platform: RunningPlatform;

beforeAll(async () => {
  platform = await startPlatform({ hasSamples: true });
}, 180_000);

describe("what the dashboard writes to the terminal", () => {
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
    180_000,
  );
});

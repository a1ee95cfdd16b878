import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { RunningPlatform } from "../support/platform-process.ts";
import { startPlatform, svc } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { keys } from "../support/tty.ts";
import {
  openSvc,
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../ui/support/open-dashboard.ts";

const testLimitMs = 120_000;
const size = { cols: 120, rows: 40 };

let platform: RunningPlatform;

beforeAll(async () => {
  platform = await startPlatform({ hasSamples: true });
}, testLimitMs);

/** The workspace that the profile names for commands; undefined without one. */
async function defaultWorkspace(home: string): Promise<string | undefined> {
  const file = Bun.file(join(home, ".svc", "profiles.json"));
  if (!(await file.exists())) return undefined;
  const { profiles } = (await file.json()) as {
    profiles: Record<string, { workspace?: { slug: string }; baseUrl?: string }>;
  };
  expect(profiles["default"]?.baseUrl).toBe(platform.url);
  return profiles["default"]?.workspace?.slug;
}

test.concurrent(
  "browsing leaves the profile alone, and the next start goes on where the last one ended",
  async () => {
    const home = await temporaryDirectory("home");
    {
      await using terminal = await openDashboard(platform, { ...size, home });
      await enterPlanning(terminal);
      await goToApplications(terminal);
      terminal.write("S");
      await terminal.waitFor("sort created at ↑", patient);
      terminal.write("/");
      await terminal.waitFor("filter", patient);
      await terminal.type("status:withdrawn");
      terminal.write(keys.enter);
      await terminal.waitFor("filter status:withdrawn", patient);
      terminal.write(":");
      await terminal.waitFor("Go to, or do", patient);
      await terminal.type("skin dark");
      terminal.write(keys.enter);
      await terminal.waitFor((screen) => !screen.includes("Go to, or do"), patient);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    }
    expect(await defaultWorkspace(home)).toBeUndefined();
    const state = await Bun.file(join(home, ".svc", "dashboard.json")).text();
    expect(state).toContain('"skin":"dark"');
    {
      await using terminal = await openDashboard(platform, { ...size, home });
      await terminal.waitFor("planning › planning-application", patient);
      await terminal.waitFor("sort created at ↑", patient);
      await terminal.waitFor("filter status:withdrawn", patient);
      await terminal.waitFor("⊘ withdrawn", patient);
      terminal.write("M");
      await terminal.waitFor("Make planning the default workspace", patient);
      terminal.write("y");
      await terminal.waitFor("is the default of the profile default", patient);
      terminal.write("w");
      await terminal.waitFor(/planning +Planning +default +admin/, patient);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    }
    expect(await defaultWorkspace(home)).toBe("planning");
  },
  testLimitMs,
);

test.concurrent(
  "a workspace that a command selected later wins, and a damaged state is none",
  async () => {
    const home = await temporaryDirectory("home");
    const env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
    {
      await using terminal = await openDashboard(platform, { ...size, home });
      await enterPlanning(terminal);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    }
    expect(await svc(["workspace", "select", "licensing"], { home, env })).toMatchObject({
      exitCode: 0,
    });
    {
      await using terminal = await openDashboard(platform, { ...size, home });
      await terminal.waitFor("northwind-council › licensing", patient);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    }
    await Bun.write(join(home, ".svc", "dashboard.json"), '{"profiles":{"default":[1,"');
    await using terminal = await openDashboard(platform, { ...size, home });
    await terminal.waitFor("northwind-council › licensing", patient);
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
  },
  testLimitMs,
);

test.concurrent(
  "after the platform on this machine the next start leads to it, also next to one that runs",
  async () => {
    const home = await temporaryDirectory("home");
    // A foreign platform answers at the address of the profile.
    const profiles = { version: 1, profiles: { default: { baseUrl: platform.url } } };
    await Bun.write(join(home, ".svc", "profiles.json"), JSON.stringify(profiles));
    {
      await using terminal = await openSvc({ ...size, home });
      await terminal.waitFor("● answers", patient);
      await terminal.waitFor(/b ↵ +sign in with the browser/, patient);
      terminal.write("l");
      await terminal.waitFor("Your platform has no workspace yet", patient);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    }
    await using terminal = await openSvc({ ...size, home });
    await terminal.waitFor("Your platform has no workspace yet", patient);
    expect(terminal.raw()).not.toContain("sign in with the browser");
    // A second one joins the first one's platform, with its sign-in.
    await using second = await openSvc({ ...size, home });
    await second.waitFor("You belong to no workspace on this platform yet", patient);
    expect(second.raw()).not.toContain("is in use");
    second.write("q");
    expect(await second.exitCode).toBe(0);
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
  },
  testLimitMs,
);

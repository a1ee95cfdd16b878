import { expect, test } from "vitest";
import { Store } from "#ui/kit/state/store.ts";
import { CommandLines } from "#ui/shell/use-copy.ts";
import type { PlatformState } from "#ui/shell/platform/use-platform.ts";

const list = ["resources", "list", "licence"];

/** The lines of a session whose open workspace is `two`. */
function linesOf(session: Partial<PlatformState["session"]>): CommandLines {
  const command = { program: ["svc"], variables: {}, options: {} };
  const known = { baseUrl: "http://platform.test", profile: "default", local: false, command };
  const state = new Store<PlatformState>({
    session: { ...known, signedIn: true, ...session },
    client: undefined,
    tenantId: "two",
    failure: undefined,
  });
  return new CommandLines({ state });
}

test.each([
  ["is the profile's", { knowsDefault: true, defaultWorkspaceId: "two" }, ""],
  ["is another one", { knowsDefault: true, defaultWorkspaceId: "one" }, " --tenant-id two"],
  ["comes from a variable", { knowsDefault: false, defaultWorkspaceId: "two" }, " --tenant-id two"],
  ["is the only one", {}, " --tenant-id two"],
])("a command names the workspace unless it is the profile's: it %s", (_, session, named) => {
  const lines = linesOf(session);
  expect(lines.inWorkspace(list, { limit: 5 })).toBe(
    `svc resources list licence --limit 5${named}`,
  );
  expect(lines.onPlatform(["verify"])).toBe("svc verify");
});

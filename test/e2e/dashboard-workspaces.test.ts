import { beforeAll, expect, test } from "vitest";
import { oneThread, startPlatform, svcExecutable } from "#test/support/svc.ts";
import { keys, type OpenedTerminal } from "#test/support/tty.ts";
import { openDashboard, patient } from "#test/ui/support/open-dashboard.ts";

beforeAll(async () => void (await svcExecutable()), 300_000);

/** Enter comes by itself: in one burst with a text it would be pasted. */
async function answer(terminal: OpenedTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.waitFor(`› ${text}`, patient);
  terminal.write(keys.enter);
}

test.concurrent.each([
  [80, 24],
  [120, 40],
])(
  "workspaces are created, deleted, restored and purged at %dx%d",
  async (cols, rows) => {
    await using platform = await startPlatform({ args: [oneThread] });
    const authorization = `Bearer ${await platform.token()}`;
    const response = await fetch(`${platform.url}/v4/platform/tenants`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ slug: "harbour", displayName: "Harbour", homeRegion: "eu" }),
    });
    expect(response.status).toBe(201);
    const terminal = await openDashboard(platform, { cols, rows });
    await terminal.waitFor("harbour  Harbour", patient);

    terminal.write("c");
    await terminal.waitFor("New workspace below harbour", patient);
    await terminal.type("Lighthouse");
    terminal.write(keys.tab);
    await terminal.type("Not Kebab");
    terminal.write("\x13");
    await terminal.waitFor("must be in kebab-case", patient);
    terminal.write("\x15");
    await terminal.type("lighthouse");
    terminal.write("\x13");
    await terminal.waitFor("created lighthouse below harbour", patient);
    await terminal.waitFor("lighthouse  Lighthouse", patient);

    // The parent keeps its child until it is deleted.
    terminal.write("\x04");
    await terminal.waitFor("Delete the workspace harbour", patient);
    await answer(terminal, "harbour");
    await terminal.waitFor("Cannot delete this", patient);

    terminal.write("j");
    await terminal.waitForQuiet(50, patient);
    terminal.write("\x04");
    await terminal.waitFor("Delete the workspace lighthouse", patient);
    await terminal.waitFor("--force", patient);
    await answer(terminal, "lighthous");
    await terminal.waitFor("Type lighthouse to do it", patient);
    await terminal.type("e");
    await terminal.waitFor("› lighthouse", patient);
    terminal.write(keys.enter);
    await terminal.waitFor("deleted lighthouse; it can be restored", patient);

    terminal.write("R");
    await terminal.waitFor("Restore a workspace", patient);
    await terminal.waitFor("lighthouse  Lighthouse", patient);
    terminal.write(keys.enter);
    await terminal.waitFor("restored lighthouse", patient);

    await terminal.waitFor("lighthouse  Lighthouse", patient);
    terminal.write("G");
    await terminal.waitForQuiet(50, patient);
    terminal.write("P");
    await terminal.waitFor("Purge the workspace lighthouse", patient);
    await terminal.waitFor("this can't be undone", patient);
    await answer(terminal, "lighthouse");
    await terminal.waitFor("purged lighthouse: 0 records, 0 documents", patient);
    terminal.write("R");
    await terminal.waitFor("no deleted workspace can be restored", patient);
    await terminal.close();
  },
  120_000,
);

import { expect, it, describe } from "vitest";
import { keys } from "../../../support/tty.ts";
import { openFake, openRecords } from "../../support/open-fake.ts";
import { noticeLines } from "#ui/shell/overlays/notices-overlay.tsx";

describe("the log of notices", () => {
  it("has each message with its time, also after the message has gone, newest first", async () => {
    await using terminal = await openRecords();
    terminal.write("y");
    await terminal.waitFor("✓ copied: BASE_URL_PUBLIC_API=");
    terminal.write("f");
    await terminal.waitFor("Search planning-application");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Search planning-application"));
    terminal.write("@");
    await terminal.waitFor(/\d\d:\d\d:\d\d ✓ {2}copied: BASE_URL_PUBLIC_API=/);
    expect(terminal.text()).toContain("Notices and commands");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Notices and commands"));
  });

  it("has the command of an action that was confirmed", async () => {
    await using terminal = openFake({ role: "tenant-admin" });
    await terminal.waitFor("▸ licence");
    terminal.write("5");
    await terminal.waitFor("▸ ada@northwind.example");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("y yes");
    terminal.write("y");
    await terminal.waitFor((screen) => !screen.includes("y yes"));
    terminal.write("@");
    await terminal.waitFor(/\$ {2}BASE_URL_PUBLIC_API=\S+ svc user remove/);
  });

  it("is empty at first, and wraps what is long", async () => {
    await using terminal = openFake({}, { cols: 80, rows: 24 });
    await terminal.waitFor("▸ licence");
    terminal.write("@");
    await terminal.waitFor("Nothing has happened yet.");
    const lines = noticeLines({ atMs: 0, kind: "failed", words: "a long text ".repeat(9) }, 60);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line.map(({ text }) => text).join("").length).toBeLessThanOrEqual(60);
    }
  });
});

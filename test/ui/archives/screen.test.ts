import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { archiveBytes } from "#lib/archive/write-archive.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { copied, copyInForm } from "../support/copied.ts";
import { archiveContent } from "../support/fake-archives.ts";
import { openFake, type Wish } from "../support/open-fake.ts";

async function openArchives(wish: Wish = {}, size = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin", ...wish }, size);
  await terminal.waitFor("▸ licence");
  terminal.write("=");
  await terminal.waitFor("› archives");
  return terminal;
}

/** A small archive as a file, with a member. */
async function archiveFile(): Promise<string> {
  const member = { oid: "o", email: "cleo@northwind.example", role: "tenant-staff" };
  async function* items() {
    await Promise.resolve();
    const lines = [JSON.stringify({ ...member, status: "active" })];
    yield { kind: "rows", part: "members", lines } as const;
  }
  const bytes = archiveBytes(items(), (written) => ({
    format: "svc-archive",
    formatVersion: 1,
    createdAt: "2026-11-20T10:00:00.000Z",
    svcVersion: "1",
    workspace: { id: "w", slug: "old-desk", displayName: "Old desk" },
    groups: ["members"],
    missing: [],
    ...written,
  }));
  const path = join(await temporaryDirectory("archive"), "old.svcarchive");
  await writeFile(path, Buffer.concat(await Array.fromAsync(bytes)));
  return path;
}

describe("the archives of a workspace", () => {
  it("are made with a preview, followed, saved over a broken connection, and deleted", async () => {
    await using terminal = await openArchives();
    await terminal.waitFor(/▸ .*✓ succeeded +55 B/);
    await terminal.waitFor(/records\/licence +42/);
    await terminal.waitFor("✗ failed");
    expect(await copied(terminal)).toContain("svc workspace export --output . --archive a-2");
    const path = join(await temporaryDirectory("saved"), "planning.svcarchive");
    terminal.write("c");
    await terminal.waitFor("Make an archive of planning");
    terminal.write(keys.paste("types"));
    terminal.write(keys.tab + keys.ctrl("u"));
    terminal.write(keys.paste(path));
    expect(await copied(terminal, copyInForm)).toMatch(
      /svc workspace export --output \S+planning\.svcarchive --groups types/,
    );
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("groups: types; no password, key, token or secret");
    await terminal.waitFor(/svc workspace export[^]+--groups types/);
    terminal.write("y");
    await terminal.waitFor(/wrote .*planning\.svcarchive/);
    expect(await Bun.file(path).text()).toBe(archiveContent);
    await terminal.waitFor(/▸ .*✓ succeeded +55 B.* types/);
    terminal.write("s");
    await terminal.waitFor("Save the archive of 2026-11-20");
    expect(await copied(terminal, copyInForm)).toContain(
      "svc workspace export --output ./planning.svcarchive --archive a-3",
    );
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Save the archive of"));
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete the archive of 2026-11-20");
    await terminal.waitFor("svc publicapi delete");
    terminal.write("y");
    await terminal.waitFor("deleted the archive of 2026-11-20");
  });

  it("are imported after a preview of each part, and refused where the file is no archive", async () => {
    const path = await archiveFile();
    await using terminal = await openArchives();
    terminal.write("I");
    await terminal.waitFor("Import an archive into planning");
    terminal.write(keys.paste(`${process.cwd()}/package.json`));
    await terminal.waitFor("package.json");
    terminal.write(keys.enter);
    await terminal.waitFor("Import package.json into planning");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor(/Invalid input[^]*sound[^]*closes this/);
    terminal.write(keys.enter);
    terminal.write("I");
    await terminal.waitFor("Import an archive into planning");
    terminal.write(keys.paste(path));
    await terminal.waitFor("old.svcarchive");
    terminal.write(keys.enter);
    await terminal.waitFor("Import old.svcarchive into planning");
    terminal.write(keys.right);
    expect(await copied(terminal, copyInForm)).toMatch(
      /svc workspace import \S+old\.svcarchive --invite/,
    );
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("the archive of old-desk");
    await terminal.waitFor("invites cleo@northwind.example as tenant-staff");
    terminal.write("y");
    await terminal.waitFor("records/licence: 2 stored, 1 left out, 1 refused");
    await terminal.waitFor("r-1 → r-7");
    await terminal.waitFor("cleo@northwind.example: ");
    terminal.write(keys.enter);
    terminal.write("m");
    await terminal.waitFor("Compare planning with an archive or a workspace");
    terminal.write(keys.paste(path));
    expect(await copied(terminal, copyInForm)).toContain("svc workspace compare planning");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("object-types: missing (3 here, 0 there)");
  });

  it("say what an archive is and the key that makes one, or its reason, at 80x24", async () => {
    await using terminal = await openArchives({ noEvents: true }, { cols: 80, rows: 24 });
    await terminal.waitFor("An archive is one file with everything of this workspace");
    await terminal.waitFor("c makes one.");
    await using reader = await openArchives({
      noEvents: true,
      readOnly: "the profile is read-only",
    });
    reader.write("c");
    await reader.waitFor("the profile is read-only");
    await using staff = await openArchives({ noEvents: true, role: "tenant-staff" });
    staff.write("I");
    await staff.waitFor("needs the role tenant-admin; yours is tenant-staff");
  });

  it("are reached from the list of workspaces, and by the palette in lines", async () => {
    await using terminal = openFake({ role: "tenant-admin" });
    await terminal.waitFor("▸ licence");
    terminal.write("w");
    await terminal.waitFor("› workspaces");
    terminal.write("a");
    await terminal.waitFor(/▸ .*✓ succeeded +55 B/);
    await using spoken = openFake(
      { role: "tenant-admin", isSpoken: true },
      { cols: 100, rows: 120, isAlone: true },
    );
    await spoken.waitFor("2. planning-application, 42");
    spoken.write(`archives${keys.enter}`);
    await spoken.waitFor("succeeded");
  });
});

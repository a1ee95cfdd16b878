import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { describe, expect, it, test } from "vitest";
import { aliasLine } from "#ui/shell/profile/own-keys.tsx";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys } from "../../../support/tty.ts";
import { openFake, openRecords } from "../../support/open-fake.ts";

test("an alias stands for its line, with what follows it", () => {
  const aliases = { pa: "planning-application status:open" };
  expect(aliasLine("pa", aliases)).toBe("planning-application status:open");
  expect(aliasLine(" pa  fee>500 ", aliases)).toBe("planning-application status:open fee>500");
  expect(aliasLine("paper", aliases)).toBeUndefined();
  expect(aliasLine("constructor", aliases)).toBeUndefined();
});

describe("a profile of the user's own", () => {
  it("has aliases in the palette, keys for lines of it, and both in the help", async () => {
    const profileSettings = {
      aliases: { pa: "planning-application status:open" },
      hotkeys: {
        "alt+1": "documents",
        "alt+2": "nothing such",
        "alt+3": "mouse on or off",
        "alt+4": "pa",
      },
      mouse: "perhaps",
    };
    await using terminal = openFake({ profileSettings });
    await terminal.waitFor("The profile's mouse must be true or false; it is not used");
    await terminal.waitFor("▸ licence");
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    await terminal.type("pa");
    await terminal.waitFor(/▸ planning-application status:open +alias/);
    terminal.write(keys.enter);
    await terminal.waitFor("filter status:open");
    terminal.write("\x1b1");
    await terminal.waitFor("▸ plans.pdf");
    terminal.write("\x1b2");
    await terminal.waitFor("nothing here is called “nothing such”");
    terminal.write("\x1b4");
    await terminal.waitFor("filter status:open");
    terminal.write("\x1b3");
    await terminal.waitFor("the mouse selects");
    terminal.write("?");
    await terminal.waitFor("alt+1");
    await terminal.waitFor("nothing such");
  });

  it("runs a program with the fields of the row, after a question, and never a shell", async () => {
    const out = join(await temporaryDirectory("plugin"), "out");
    const write = `printf '%s|%s|%s' "$SVC_NOUN" "$SVC_ROW_REFERENCE" "$SVC_ROW_ADDRESS" > "$1"`;
    const profileSettings = {
      plugins: [
        { key: "alt+m", words: "note it", command: ["/bin/sh", "-c", write, "sh", out] },
        { key: "alt+d", at: ["documents"], command: ["true"], words: "only there" },
        { key: "alt+e", command: ["/bin/sh", "-c", "echo said; exit 3"], confirm: false },
      ],
    };
    await using terminal = await openRecords({ profileSettings, address: "$(touch x) `id`" });
    terminal.write("j");
    await terminal.waitFor(/▸ PA-2026-00041/);
    terminal.write("\x1bm");
    await terminal.waitFor("runs on this machine with the fields of the selected row");
    terminal.write("y");
    await terminal.waitFor("note it: done");
    expect(await readFile(out, "utf8")).toBe("planning-application|PA-2026-00041|$(touch x) `id`");
    terminal.write("\x1bd");
    await terminal.waitFor("only there: works at documents");
    terminal.write("\x1be");
    await terminal.waitFor("/bin/sh ended with 3");
    await terminal.waitFor("said");
  });

  it("that is read-only refuses each change, and shows it in the header", async () => {
    const readOnly = "the profile prod is read-only; `svc config unset read_only` allows changes";
    await using terminal = await openRecords({ readOnly });
    await terminal.waitFor(/read-only +admin/);
    terminal.write("e");
    await terminal.waitFor("edit: the profile prod is read-only");
    terminal.write("4");
    await terminal.waitFor("i writes a question");
    terminal.write("i");
    await terminal.type("When?");
    terminal.write(keys.enter);
    await terminal.waitFor("✗ E204 Permission denied: POST");
  });
});

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys, type OpenedTerminal } from "../../../support/tty.ts";
import { copied, copyInForm } from "../../support/copied.ts";
import { choose, openOrders } from "../../support/open-fake.ts";

const fields = [
  "reference",
  "status",
  "application",
  "due",
  "urgent",
  "cost",
  "note",
  "place",
  "parts",
  "related",
] as const;
type FieldName = (typeof fields)[number];

/** Goes by Tab from one field of the form to one below it. */
async function goTo(terminal: OpenedTerminal, to: FieldName, from: FieldName = "reference") {
  terminal.write(keys.tab.repeat(fields.indexOf(to) - fields.indexOf(from)));
  await terminal.waitFor(`▸ ${to}`);
}

describe("a form made from the type", () => {
  it("creates a record with defaults, and shows the faults of type and platform", async () => {
    await using terminal = await openOrders({}, { cols: 80, rows: 24 });
    terminal.write("c");
    await terminal.waitFor("Create works-order");
    expect(terminal.text()).toMatch(/urgent\s+no/);
    await terminal.type("X");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("✗ must match the pattern ^WO-[0-9]+$");
    await terminal.waitFor("✗ is required");
    terminal.write(keys.ctrl("u"));
    await terminal.type("WO-1");
    terminal.write(keys.tab);
    await terminal.waitFor("‹ – ›");
    await terminal.type("d");
    await terminal.waitFor("‹ decided › 2 of 3");
    terminal.write(keys.right);
    await terminal.waitFor("‹ withdrawn › 3 of 3");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("✗ is the value of another record already");
    terminal.write(keys.ctrl("u"));
    await terminal.type("WO-77");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("created WO-77");
    await terminal.waitFor("▸ WO-1");
  });

  it("takes a pasted text, with its lines if the field allows them", async () => {
    await using terminal = await openOrders();
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await goTo(terminal, "note");
    terminal.write(keys.ctrl("a"));
    terminal.write(keys.paste("first\nsecond \x1b]0;owned\x07"));
    await terminal.waitFor("second Replace the gutter");
    await terminal.waitFor("first");
    terminal.write(keys.backTab);
    await terminal.waitFor("▸ cost");
    terminal.write(keys.paste("1\t\n2"));
    await terminal.waitFor(/▸ cost\s+1201 {1,3}2/);
    expect(terminal.title()).not.toContain("owned");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("✗ must be a number");
  });

  it("takes a paste of 5,000 lines, and stores each of them", async () => {
    await using terminal = await openOrders();
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await goTo(terminal, "note");
    terminal.write(keys.paste(Array.from({ length: 5_000 }, (_, at) => `l${at}`).join("\n")));
    await terminal.waitFor("l4999");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 3");
    await terminal.waitFor("28,907 characters in total");
  });

  it("refuses a paste that does not fit, whole and with the reason", async () => {
    await using terminal = await openOrders();
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await goTo(terminal, "note");
    terminal.write(keys.paste("x".repeat(100_001)));
    await terminal.waitFor("nothing was inserted: 100,001 characters do not fit");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("nothing was changed");
  });

  it("keeps a long text from keys, and edits it in the user's editor", async () => {
    const editor = 'sed -i "s/^y/edited y/"';
    const longNote = 150_003;
    await using terminal = await openOrders({ longNote }, { env: { VISUAL: editor } });
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await goTo(terminal, "note");
    await terminal.waitFor("150,003 characters, kept as they are");
    const reason = "note has 150,003 characters, too many to edit here: E opens your editor";
    for (const key of ["x", keys.backspace, keys.paste("other")]) {
      terminal.write(key);
      await terminal.waitFor(reason);
    }
    await goTo(terminal, "place", "note");
    terminal.write(keys.backTab);
    await terminal.waitFor("E edit the text in your editor");
    terminal.write("E");
    await terminal.waitFor("150,010 characters, kept as they are");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 3");
  });

  it("saves no version without a change", async () => {
    await using terminal = await openOrders();
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await terminal.type("7");
    await terminal.waitFor("WO-17");
    terminal.write(keys.backspace);
    await terminal.waitFor((screen) => !screen.includes("WO-17"));
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("nothing was changed");
    expect(terminal.text()).not.toContain("Edit WO-1");
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
  });

  it("asks before it discards typed text, and closes at once without changes", async () => {
    await using terminal = await openOrders();
    terminal.write("e");
    await terminal.waitFor("Edit WO-1");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Edit WO-1"));
    terminal.write("e");
    await terminal.waitFor("Edit WO-1");
    await terminal.type("7");
    await terminal.waitFor("WO-17");
    terminal.write(keys.escape);
    await terminal.waitFor("Close without saving");
    terminal.write("n");
    await terminal.waitFor((screen) => !screen.includes("Close without saving"));
    expect(terminal.text()).toContain("WO-17");
    expect(await copied(terminal, copyInForm)).toContain("svc resources update works-order");
    terminal.write(keys.escape);
    await terminal.waitFor("Close without saving");
    terminal.write("y");
    await terminal.waitFor((screen) => !screen.includes("Edit WO-1"));
  });

  it("chooses the record that a field refers to", async () => {
    await using terminal = await openOrders();
    terminal.write("e");
    await terminal.waitFor("Edit WO-1");
    await goTo(terminal, "application");
    await choose(terminal, keys.ctrl("o"), "Choose a planning-application", "00041");
    await terminal.waitFor("01936f00-0000-7000-9000-000000000001");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 3");
  });

  it("chooses the records of a list, one per line", async () => {
    await using terminal = await openOrders();
    terminal.write("e");
    await terminal.waitFor("Edit WO-1");
    await goTo(terminal, "related");
    await terminal.waitFor("ids of planning-application, one per line");
    for (const name of ["00041", "00040"]) {
      terminal.write(keys.ctrl("o"));
      await terminal.waitFor("Choose a planning-application");
      await terminal.type(name);
      await terminal.waitFor(`▸ PA-2026-${name}`);
      terminal.write(keys.enter);
      await terminal.waitFor((screen) => !screen.includes("Choose a planning-application"));
    }
    await terminal.waitFor(/▸ related\s+01936f00-0000-7000-9000-000000000001/);
    await terminal.waitFor(/^\W+01936f00-0000-7000-9000-000000000002/m);
    terminal.write(keys.ctrl("o"));
    await terminal.waitFor("✓ PA-2026-00040");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Choose a planning-application"));
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 3");
  });

  it("says on which side there are more fields than fit", async () => {
    await using terminal = await openOrders({}, { cols: 80, rows: 14 });
    terminal.write("e");
    await terminal.waitFor(/▸ reference[^\n]*WO-1/);
    await terminal.waitFor((screen) => /↓ │$/m.test(screen) && !screen.includes("↑"));
    await goTo(terminal, "related");
    await terminal.waitFor((screen) => /↑ │$/m.test(screen) && !screen.includes("↓"));
  });

  it("names the whole reason why a field is read-only, also on a small screen", async () => {
    await using terminal = await openOrders({ role: "tenant-staff" }, { cols: 80, rows: 24 });
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await terminal.waitFor("⊘ read-only");
    await goTo(terminal, "place");
    await terminal.waitFor("place is read-only for you: needs the role tenant-admin");
    await terminal.type("x");
    terminal.write(keys.tab);
    await terminal.waitFor("▸ parts");
    await terminal.waitFor("JSON list");
  });

  it("is not for viewers", async () => {
    await using terminal = await openOrders({ role: "tenant-viewer" });
    terminal.write("e");
    await terminal.waitFor("needs the role tenant-staff; yours is tenant-viewer");
  });
});

describe("a record that another user deleted while it was edited", () => {
  it("says so, and creates it again with the typed values", async () => {
    await using terminal = await openOrders({ meanwhile: "delete" }, { cols: 80, rows: 24 });
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await goTo(terminal, "note");
    await terminal.type("!");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("This record was deleted meanwhile: ^s creates it again");
    expect(terminal.text()).toContain("Replace the gutter!");
    expect(await copied(terminal, copyInForm)).toContain("svc resources create works-order");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("created WO-1");
  });
});

describe("a type that was changed while a form was open", () => {
  it("updates the fields of the form and keeps the typed text", async () => {
    await using terminal = await openOrders({ meanwhile: "retype" }, { cols: 80, rows: 30 });
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await goTo(terminal, "note");
    await terminal.type("!");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("The type was changed meanwhile: these are its fields now");
    expect(terminal.text()).toMatch(/▸ ward \*\W+✗ is required/);
    expect(terminal.text()).toContain("✗ is not a property of this type");
    expect(terminal.text()).toContain("Replace the gutter!");
    await terminal.type("north");
    terminal.write(keys.tab);
    await terminal.waitFor("▸ cost");
    terminal.write(keys.ctrl("u"));
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 3");
  });
});

describe("a filter by a property that the type no longer has", () => {
  it("still finds the same records, not all of them", async () => {
    await using terminal = await openOrders({ meanwhile: "retype" });
    terminal.write("/");
    await terminal.type("cost>1");
    terminal.write(keys.enter);
    await terminal.waitFor("filter cost>1 ─");
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await terminal.type("2");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("The type was changed meanwhile");
    terminal.write(keys.escape);
    await terminal.waitFor("y yes");
    terminal.write("y");
    await terminal.waitFor(/REFERENCE.*WARD/);
    expect(await copied(terminal)).toContain(
      `svc resources list works-order --where '{"cost":{"$gt":1}}'`,
    );
  });
});

describe("a record that another user saved first", () => {
  it("is resolved field by field, and no typed text is lost", async () => {
    await using terminal = await openOrders({ meanwhile: "change" }, { cols: 80, rows: 24 });
    terminal.write("e");
    await terminal.waitFor("Edit WO-1, version 2");
    await goTo(terminal, "cost");
    terminal.write(keys.ctrl("u"));
    await terminal.type("333");
    await goTo(terminal, "note", "cost");
    await terminal.type("!");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("ada@northwind.example saved version 3 while you were at version 2.");
    await terminal.waitFor(/▸ cost\s+changed by both\s+\? mine or theirs/);
    expect(terminal.text()).toMatch(/due\s+changed by them\s+✓ theirs/);
    expect(terminal.text()).toMatch(/note\s+changed by you\s+✓ mine/);
    expect(terminal.text()).toMatch(/base\s+120/);
    expect(terminal.text()).toMatch(/mine\s+333/);
    expect(terminal.text()).toMatch(/theirs\s+500/);
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("1 field changed by both: take mine or theirs");
    terminal.write(keys.up.repeat(2));
    await terminal.waitFor("▸ due");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("▸ cost");
    terminal.write("e");
    await terminal.waitFor("▸ cost");
    await terminal.waitFor("Version 3 was saved meanwhile");
    await terminal.type("4");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 4");
    terminal.write(keys.enter);
    await terminal.waitFor(/cost\s+3334/);
    expect(terminal.text()).toMatch(/due\s+2027-01-31/);
    expect(terminal.text()).toContain("Replace the gutter!");
  });

  it.each([
    ["is not there", "/no/such/editor", "was not found: nothing was changed"],
    ["fails", "exit 3;", "ended with exit code 3: nothing was changed"],
    ["takes the file away", "rm", "rm deleted the file: nothing was changed"],
  ])("reports an editor that %s", async (_, editor, words) => {
    await using terminal = await openOrders({}, { env: { EDITOR: editor } });
    terminal.write("E");
    await terminal.waitFor(words);
    expect(terminal.text()).toContain("▸ WO-1");
  });

  it.each([
    [
      "is no JSON",
      "s/false,/false/",
      /not JSON: line \d+, column 3:\W+a\W+, or \}[^]{0,60}is missing/,
      '"urgent": false\n',
    ],
    ["is in another encoding", "s/gutter/goutti\\xe8re/", /not valid UTF-8/, "goutti\xe8re"],
  ])("opens the edited text again if it %s", async (_, change, why, left) => {
    const folder = await temporaryDirectory("edits");
    const [editor, opened] = [join(folder, "editor"), join(folder, "opened")];
    await writeFile(editor, `cp "$1" ${opened}\nLC_ALL=C sed -i '${change}' "$1"\n`);
    await using terminal = await openOrders({}, { env: { EDITOR: `sh ${editor}` } });
    terminal.write("E");
    await terminal.waitFor("can't save this: the text is");
    await terminal.waitFor(why);
    await terminal.waitFor("y opens it again, n discards it");
    expect(await readFile(opened, "latin1")).not.toContain(left);
    terminal.write("y");
    await expect.poll(async () => readFile(opened, "latin1")).toContain(left);
    // The editor has the keys until it ends, and the screen still shows what was before it.
    await terminal.waitForQuiet(200);
    await terminal.waitFor("can't save this: the text is");
    terminal.write("n");
    await terminal.waitFor((screen) => !screen.includes("can't save this"));
  });

  it("replaces the toast by the keys of the form that opens next", async () => {
    await using terminal = await openOrders({}, { env: { EDITOR: "exit 3;" } });
    terminal.write("E");
    await terminal.waitFor("nothing was changed");
    terminal.write("e");
    await terminal.waitFor("Edit WO-1");
    await terminal.waitFor("^s save");
    expect(terminal.text()).not.toContain("nothing was changed");
  });

  it("is also resolved after an edit in an editor", async () => {
    const editor = `sed -i 's/"cost": 120/"cost": 7/'`;
    await using terminal = await openOrders({ meanwhile: "change" }, { env: { EDITOR: editor } });
    terminal.write("E");
    await terminal.waitFor("saved version 3 while");
    await terminal.waitFor(/BASE\s+MINE\s+THEIRS/);
    await terminal.waitFor(/120\s+7\s+500/);
    terminal.write("m");
    await terminal.waitFor(/cost\s+changed by both\s+✓ mine/);
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved WO-1 as version 4");
  });
});

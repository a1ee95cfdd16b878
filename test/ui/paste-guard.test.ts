import { describe, expect, it } from "vitest";
import { PasteGuard } from "#ui/paste-guard.ts";
import { keys } from "../support/tty.ts";
import { openFake } from "./support/open-fake.ts";

const start = "\x1b[200~";
const end = "\x1b[201~";
const limit = 1_000_000;

/** The chunks as Ink receives them; they arrive without a pause. */
function passed(chunks: readonly string[]): string[] {
  const guard = new PasteGuard(
    () => {},
    () => 0,
  );
  const result = chunks.map((chunk) => guard.pass(chunk));
  guard.stop();
  return result;
}

describe("a paste", () => {
  it.each([
    [["jk", "\x1b[A", `${start}a\nb${end}q`]],
    [["\x1b[20", "0~text\x1b[2", "01~", "q"]],
    [[`${start}a${end}${start}b`, `c${end}`]],
  ])("with its end passes as it came: %j", (chunks) => {
    expect(passed(chunks)).toEqual(chunks);
  });

  it("without its end is ended by Ctrl-C, which stays a key", () => {
    expect(passed([`${start}text`, "\x03", "j"])).toEqual([`${start}text`, `${end}\x03`, "j"]);
  });

  it("of more than a million characters is cut, and what follows are keys again", () => {
    const chunks = [start, "x".repeat(limit), "y".repeat(100), "z".repeat(100), `zz${end}jj`];
    const result = passed(chunks).join("");
    expect(result).toBe(`${start}${"x".repeat(limit)}${end}jj`);
  });

  it("keeps the text before a late end from being keys", () => {
    expect(passed([`${start}a`, "\x03", `dd\r${end}j`])).toEqual([
      `${start}a`,
      `${end}\x03`,
      `${start}dd\r${end}j`,
    ]);
  });
});

describe("the keyboard after a paste whose end was lost", () => {
  it("works again after a silence, and keeps the pasted text", async () => {
    await using terminal = openFake({}, { isAlone: true });
    await terminal.waitFor("planning-application");
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    terminal.write(`${start}memb`);
    await terminal.waitFor("› memb");
    terminal.write("ers");
    await terminal.waitFor("› members");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Go to, or do"));
  });

  it("ends the dashboard with Ctrl-C at once", async () => {
    await using terminal = openFake({}, { isAlone: true });
    await terminal.waitFor("planning-application");
    terminal.write(`${start}text`);
    await terminal.waitForQuiet(100);
    terminal.write(keys.ctrl("c"));
    expect(await terminal.exitCode).toBe(0);
  });
});

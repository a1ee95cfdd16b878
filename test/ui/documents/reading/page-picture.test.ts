import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../../support/tty.ts";
import { readSixel } from "../../kit/picture/sixel-reader.ts";
import { openFake, type FakeOptions } from "../../support/open-fake.ts";

/** The reader of the document on its first page. */
async function openReader(pictures: unknown, options: FakeOptions = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ profileSettings: { pictures } }, options);
  await terminal.waitFor("▸ licence");
  terminal.write("2");
  await terminal.waitFor("▸ plans.pdf");
  terminal.write("t");
  await terminal.waitFor("page 1 of 3");
  return terminal;
}

const wait = (terminal: OpenedTerminal, wanted: RegExp) =>
  terminal.waitFor(() => wanted.test(terminal.raw()));

/** The PNG that a terminal of kitty's protocol got last, and its number. */
function placed(output: string) {
  const from = output.lastIndexOf("\x1b_Ga=T,U=1");
  const pieces = [...output.slice(from).matchAll(/\x1b_G([^;\x1b]*m=[01]);([^\x1b]*)\x1b\\/g)];
  const control = pieces[0]?.[1] ?? "";
  const png = Buffer.from(pieces.map(([, , data]) => data).join(""), "base64");
  return { png, id: Number(/i=(\d+)/.exec(control)?.[1]), control };
}

const whole = /\x1b_G[^;]*m=0;[^\x1b]*\x1b\\/;
const removal = /\x1b_Ga=d,d=I,i=\d+,q=2\x1b\\/;
const anyPicture = /\x1b_G|\x1bP[\d;]*q/;

describe("the picture of a page", () => {
  it("lies over placeholders of its number, and is removed when it is left", async () => {
    await using terminal = await openReader("kitty");
    expect(terminal.text()).toContain("i picture");
    terminal.write("i");
    await wait(terminal, whole);
    await terminal.waitFor("\u{10eeee}");
    const { png, id, control } = placed(terminal.raw());
    const [, columns = "", rows = ""] = /c=(\d+),r=(\d+)/.exec(control) ?? [];
    const { width, height, format } = await new Bun.Image(png).metadata();
    expect(format).toBe("png");
    expect(Math.abs(width / height - 2 / 3)).toBeLessThan(0.02);
    expect(Math.ceil(width / 10)).toBe(Number(columns));
    expect(Math.ceil(height / 20)).toBe(Number(rows));
    const lines = terminal.screen();
    const row = lines.findIndex((line) => line.includes("\u{10eeee}"));
    const before = lines[row]?.split("\u{10eeee}")[0] ?? "";
    const cell = terminal.cell(row, Bun.stringWidth(before));
    expect(cell.text.codePointAt(0)).toBe(0x10_eeee);
    expect(cell.foreground).toBe(id);
    // The text stays next to it.
    expect(terminal.text()).toContain("Page 1");
    terminal.write("i");
    await wait(terminal, removal);
    await terminal.waitFor((text) => !text.includes("\u{10eeee}"));
  });

  it("is that of the next page, and is removed with the reader", async () => {
    await using terminal = await openReader("kitty", { cols: 80, rows: 24 });
    terminal.write("i");
    await terminal.waitFor("\u{10eeee}");
    terminal.write("n");
    await terminal.waitFor("page 2 of 3");
    await terminal.waitFor("\u{10eeee}");
    terminal.write("n");
    await terminal.waitFor("has text, lines or areas");
    await terminal.waitFor("i shows the text again");
    terminal.write("p");
    await terminal.waitFor("\u{10eeee}");
    const before = terminal.raw().length;
    terminal.write(keys.escape);
    await terminal.waitFor("▸ plans.pdf");
    expect(terminal.raw().slice(before)).toMatch(removal);
  });

  it("is painted in sixels on empty cells, and gives way to what lies over it", async () => {
    await using terminal = await openReader("sixel");
    terminal.write("i");
    await terminal.waitFor(() => readSixel(terminal.raw()) !== undefined);
    const read = readSixel(terminal.raw());
    const { width = 1, height = 1 } = read ?? {};
    expect(Math.abs(width / height - 2 / 3)).toBeLessThan(0.02);
    expect([read?.colourAt(5, 5), read?.colourAt(5, height - 2)]).toEqual(["0;0;0", "100;100;100"]);
    const painted = terminal.raw().length;
    terminal.write("?");
    const erasing = /\x1b7(?:\x1b\[\d+;\d+H\x1b\[\d+X)+\x1b8/;
    await terminal.waitFor(() => erasing.test(terminal.raw().slice(painted)));
    await terminal.waitForQuiet(150);
    expect(readSixel(terminal.raw().slice(painted))).toBeUndefined();
    terminal.write(keys.escape);
    await terminal.waitFor(() => readSixel(terminal.raw().slice(painted)) !== undefined);
    const again = terminal.raw().length;
    terminal.write(keys.escape);
    await terminal.waitFor("▸ plans.pdf");
    expect(terminal.raw().slice(again)).toMatch(/\x1b\[\d+X/);
  });

  it("is drawn as the terminal says, which is asked when it is wanted", async () => {
    await using terminal = await openReader(true, { isSilent: true, isAlone: true });
    expect(terminal.raw()).not.toContain("\x1b_G");
    const before = terminal.raw().length;
    terminal.write("i");
    await terminal.waitFor(() => terminal.raw().slice(before).includes("\x1b[c"));
    terminal.write("\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.40)\x1b\\\x1b[6;18;9t\x1b[?62;c");
    await terminal.waitFor("\u{10eeee}");
    expect(terminal.text()).not.toContain("kitty");
  });

  it("is not drawn where the terminal says nothing", async () => {
    await using terminal = await openReader(true, { isSilent: true });
    terminal.write("i");
    await terminal.waitFor("draws no pictures");
    await terminal.waitFor("--as picture --page 1");
  });

  it.each([false, undefined])("is not drawn unless the profile allows it (%s)", async (setting) => {
    await using terminal = await openReader(setting);
    terminal.write("i");
    await terminal.waitFor("svc config set pictures true");
    expect(terminal.raw()).not.toMatch(anyPicture);
  });
});

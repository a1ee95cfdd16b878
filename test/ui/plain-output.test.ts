import { describe, expect, it } from "vitest";
import { charsetOf } from "#ui/kit/theme/charset.ts";
import { plainOutput } from "#ui/plain-output.ts";
import { openFake } from "./support/open-fake.ts";

describe("the charset of a terminal", () => {
  it.each([
    [{ LANG: "C.UTF-8" }, "unicode"],
    [{ LANG: "de_DE.utf8", TERM: "linux" }, "console"],
    [{}, "unicode"],
    [{ LANG: "C" }, "ascii"],
    [{ LANG: "en_GB.UTF-8", LC_ALL: "POSIX" }, "ascii"],
    [{ LANG: "de_DE@euro", LC_CTYPE: "en_GB.UTF-8" }, "unicode"],
    [{ LANG: "C.UTF-8", TERM: "vt100" }, "ascii"],
  ])("of %o is %s", (env, charset) => {
    expect(charsetOf({ env, platform: "linux" })).toBe(charset);
  });
});

describe("plain output", () => {
  it("has as many columns as before", () => {
    const text = "┌ ▸● PA ─ ✓ ▁▂▃▄▅▆▇█ ▘▝▀▖▗▚▞▛▜▙▟ 日本 café £5 ⠀⠁⣿ … ┐";
    const plain = plainOutput(text, "ascii");
    expect(plain).toMatch(/^[\x20-\x7e]+$/);
    expect(plain).toHaveLength(Bun.stringWidth(text));
    expect(plain).toContain("cafe ?5");
  });

  it("keeps what the font of the Linux console has, and all letters", () => {
    expect(plainOutput("┌─┐ ▸ ✓ ▲ é £ …", "console")).toBe("┌─┐ ► √ ▲ é £ .");
  });

  it("is the text itself on other terminals", () => {
    expect(plainOutput("▸ ✓", "unicode")).toBe("▸ ✓");
  });
});

describe("the dashboard", () => {
  it.each([
    ["a locale without Unicode", { LC_ALL: "C" }],
    ["an old terminal", { TERM: "vt100" }],
  ])("draws ASCII alone with %s", async (_name, env) => {
    await using terminal = openFake({}, { env });
    await terminal.waitFor("> licence");
    await terminal.waitForQuiet(150);
    expect(terminal.raw()).toMatch(/^[\x00-\x7f]*$/);
    expect(terminal.text()).toMatch(/^\|?\+ .*Object Types - /m);
    terminal.write("j");
    await terminal.waitFor("> planning-application");
  });
});

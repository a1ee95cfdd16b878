import { describe, expect, it } from "vitest";
import { blockText, cellText, plainLine, plainText, splitGraphemes } from "#lib/text/terminal.ts";

const esc = "\x1b";
const bell = "\x07";
const terminator = `${esc}\\`;

/** The input, and the exact text that may reach the screen. */
const payloads: readonly (readonly [name: string, input: string, output: string])[] = [
  // CSI: cursor, erase, colour, modes, queries
  ["cursor up", `a${esc}[Ab`, "ab"],
  ["cursor position", `a${esc}[10;20Hb`, "ab"],
  ["cursor home", `a${esc}[Hb`, "ab"],
  ["erase screen", `a${esc}[2Jb`, "ab"],
  ["erase scrollback", `a${esc}[3Jb`, "ab"],
  ["erase line", `a${esc}[2Kb`, "ab"],
  ["insert lines", `a${esc}[5Lb`, "ab"],
  ["scroll region", `a${esc}[1;5rb`, "ab"],
  ["scroll up", `a${esc}[99Sb`, "ab"],
  ["red", `${esc}[31mred${esc}[0m`, "red"],
  ["true colour", `${esc}[38;2;255;0;0mred`, "red"],
  ["colon colour", `${esc}[38:2::1:2:3mx`, "x"],
  ["concealed", `${esc}[8msecret${esc}[28m`, "secret"],
  ["alternate screen on", `${esc}[?1049hx`, "x"],
  ["alternate screen off", `${esc}[?1049lx`, "x"],
  ["hide cursor", `${esc}[?25lx`, "x"],
  ["mouse reporting", `${esc}[?1000hx`, "x"],
  ["any-event mouse", `${esc}[?1003;1006hx`, "x"],
  ["bracketed paste", `${esc}[?2004hx`, "x"],
  ["synchronised output", `${esc}[?2026hx`, "x"],
  ["autowrap off", `${esc}[?7lx`, "x"],
  ["device status", `${esc}[6nx`, "x"],
  ["device attributes", `${esc}[cx`, "x"],
  ["secondary attributes", `${esc}[>cx`, "x"],
  ["kitty keyboard", `${esc}[>1ux`, "x"],
  ["title report", `${esc}[21tx`, "x"],
  ["window resize", `${esc}[8;1;1tx`, "x"],
  ["soft reset", `${esc}[!px`, "x"],
  ["cursor shape", `${esc}[5 qx`, "x"],
  ["repeat character", `a${esc}[999bz`, "az"],
  ["paste end", `${esc}[201~rm -rf`, "rm -rf"],
  ["unfinished CSI", `a${esc}[12;`, "a12;"],
  ["CSI broken by newline", `a${esc}[12\nb`, "a12\nb"],
  ["CSI alone", `${esc}[`, ""],
  ["CSI nested in CSI", `${esc}[${esc}[31mx`, "x"],
  ["sequence that appears when another goes", `${esc}${esc}[31m[2Jx`, "[2Jx"],
  // Operating system commands begin with OSC.
  ["title", `${esc}]0;owned${bell}x`, "x"],
  ["title with ST", `${esc}]2;owned${terminator}x`, "x"],
  ["palette", `${esc}]4;1;rgb:ff/00/00${bell}x`, "x"],
  ["working directory", `${esc}]7;file:///etc${bell}x`, "x"],
  ["hyperlink", `${esc}]8;;https://evil.example${bell}click${esc}]8;;${bell}`, "click"],
  ["hyperlink with ST", `${esc}]8;id=1;http://e${terminator}go${esc}]8;;${terminator}`, "go"],
  ["notification", `${esc}]9;hello${bell}x`, "x"],
  ["foreground query", `${esc}]10;?${bell}x`, "x"],
  ["background query", `${esc}]11;?${terminator}x`, "x"],
  ["clipboard write", `${esc}]52;c;cm0gLXJm${bell}x`, "x"],
  ["clipboard read", `${esc}]52;c;?${bell}x`, "x"],
  ["shell integration", `${esc}]133;A${bell}x`, "x"],
  ["notification 777", `${esc}]777;notify;a;b${bell}x`, "x"],
  ["iTerm file", `${esc}]1337;File=inline=1:AAAA${bell}x`, "x"],
  ["unfinished OSC keeps the rest", `a${esc}]0;title and text`, "a0;title and text"],
  ["OSC ended by 8-bit ST", `${esc}]0;t\x9cx`, "x"],
  ["8-bit OSC", `\x9d0;t${bell}x`, "x"],
  ["8-bit OSC with 8-bit ST", `\x9d52;c;AAAA\x9cx`, "x"],
  // Strings begin with DCS, SOS, PM or APC.
  ["sixel", `${esc}Pq#0;2;0;0;0~-${terminator}x`, "x"],
  ["tmux passthrough", `${esc}Ptmux;abc${terminator}x`, "x"],
  ["DECRQSS", `${esc}P$qm${terminator}x`, "x"],
  ["8-bit DCS", `\x90q~\x9cx`, "x"],
  ["start of string", `${esc}Xhidden${terminator}x`, "x"],
  ["8-bit SOS", `\x98hidden\x9cx`, "x"],
  ["privacy message", `${esc}^hidden${terminator}x`, "x"],
  ["8-bit PM", `\x9ehidden\x9cx`, "x"],
  ["kitty graphics", `${esc}_Ga=T,f=100;AAAA${terminator}x`, "x"],
  ["8-bit APC", `\x9fGa=T\x9cx`, "x"],
  ["unfinished DCS keeps the rest", `a${esc}Pqtext`, "aqtext"],
  // Sequences of two characters and of charsets
  ["full reset", `a${esc}cb`, "ab"],
  ["save cursor", `a${esc}7b`, "ab"],
  ["restore cursor", `a${esc}8b`, "ab"],
  ["index", `a${esc}Db`, "ab"],
  ["reverse index", `a${esc}Mb`, "ab"],
  ["next line", `a${esc}Eb`, "ab"],
  ["line drawing charset", `${esc}(0lqk`, "lqk"],
  ["alignment test", `${esc}#8x`, "x"],
  ["application keypad", `${esc}=x`, "x"],
  ["locking shift", `${esc}nx`, "x"],
  ["lone ESC", `a${esc}`, "a"],
  ["ESC ESC", `a${esc}${esc}b`, "a"],
  // Control characters of the set C0
  ["NUL", "a\x00b", "ab"],
  ["SOH", "a\x01b", "ab"],
  ["ETX", "a\x03b", "ab"],
  ["ENQ", "a\x05b", "ab"],
  ["BEL", "a\x07b", "ab"],
  ["backspace overwrite", "safe\b\b\b\bevil", "safeevil"],
  ["vertical tab", "a\x0bb", "a\nb"],
  ["form feed", "a\x0cb", "a\nb"],
  ["carriage return overwrite", "safe\revil", "safe\nevil"],
  ["CRLF", "a\r\nb", "a\nb"],
  ["shift out", "a\x0eb", "ab"],
  ["shift in", "a\x0fb", "ab"],
  ["XON and XOFF", "a\x11\x13b", "ab"],
  ["CAN", "a\x18b", "ab"],
  ["SUB", "a\x1ab", "ab"],
  ["unit separator", "a\x1fb", "ab"],
  ["DEL", "a\x7fb", "ab"],
  // Control characters of the set C1
  ["8-bit CSI", "a\x9b31mb", "ab"],
  ["8-bit CSI erase", "a\x9b2Jb", "ab"],
  ["IND", "a\x84b", "ab"],
  ["NEL", "a\x85b", "a\nb"],
  ["RI", "a\x8db", "ab"],
  ["single shift", "a\x8e\x8fb", "ab"],
  ["lone ST", "a\x9cb", "ab"],
  ["lone 8-bit CSI", "a\x9b", "a"],
  ["all C1", String.fromCharCode(...Array.from({ length: 16 }, (_, i) => 0x80 + i)), "\n"],
  // Characters that reorder text or are invisible
  ["right-to-left override", "invoice\u202egpj.exe", "invoicegpj.exe"],
  ["left-to-right override", "a\u202db", "ab"],
  ["embedding", "a\u202ab\u202bc\u202cd", "abcd"],
  ["isolates", "a\u2066b\u2067c\u2068d\u2069e", "abcde"],
  ["marks", "a\u200eb\u200fc\u061cd", "abcd"],
  ["zero-width space", "pay\u200bpal", "paypal"],
  ["word joiner", "a\u2060b", "ab"],
  ["invisible operators", "a\u2061\u2062\u2063\u2064b", "ab"],
  ["deprecated format characters", "a\u206a\u206fb", "ab"],
  ["byte order mark", "\ufeffa", "a"],
  ["soft hyphen", "a\u00adb", "ab"],
  ["Mongolian vowel separator", "a\u180eb", "ab"],
  ["interlinear annotation", "a\ufff9b\ufffac\ufffbd", "abcd"],
  ["tags", "a\u{e0001}\u{e0068}\u{e0069}\u{e007f}b", "ab"],
  ["musical format characters", "a\u{1d173}\u{1d17a}b", "ab"],
  ["line separator", "a\u2028b", "a\nb"],
  ["paragraph separator", "a\u2029b", "a\nb"],
  // Surrogates that have no partner
  ["lone high surrogate", "a\ud800b", "a\ufffdb"],
  ["lone low surrogate", "a\udc00b", "a\ufffdb"],
  ["reversed pair", "a\udc00\ud800b", "a\ufffd\ufffdb"],
  // Harmless text that stays as it is
  ["plain", "PA-2026-0042 open", "PA-2026-0042 open"],
  ["tab and newline", "a\tb\nc", "a\tb\nc"],
  ["accents", "Åse Çelik", "Åse Çelik"],
  ["Japanese", "日本語", "日本語"],
  ["Arabic", "مرحبا", "مرحبا"],
  ["emoji", "done 🎉", "done 🎉"],
  ["family stays in plain text", "👨‍👩‍👧", "👨‍👩‍👧"],
  ["empty", "", ""],
];

describe("plainText", () => {
  it.each(payloads)("%s", (_name, input, output) => {
    expect(plainText(input)).toBe(output);
  });

  it("has more than a hundred payloads", () => {
    expect(payloads.length).toBeGreaterThanOrEqual(100);
  });

  it.each(payloads)("is stable when applied again: %s", (_name, input) => {
    const once = plainText(input);
    expect(plainText(once)).toBe(once);
  });

  it("leaves no control character whatever code point comes in, alone or after ESC", () => {
    const harmful =
      /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
    for (let point = 0; point <= 0xffff; point += 1) {
      const character = String.fromCharCode(point);
      expect(harmful.test(plainText(`a${character}b${esc}${character}c`))).toBe(false);
    }
  });

  it("stays quick on a megabyte of introducers that never end", () => {
    expect(plainText(`${esc}]`.repeat(500_000))).toBe("");
    expect(plainText(`${esc}[`.repeat(500_000))).toBe("");
    expect(plainText("\x90".repeat(1_000_000))).toBe("");
  });
});

describe("plainLine", () => {
  it("makes line ends and tabs single spaces", () => {
    expect(plainLine("a\r\n\tb\nc\u2028d")).toBe("a b c d");
  });
});

describe("cellText", () => {
  it.each([
    ["family", "👨‍👩‍👧 home", "👨 home"],
    ["warning sign", "⚠️ late", "⚠ late"],
    ["keycap", "1️⃣ first", "1 first"],
    ["skin tone", "👍🏽 ok", "👍 ok"],
    ["pirate flag", "🏴‍☠️", "🏴"],
    ["heart", "❤️", "❤"],
    ["lone joiner", "a\u200d", "a"],
    ["lone selector", "\ufe0f", ""],
    ["national flag stays", "🇸🇪", "🇸🇪"],
    ["composed accent", "e\u0301", "é"],
    ["tower of marks", `z${"\u0335".repeat(60)}`, `z${"\u0335".repeat(3)}`],
    ["Thai stays", "กำลัง", "กำลัง"],
    ["newline", "a\nb", "a b"],
    ["control sequence", `${esc}[31mred`, "red"],
  ])("%s", (_name, input, output) => {
    expect(cellText(input)).toBe(output);
  });
});

describe("blockText", () => {
  it("keeps lines and makes widths steady", () => {
    expect(blockText("a\tb\n👨‍👩‍👧\r\nc")).toBe("a  b\n👨\nc");
  });
});

describe("splitGraphemes", () => {
  it("keeps what a reader sees as one character together", () => {
    expect(splitGraphemes("a👨‍👩‍👧é")).toEqual(["a", "👨‍👩‍👧", "é"]);
    expect(splitGraphemes("jjj")).toEqual(["j", "j", "j"]);
  });
});

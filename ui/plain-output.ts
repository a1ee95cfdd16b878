import type { Charset } from "./kit/theme/charset.ts";

/** A character of ASCII for each sign of the screen, in one column like the sign. */
const ascii: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "|": "│┃║▏▎▍▌▐",
    "-": "─━═╌╴╶–—",
    "+": "┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╭╮╰╯▆",
    ">": "▸▶›❯→»",
    "<": "◂◀‹←«↵",
    "*": "●•★",
    o: "○◌",
    ".": "·░…▃",
    v: "✓▾▼↓",
    x: "✗×",
    "^": "▲▴↑",
    "%": "⊘",
    "=": "‖▅▄",
    _: "▁▂",
    "#": "█▇▓▉▊▋■▀▙▛▜▟",
    ":": "▒▖▗▘▝▚▞",
    '"': "“”„",
    "'": "‘’‚",
    " ": "\u00a0",
  }).flatMap(([plain, signs]) => Array.from(signs, (sign): [string, string] => [sign, plain])),
);

/** Signs of code page 437, which the fonts of the Linux console have. */
const ofConsole = "│─┌┐└┘├┤┬┴┼║═█▄░▒▓▲▼►◄●○•·↑↓→←√«»■";
const consoleSigns: ReadonlyMap<string, string> = new Map([
  ...[...ascii].filter(([sign]) => !ofConsole.includes(sign)),
  ...Object.entries({ "▸": "►", "▶": "►", "✓": "√", "▇": "█", "▆": "█", "▅": "▄", "━": "═" }),
  ...Object.entries({ "┏": "+", "┃": "║", "▾": "▼", "▃": "▄" }),
]);

/** A cell of braille dots as a darker or lighter character. */
function brailleSign(character: string): string | undefined {
  const dots = (character.codePointAt(0) ?? 0) - 0x2800;
  if (dots < 0 || dots > 255) return undefined;
  const count = dots.toString(2).replaceAll("0", "").length;
  return count === 0 ? " " : count < 3 ? "." : count < 6 ? ":" : "#";
}

function asciiCharacter(character: string): string {
  const sign = ascii.get(character) ?? brailleSign(character);
  if (sign !== undefined) return sign;
  const [letter = ""] = character.normalize("NFD");
  if (letter < "\x80" && letter !== "") return letter;
  return "?".repeat(Bun.stringWidth(character));
}

const beyondAscii = /[^\x00-\x7f]/gu;

/** The text in as many columns, with characters that the charset has. */
export function plainOutput(text: string, charset: Charset): string {
  if (charset === "unicode") return text;
  if (charset === "ascii") return text.replaceAll(beyondAscii, asciiCharacter);
  return text.replaceAll(
    beyondAscii,
    (character) => consoleSigns.get(character) ?? brailleSign(character) ?? character,
  );
}

/** The stream, whose texts have only characters that the charset has. */
export function plainStream<Stream extends NodeJS.WriteStream>(
  stream: Stream,
  charset: Charset,
): Stream {
  if (charset === "unicode") return stream;
  const write = (chunk: unknown, ...rest: readonly unknown[]): unknown =>
    Reflect.apply(stream.write, stream, [plainOutput(String(chunk), charset), ...rest]);
  return new Proxy(stream, {
    get(target, name): unknown {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

import { describe, expect, it } from "vitest";
import { foreignSequences } from "../../support/hostile-text.ts";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { openFake } from "./open-fake.ts";

/** One code of the colours and styles of the skins: the hostile texts have others. */
const ownCode =
  /(?:0|1|2|3|7|9|22|23|24|27|29|3[0-79]|4[0-46-79]|9[0-7]|[34]8;5;\d+|[34]8;2;\d+;\d+;\d+)/;

/** The sequences that the dashboard writes: cursor, erasure, modes, colours and styles. */
const own = new RegExp(
  String.raw`\x1b\[\?(?:7|25|1004|1049|2004|2026|2031)[hl]|\x1b\[\d*[ABCDEFGHJKX]|` +
    // The title of the window, and questions about the terminal and its background.
    String.raw`\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x1b\\|\x1b\[2[23];2t|\x1b\]11;\?\x1b\\|\x1b\[c|` +
    // An address to open is underlined in a colour; the hostile texts underline without one.
    String.raw`\x1b\[38;(?:5;\d+|2;\d+;\d+;\d+);4m|` +
    String.raw`\x1b\[(?:${ownCode.source}(?:;(?=\d)|(?=m)))*m|\r`,
  "g",
);

export function expectHarmless(terminal: OpenedTerminal, what: string): void {
  const found = foreignSequences(terminal.raw(), own).slice(0, 3);
  expect({ what, found }).toEqual({ what, found: [] });
}

/** Keys of lists and details: open, tabs, help, search, columns, bars, edit, delete, and back. */
const walk = [
  keys.enter,
  keys.tab,
  "]",
  "]",
  keys.escape,
  "f",
  keys.escape,
  "C",
  keys.escape,
  "e",
  keys.escape,
  keys.ctrl("d"),
  keys.escape,
  "?",
  keys.escape,
];

/** A place, the keys that open it, and a text that it then shows. */
type Visit = readonly [place: string, first: readonly string[], shown: string];

/** The texts of answers that have control sequences: those that are shown, or all of them. */
export const poisons = ["shown", "all"] as const;

/** Wide, so that no text is cut, which cleans it too. */
export const wide = { cols: 400, rows: 50 };

/** Opens each place with 500 hostile texts in all answers, and presses the keys of a walk. */
export function describeHostileText(visits: readonly Visit[]): void {
  describe.each(poisons)("500 hostile texts in answers: %s", (poison) => {
    // The dashboards of several places mostly wait, so they run at the same time.
    it.concurrent.each(visits)("do nothing in %s", async (place, first, shown) => {
      await using terminal = openFake({ poison, jobStatus: "failed" }, wide);
      await terminal.waitFor(poison === "all" ? "licencemarked" : "Licencemarked");
      await terminal.waitForQuiet(300);
      for (const key of first) {
        terminal.write(key);
        await Bun.sleep(300);
      }
      await terminal.waitFor(shown);
      await terminal.waitForQuiet(200);
      expectHarmless(terminal, place);
      for (const key of walk) {
        terminal.write(key);
        // A key that does nothing here writes nothing.
        await Bun.sleep(150);
        await terminal.waitForQuiet(100);
      }
      expectHarmless(terminal, `${place}, after the walk`);
    });
  });
}

import { extractText } from "#server/text/extraction/extract-text.ts";
import { wordsOf } from "#server/text/extraction/child/child-lines.ts";
import { wordsTextOf } from "#server/text/tables/words-text.ts";
import { percentile, took, type Group } from "../figures.ts";

const rounds = 40;

/** The gain of storing the places of words as a process wrote them, checked as text. */
export function wordsText(file: string): Group {
  return {
    name: "places of the words of a page",
    columns: ["time", "of the first"],
    async measure() {
      const { pages } = await extractText(file, { filename: "report.pdf" });
      const written = pages.map(({ text, words }) => {
        const json = JSON.stringify(words);
        return { characters: text.length, line: JSON.stringify({ words: json }), words };
      });
      const lines = written.map(({ words, characters }) => ({
        line: JSON.stringify({ words }),
        characters,
      }));
      const [parsed, checked] = [[] as number[], [] as number[]];
      for (let round = 0; round < rounds; round += 1) {
        parsed.push(
          took(() => {
            for (const { line, characters } of lines) {
              JSON.stringify(wordsOf(JSON.parse(line).words, characters));
            }
          }),
        );
        checked.push(
          took(() => {
            for (const { line, characters } of written) {
              wordsTextOf(JSON.parse(line).words, characters);
            }
          }),
        );
      }
      const [slow, fast] = [parsed, checked].map((times) => percentile(times, 0.5) / pages.length);
      return [
        { name: "parsed and written again", figures: [microseconds(slow), "1.00 x"] },
        {
          name: "checked as text",
          figures: [microseconds(fast), `${((slow ?? 0) / (fast ?? 1)).toFixed(2)} x`],
        },
      ];
    },
  };
}

function microseconds(ms = 0): string {
  return `${(ms * 1000).toFixed(0)} µs`;
}

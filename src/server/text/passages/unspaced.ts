/**
 * Letters and signs of scripts that are written without spaces between words, as a class of a
 * pattern with the flag `v`. A letter that several scripts share is among them: the ー of データ.
 */
export const unspacedLetter =
  "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}" +
  "\\p{scx=Myanmar}]&&[\\p{L}\\p{N}\\p{M}]]";

/** Words by ICU's dictionaries; one for all, since making it costs more than using it. */
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** The words of a run of {@link unspacedLetter}s; `start` counts UTF-16 units of the run. */
export function* splitUnspaced(run: string): Generator<{ text: string; start: number }> {
  for (const { segment, index } of segmenter.segment(run)) yield { text: segment, start: index };
}

import { clipMiddle, textWidth } from "../kit/text/text-layout.ts";
import { Line, Paint } from "../kit/theme/paint.tsx";
import type { ChatSubject } from "../shell/router.ts";

const longestChip = 32;
const leastChip = 12;

/** The chips in at most `width` columns, and the number of those that do not fit. */
export function chipTexts(
  subjects: readonly ChatSubject[],
  width: number,
): { readonly shown: readonly string[]; readonly more: number } {
  const shown: string[] = [];
  let free = width;
  for (const [index, { name }] of subjects.entries()) {
    const left = subjects.length - index - 1;
    const room = free - (left > 0 ? ` +${left}`.length : 0) - 1;
    const chip = `[${clipMiddle(name, Math.min(longestChip, Math.max(1, room - 2)))}]`;
    if (index > 0 && room < Math.min(leastChip, textWidth(name) + 2)) break;
    shown.push(chip);
    free -= textWidth(chip) + 1;
  }
  return { shown, more: subjects.length - shown.length };
}

/** The documents that a question is about, each as a chip. */
export function ContextChips(props: {
  readonly subjects: readonly ChatSubject[];
  readonly width: number;
}) {
  const { subjects, width } = props;
  const head = " about ";
  const { shown, more } = chipTexts(subjects, width - textWidth(head));
  return (
    <Line>
      <Paint as="quiet">{head}</Paint>
      {subjects.length === 0 ? (
        <Paint as="quiet">all documents</Paint>
      ) : (
        <Paint as="marked">{shown.join(" ")}</Paint>
      )}
      {more > 0 ? <Paint as="quiet">{` +${more}`}</Paint> : null}
    </Line>
  );
}

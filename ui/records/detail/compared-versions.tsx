import { useMemo } from "react";
import type { Resource } from "#client/index.ts";
import { cutAtDifference, valueText } from "../../kit/forms/comparison-lines.ts";
import { failureReason } from "../../kit/answers/failure.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { ScrollView } from "../../kit/text/scroll-view.tsx";
import { indented, textLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { fitText, wrapText } from "../../kit/text/text-layout.ts";
import { differenceLines, differencesBetween, type Difference } from "./record-history.ts";
import type { RecordTabProps } from "./tab-props.ts";
import { useRecordVersion } from "./use-record-history.ts";

/** The least width at which two versions are side by side; a terminal of 120 columns has it. */
const sideBySideFrom = 56;

/** The differences of two versions: in two columns where they fit, else one below the other. */
export function comparedLines(
  differences: readonly Difference[],
  titles: readonly [string, string],
  width: number,
): StyledLine[] {
  if (differences.length === 0) {
    return [[{ text: `${titles.join(" and ")} have the same data`, as: "quiet" }]];
  }
  if (width < sideBySideFrom) {
    return [
      [{ text: `- ${titles[0]}  + ${titles[1]}`, as: "heading" }],
      ...differenceLines(differences, width),
    ];
  }
  const column = Math.floor((width - 1) / 2);
  const row = (texts: readonly string[]) => texts.map((text) => fitText(text, column));
  return [
    row(titles.map((title) => title.toUpperCase())).map((text) => ({ text, as: "heading" })),
    ...differences.flatMap(({ path, before, after }): StyledLine[] => {
      const old = valueText(before);
      const [left = "", , right = ""] = cutAtDifference([old, old, valueText(after)]);
      const [lefts, rights] = [wrapText(left, column - 2), wrapText(right, column - 2)];
      const rows = Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index) =>
        row([`  ${lefts[index] ?? ""}`, `  ${rights[index] ?? ""}`]),
      );
      return [
        [{ text: path.join("."), as: "quiet" }],
        ...rows.map(([one = "", other = ""]): StyledLine => [
          { text: one, as: "bad" },
          { text: " " },
          { text: other, as: "good" },
        ]),
      ];
    }),
  ];
}

interface Compared {
  readonly versions: readonly [older: number, newer: number];
}

/** The lines of the difference of two versions, which are read on their own. */
export function useComparedLines(
  { type, record }: Pick<RecordTabProps, "type" | "record">,
  { versions: [older, newer] }: Compared,
  width: number,
): readonly StyledLine[] {
  const [one, other] = [
    useRecordVersion(type, record.id, older),
    useRecordVersion(type, record.id, newer),
  ];
  const failure = one.failure ?? other.failure;
  const [before, after]: readonly (Resource | undefined)[] = [one.value, other.value];
  return useMemo(() => {
    if (failure !== undefined) return textLines(`✗ ${failureReason(failure)}`, width, "bad");
    if (before === undefined || after === undefined) return [[{ text: "loading …", as: "quiet" }]];
    const titles = [`version ${older}`, `version ${newer}`] as const;
    return comparedLines(differencesBetween(before.data, after.data), titles, width);
  }, [before, after, failure, older, newer, width]);
}

/** The difference of two versions in the whole pane. */
export function ComparedVersions(
  props: RecordTabProps & Compared & { readonly onClose: () => void },
) {
  const { record, area, focused, versions, onClose } = props;
  useKeys("pane", { goBack: onClose }, { active: focused });
  const lines = useComparedLines(props, { versions }, area.width - 2);
  const shown = useMemo(() => indented(lines), [lines]);
  return (
    <ScrollView of={`${record.id} ${versions.join()}`} lines={shown} {...area} focused={focused} />
  );
}

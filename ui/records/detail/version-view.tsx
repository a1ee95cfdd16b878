import { useMemo } from "react";
import type { HistoryItem } from "#client/index.ts";
import { ScrollView } from "../../kit/text/scroll-view.tsx";
import { failureHead, type Failure } from "../../kit/answers/failure.ts";
import { useCopyCommand } from "../../shell/use-copy.ts";
import { useAgeTime, useKeys } from "../../kit/keys/use-keys.ts";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useNames } from "../../shell/platform/names.ts";
import { useRecordVersion } from "./use-record-history.ts";
import { changeLines, headLine } from "./record-history.ts";
import { recordLines } from "./record-words.ts";
import { indented, textLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import type { RecordTabProps } from "./tab-props.ts";

const nothingUnfolded: ReadonlySet<string> = new Set();

function failureText(failure: Failure): string {
  return [`✗ ${failureHead(failure)}`, ...failure.details].join("\n");
}

export function VersionView(
  props: RecordTabProps & { readonly item: HistoryItem; readonly onClose: () => void },
) {
  const { type, record, area, focused, item, onClose } = props;
  const copyCommand = useCopyCommand();
  const { version } = item;
  const { value, failure } = useRecordVersion(type, record.id, version);
  const nowMs = useAgeTime(value);
  const nameOf = useNames(memberNamesPart, [item.actor, value?.created_by, value?.updated_by]);
  useKeys(
    "pane",
    {
      goBack: onClose,
      copyCommand: () =>
        copyCommand.inWorkspace(["resources", "get", type.slug, record.id], { version }),
    },
    { active: focused },
  );
  const lines = useMemo(() => {
    const width = area.width - 2;
    const view = { width, nowMs, unfolded: nothingUnfolded, nameOf };
    const recordThen: StyledLine[] =
      value !== undefined
        ? recordLines(type, value, view).map(({ spans }) => spans)
        : failure !== undefined
          ? textLines(failureText(failure), width, "bad")
          : [[{ text: "loading …", as: "quiet" }]];
    return indented([
      ...textLines(headLine(item, nowMs, nameOf), width, "title"),
      ...changeLines(item, width),
      [],
      [{ text: "The record in this version", as: "heading" }],
      ...recordThen,
    ]);
  }, [type, item, value, failure, area.width, nowMs, nameOf]);
  return <ScrollView of={`${record.id} ${version}`} lines={lines} {...area} focused={focused} />;
}

import { useMemo } from "react";
import type { HistoryItem } from "#client/index.ts";
import { commandLine } from "../../kit/text/command-line.ts";
import { ScrollView } from "../../kit/text/scroll-view.tsx";
import { failureHead, type Failure } from "../../kit/answers/failure.ts";
import { useCopy } from "../../shell/use-copy.ts";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { useNow } from "../../kit/state/use-now.ts";
import { useMemberNames } from "../../shell/platform/use-member-names.ts";
import { useRecordVersion } from "./use-record-history.ts";
import { changeLines, headLine } from "./record-history.ts";
import { recordLines } from "./record-words.ts";
import { textLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import type { RecordTabProps } from "./tab-props.ts";

const agesMs = 30_000;
const nothingUnfolded: ReadonlySet<string> = new Set();

function failureText(failure: Failure): string {
  return [`✗ ${failureHead(failure)}`, ...failure.details].join("\n");
}

/** One write as a whole: what it changed, and the record as it stood after it. */
export function VersionView(
  props: RecordTabProps & { readonly item: HistoryItem; readonly onClose: () => void },
) {
  const { type, record, area, focused, item, onClose } = props;
  const nowMs = useNow(agesMs);
  const copy = useCopy();
  const { version } = item;
  const stood = useRecordVersion(type, record.id, version);
  const nameOf = useMemberNames([item.actor, stood.value?.created_by, stood.value?.updated_by]);
  useKeys(
    "pane",
    {
      goBack: onClose,
      copyCommand: () => copy(commandLine(["resources", "get", type.slug, record.id], { version })),
    },
    { active: focused },
  );
  const lines = useMemo(() => {
    const width = area.width - 2;
    const view = { width, nowMs, unfolded: nothingUnfolded, nameOf };
    const asItStood: StyledLine[] =
      stood.value !== undefined
        ? recordLines(type, stood.value, view).map(({ spans }) => spans)
        : stood.failure !== undefined
          ? textLines(failureText(stood.failure), width, "bad")
          : [[{ text: "loading …", as: "quiet" }]];
    return [
      ...textLines(headLine(item, nowMs, nameOf), width, "title"),
      ...changeLines(item, width),
      [],
      [{ text: "As it stood then", as: "heading" as const }],
      ...asItStood,
    ].map((line): StyledLine => [{ text: " " }, ...line]);
  }, [type, item, stood.value, stood.failure, area.width, nowMs, nameOf]);
  return <ScrollView of={`${record.id} ${version}`} lines={lines} {...area} focused={focused} />;
}

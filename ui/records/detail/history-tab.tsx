import { listKeys } from "../../kit/keys/base-keys.ts";
import { Box } from "ink";
import { useMemo, useState } from "react";
import type { HistoryItem } from "#client/index.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { useAgeTime, useKeys } from "../../kit/keys/use-keys.ts";
import { ListBody } from "../../kit/lists/list-body.tsx";
import { rowsFrom } from "../../kit/lists/live-list.ts";
import { useStore } from "../../kit/state/store.ts";
import type { Column } from "../../kit/table/columns.ts";
import { textLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { TextLines } from "../../kit/text/text-lines.tsx";
import { ageWords } from "../../kit/text/words.ts";
import { Line } from "../../kit/theme/paint.tsx";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useNames, type NameOf } from "../../shell/platform/names.ts";
import { useCopyCommand } from "../../shell/use-copy.ts";
import { actorOf, changeLines, changeWords, headLine } from "./record-history.ts";
import type { RecordTabProps } from "./tab-props.ts";
import { useRecordHistory } from "./use-record-history.ts";
import { VersionView } from "./version-view.tsx";

/** The least width at which versions and their changes are side by side. */
const sideBySideFrom = 100;

function historyColumns(nowMs: number, nameOf: NameOf): Column<HistoryItem>[] {
  return [
    {
      id: "version",
      title: "v",
      value: (item) => String(item.version),
      align: "right",
      priority: 0,
      pinned: true,
    },
    { id: "operation", title: "operation", value: (item) => item.operation, priority: 1 },
    { id: "at", title: "when", value: (item) => ageWords(item.at, nowMs), priority: 2 },
    {
      id: "changes",
      title: "changed",
      value: (item) => changeWords(item.changes),
      priority: 3,
      minimum: 12,
      maximum: 60,
    },
    {
      id: "actor",
      title: "who",
      value: (item) => actorOf(item, nameOf),
      priority: 4,
      minimum: 14,
      maximum: 36,
    },
  ];
}

/** The change lines, cut to `height` with a hint on how to read the rest. */
function cutLines(lines: readonly StyledLine[], height: number): readonly StyledLine[] {
  if (lines.length <= height) return lines;
  const hint: StyledLine = [{ text: `… ${keyName(listKeys.open)} shows all of it`, as: "quiet" }];
  return [...lines.slice(0, height - 1), hint];
}

export function HistoryTab(props: RecordTabProps) {
  const { type, record, area, focused } = props;
  const [chosen, setChosen] = useState<{ of: string; item: HistoryItem } | undefined>(undefined);
  const opened = chosen?.of === record.id ? chosen.item : undefined;
  const copyCommand = useCopyCommand();
  const isWide = area.width >= sideBySideFrom;
  const listHeight = isWide ? area.height : Math.max(3, Math.floor(area.height * 0.45));
  const list = useRecordHistory(type, record, Math.max(1, listHeight - 1));
  const nowMs = useAgeTime(list.sample);
  const { top } = useStore(list.cursor);
  const selected = list.cursor.selected();
  const actors = rowsFrom(list, top, listHeight).map((item) => item?.actor);
  const nameOf = useNames(memberNamesPart, actors);
  useKeys(
    "pane",
    {
      ...list.cursor.moves,
      open: () => selected !== undefined && setChosen({ of: record.id, item: selected }),
      copyCommand: () => copyCommand.inWorkspace(["resources", "history", type.slug, record.id]),
    },
    { active: focused && opened === undefined, facts: { rows: list.count } },
  );
  const columns = useMemo(() => historyColumns(nowMs, nameOf), [nowMs, nameOf]);
  if (opened !== undefined) {
    return <VersionView {...props} item={opened} onClose={() => setChosen(undefined)} />;
  }
  const body = {
    list,
    columns,
    focused,
    loading: "Loading the history",
    empty: { words: "This record has no history." },
  };
  if (list.count === 0) return <ListBody<HistoryItem> {...body} {...area} />;
  const listWidth = isWide ? Math.floor(area.width * 0.45) : area.width;
  const width = isWide ? area.width - listWidth - 2 : area.width;
  const height = isWide ? area.height : area.height - listHeight - 1;
  const linesOf = (item: HistoryItem) => [
    ...textLines(headLine(item, nowMs, nameOf), width - 2, "quiet"),
    ...changeLines(item, width - 2),
  ];
  const lines = selected === undefined ? [] : linesOf(selected);
  return (
    <Box flexDirection={isWide ? "row" : "column"} flexShrink={0} width={area.width}>
      <Box flexDirection="column" flexShrink={0} width={listWidth} height={listHeight}>
        <ListBody<HistoryItem> {...body} width={listWidth} height={listHeight} />
      </Box>
      {isWide ? (
        <Box width={2} flexShrink={0} />
      ) : (
        <Line as="border">{"─".repeat(area.width)}</Line>
      )}
      <TextLines lines={cutLines(lines, height)} top={0} width={width} height={height} />
    </Box>
  );
}

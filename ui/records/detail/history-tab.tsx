import { Box } from "ink";
import { useMemo, useState } from "react";
import type { HistoryItem } from "#client/index.ts";
import type { Column } from "../../kit/table/columns.ts";
import { commandLine } from "../../kit/text/command-line.ts";
import { DataTable } from "../../kit/table/data-table.tsx";
import { Line } from "../../kit/theme/paint.tsx";
import { Empty, Failed, Skeleton, Stale } from "../../kit/panes/states.tsx";
import { TextLines } from "../../kit/text/text-lines.tsx";
import { useCopy } from "../../shell/use-copy.ts";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { useNow } from "../../kit/state/use-now.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { useMemberNames, type NameOf } from "../../shell/platform/use-member-names.ts";
import { useRecordHistory } from "./use-record-history.ts";
import { keyName } from "../../kit/keys/key-table.ts";
import { actorOf, changeLines, changeWords, headLine } from "./record-history.ts";
import { textLines } from "../../kit/text/styled-lines.ts";
import { ageWords } from "../../kit/text/words.ts";
import type { RecordTabProps } from "./tab-props.ts";
import { VersionView } from "./version-view.tsx";

const agesMs = 30_000;
/** Versions and their differences side by side from here on, else one above the other. */
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

/** Who wrote what is in view. */
function actorsIn({ cursor, rowAt }: LiveList<HistoryItem>, height: number) {
  return Array.from({ length: height }, (_, index) => rowAt(cursor.top + index)?.actor);
}

/** Every write to a record, and what the selected one changed. */
export function HistoryTab(props: RecordTabProps) {
  const { type, record, area, focused } = props;
  const [chosen, setChosen] = useState<{ of: string; item: HistoryItem } | undefined>(undefined);
  const opened = chosen?.of === record.id ? chosen.item : undefined;
  const nowMs = useNow(agesMs);
  const copy = useCopy();
  const isWide = area.width >= sideBySideFrom;
  const listHeight = isWide ? area.height : Math.max(3, Math.floor(area.height * 0.45));
  const list = useRecordHistory(type, record, Math.max(1, listHeight - 1));
  const { selected } = list;
  const nameOf = useMemberNames(actorsIn(list, listHeight));
  useKeys(
    "pane",
    {
      ...list.moves,
      open: () => selected !== undefined && setChosen({ of: record.id, item: selected }),
      copyCommand: () => copy(commandLine(["resources", "history", type.slug, record.id])),
    },
    { active: focused && opened === undefined, facts: { rows: list.count } },
  );
  const columns = useMemo(() => historyColumns(nowMs, nameOf), [nowMs, nameOf]);
  if (opened !== undefined) {
    const close = () => setChosen(undefined);
    return <VersionView {...props} item={opened} onClose={close} />;
  }
  if (list.count === 0) {
    if (list.failure !== undefined) return <Failed {...area} failure={list.failure} />;
    if (list.answeredAtMs === undefined) return <Skeleton {...area} words="Loading its history" />;
    return <Empty {...area} words="Nothing is known of its history." />;
  }
  const listWidth = isWide ? Math.floor(area.width * 0.45) : area.width;
  const stale = list.failure === undefined ? 0 : 1;
  const detailWidth = isWide ? area.width - listWidth - 2 : area.width;
  const lines =
    selected === undefined
      ? []
      : [
          ...textLines(headLine(selected, nowMs, nameOf), detailWidth - 2, "quiet"),
          ...changeLines(selected, detailWidth - 2),
        ];
  const detailHeight = isWide ? area.height : area.height - listHeight - 1;
  const hidden = lines.length > detailHeight;
  return (
    <Box flexDirection={isWide ? "row" : "column"} flexShrink={0} width={area.width}>
      <Box flexDirection="column" flexShrink={0} width={listWidth} height={listHeight}>
        {list.failure === undefined ? null : (
          <Stale failure={list.failure} answeredAtMs={list.answeredAtMs} width={listWidth} />
        )}
        <DataTable
          columns={columns}
          count={list.count}
          rowAt={list.rowAt}
          keyOf={list.keyOf}
          sample={list.sample}
          cursor={list.cursor}
          width={listWidth}
          height={listHeight - stale}
          focused={focused}
        />
      </Box>
      {isWide ? (
        <Box width={2} flexShrink={0} />
      ) : (
        <Line as="border">{"─".repeat(area.width)}</Line>
      )}
      <TextLines
        lines={
          hidden
            ? [
                ...lines.slice(0, detailHeight - 1),
                [{ text: `… ${keyName("open")} shows all of it`, as: "quiet" }],
              ]
            : lines
        }
        top={0}
        width={detailWidth}
        height={detailHeight}
      />
    </Box>
  );
}

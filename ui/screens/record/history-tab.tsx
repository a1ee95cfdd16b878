import { Box } from "ink";
import { useMemo, useState } from "react";
import type { HistoryItem, ObjectType, Resource } from "#client/index.ts";
import type { Column } from "../../columns.ts";
import { commandLine } from "../../command-line.ts";
import { DataTable } from "../../components/data-table.tsx";
import type { Size } from "../../layout.ts";
import { Line } from "../../components/paint.tsx";
import { ScrollView } from "../../components/scroll-view.tsx";
import { Empty, Failed, Skeleton, Stale } from "../../components/states.tsx";
import { TextLines } from "../../components/text-lines.tsx";
import { failureHead, type Failure } from "../../failure.ts";
import { useCopy } from "../../hooks/use-copy.ts";
import { useKeys } from "../../hooks/use-keys.tsx";
import { useNow } from "../../hooks/use-now.ts";
import { usePeople, type NameOf } from "../../hooks/use-people.ts";
import { useRecordHistory, useRecordVersion } from "../../hooks/use-record-history.ts";
import { keyName } from "../../keys.ts";
import { changeWords, differenceLines, differencesOf } from "../../record-history.ts";
import { recordLines } from "../../record-words.ts";
import { textLines, type StyledLine } from "../../styled-lines.ts";
import { ageWords, distanceWords } from "../../words.ts";

interface TabProps {
  readonly type: ObjectType;
  readonly record: Resource;
  readonly area: Size;
  readonly focused: boolean;
}

const agesMs = 30_000;
/** Versions and their differences side by side from here on, else one above the other. */
const sideBySideFrom = 100;
const nothingUnfolded: ReadonlySet<string> = new Set();

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

function actorOf({ actor }: HistoryItem, nameOf: NameOf): string {
  return actor === null || actor === undefined ? "" : nameOf(actor);
}

/** Who did what when, in one line. */
function headLine(item: HistoryItem, nowMs: number, nameOf: NameOf): string {
  const actor = actorOf(item, nameOf);
  const by = actor === "" ? "" : ` by ${actor}`;
  return `version ${item.version} · ${item.operation}${by} · ${item.at} (${distanceWords(item.at, nowMs)})`;
}

function changeLines(item: HistoryItem, width: number): StyledLine[] {
  const lines = differenceLines(differencesOf(item.changes), width);
  return lines.length > 0 ? lines : [[{ text: "nothing was changed", as: "quiet" }]];
}

/** Every write to a record, and what the selected one changed. */
export function HistoryTab(props: TabProps) {
  const { type, record, area, focused } = props;
  const [chosen, setChosen] = useState<{ of: string; item: HistoryItem } | undefined>(undefined);
  const opened = chosen?.of === record.id ? chosen.item : undefined;
  const nowMs = useNow(agesMs);
  const nameOf = usePeople();
  const copy = useCopy();
  const isWide = area.width >= sideBySideFrom;
  const listHeight = isWide ? area.height : Math.max(3, Math.floor(area.height * 0.45));
  const list = useRecordHistory(type, record, Math.max(1, listHeight - 1));
  const { selected } = list;
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
          <Stale
            failure={list.failure}
            answeredAtMs={list.answeredAtMs}
            nowMs={nowMs}
            width={listWidth}
          />
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

function failureText(failure: Failure): string {
  return [`✗ ${failureHead(failure)}`, ...failure.details].join("\n");
}

/** One write as a whole: what it changed, and the record as it stood after it. */
function VersionView(
  props: TabProps & { readonly item: HistoryItem; readonly onClose: () => void },
) {
  const { type, record, area, focused, item, onClose } = props;
  const nowMs = useNow(agesMs);
  const nameOf = usePeople();
  const copy = useCopy();
  const { version } = item;
  const stood = useRecordVersion(type, record.id, version);
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

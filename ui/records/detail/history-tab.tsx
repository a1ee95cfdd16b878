import { listKeys } from "../../kit/keys/base-keys.ts";
import { Box } from "ink";
import { useMemo, useState } from "react";
import type { HistoryItem } from "#client/index.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { useAgeTime, useKeys } from "../../kit/keys/use-keys.ts";
import { ListBody } from "../../kit/lists/list-body.tsx";
import { rowsFrom } from "../../kit/lists/live-list.ts";
import { useStore } from "../../kit/state/store.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import type { Column } from "../../kit/table/columns.ts";
import { textLines, type StyledLine, indented } from "../../kit/text/styled-lines.ts";
import { TextLines } from "../../kit/text/text-lines.tsx";
import { ageWords } from "../../kit/text/words.ts";
import { Line } from "../../kit/theme/paint.tsx";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useHidesIds } from "../../shell/platform/shown-types.ts";
import { useNames, type NameOf } from "../../shell/platform/names.ts";
import { useCopyCommand } from "../../shell/use-copy.ts";
import { actorOf, changeLines, changeWords, headLine } from "./record-history.ts";
import type { RecordKeys } from "../keys.ts";
import { ComparedVersions, useComparedLines } from "./compared-versions.tsx";
import type { RecordTabProps } from "./tab-props.ts";
import { useRestoreVersion } from "./use-restore-version.ts";
import { useRecordHistory, useRecordVersion } from "./use-record-history.ts";
import { ScrollView } from "../../kit/text/scroll-view.tsx";
import { failureHead, type Failure } from "../../kit/answers/failure.ts";
import { recordLines } from "./record-words.ts";

const nothingUnfolded: ReadonlySet<string> = new Set();

function failureText(failure: Failure): string {
  return [`✗ ${failureHead(failure)}`, ...failure.details].join("\n");
}

function VersionView(
  props: RecordTabProps & { readonly item: HistoryItem; readonly onClose: () => void },
) {
  const { type, record, area, focused, item, onClose } = props;
  const copyCommand = useCopyCommand();
  const restore = useRestoreVersion(type, record);
  const { version } = item;
  const { value, failure } = useRecordVersion(type, record.id, version);
  const nowMs = useAgeTime(value);
  const nameOf = useNames(memberNamesPart, [item.actor, value?.created_by, value?.updated_by]);
  const hidesIds = useHidesIds();
  useKeys<RecordKeys>(
    "pane",
    {
      goBack: onClose,
      restoreVersion: version === record.version ? undefined : () => restore(version),
      copyCommand: () =>
        copyCommand.inWorkspace(["resources", "get", type.slug, record.id], { version }),
    },
    { active: focused },
  );
  const lines = useMemo(() => {
    const width = area.width - 2;
    const view = { width, nowMs, unfolded: nothingUnfolded, nameOf, hidesIds };
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
  }, [type, item, value, failure, area.width, nowMs, nameOf, hidesIds]);
  return <ScrollView of={`${record.id} ${version}`} lines={lines} {...area} focused={focused} />;
}

/** The least width at which versions and their changes are side by side. */
const sideBySideFrom = 100;

function inOrder(one: number, other: number): readonly [older: number, newer: number] {
  return one < other ? [one, other] : [other, one];
}

/** The difference of the marked version and the selected one. */
function Difference(props: RecordTabProps & { readonly versions: readonly [number, number] }) {
  const { area, versions } = props;
  const lines = useComparedLines(props, { versions }, area.width - 2);
  return <TextLines lines={cutLines(lines, area.height)} top={0} {...area} />;
}

/** The selected version: its difference from the marked one, else what its write changed. */
function Selected(
  props: RecordTabProps & {
    readonly item: HistoryItem | undefined;
    readonly base: number | undefined;
    readonly nowMs: number;
  },
) {
  const { item, base, nowMs, area } = props;
  const nameOf = useNames(memberNamesPart, [item?.actor]);
  if (item === undefined) return null;
  if (base !== undefined && base !== item.version) {
    return <Difference {...props} versions={inOrder(base, item.version)} />;
  }
  const lines = [
    ...textLines(headLine(item, nowMs, nameOf), area.width - 2, "quiet"),
    ...changeLines(item, area.width - 2),
  ];
  return <TextLines lines={cutLines(lines, area.height)} top={0} {...area} />;
}

function historyColumns(
  nowMs: number,
  nameOf: NameOf,
  marked: number | undefined,
): Column<HistoryItem>[] {
  return [
    {
      id: "version",
      title: "v",
      value: (item) => `${item.version === marked ? "✓ " : ""}${item.version}`,
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

interface MarkedVersion {
  readonly of: string;
  readonly version: number;
}

export function HistoryTab(props: RecordTabProps) {
  const { type, record, area, focused } = props;
  const [chosen, setChosen] = useState<{ of: string; item: HistoryItem } | undefined>(undefined);
  // A resize may draw the tab in another pane, where the mark must stay.
  const [marked, setMarked] = useRemembered<MarkedVersion | undefined>("marked version", undefined);
  const opened = chosen?.of === record.id ? chosen.item : undefined;
  const base = marked?.of === record.id ? marked.version : undefined;
  const close = () => setChosen(undefined);
  const restore = useRestoreVersion(type, record);
  const copyCommand = useCopyCommand();
  const isWide = area.width >= sideBySideFrom;
  const mostHeight = isWide ? area.height : Math.max(3, Math.floor(area.height * 0.45));
  const list = useRecordHistory(type, record, Math.max(1, mostHeight - 1));
  // The difference gets the rows that few versions leave.
  const listHeight = isWide ? mostHeight : Math.min(mostHeight, Math.max(3, list.count + 1));
  const nowMs = useAgeTime(list.sample);
  const { top } = useStore(list.cursor);
  const selected = list.cursor.selected();
  const actors = rowsFrom(list, top, listHeight).map((item) => item?.actor);
  const nameOf = useNames(memberNamesPart, actors);
  const mark = (version: number | undefined) =>
    setMarked(version === undefined || version === base ? undefined : { of: record.id, version });
  const isOther = selected !== undefined && selected.version !== record.version;
  useKeys<RecordKeys>(
    "pane",
    {
      ...list.cursor.moves,
      mark: () => mark(selected?.version),
      restoreVersion: isOther ? () => restore(selected.version) : undefined,
      goBack: base === undefined ? undefined : () => setMarked(undefined),
      open: () => selected !== undefined && setChosen({ of: record.id, item: selected }),
      copyCommand: () => copyCommand.inWorkspace(["resources", "history", type.slug, record.id]),
    },
    { active: focused && opened === undefined, facts: { rows: list.count } },
  );
  const columns = useMemo(() => historyColumns(nowMs, nameOf, base), [nowMs, nameOf, base]);
  if (opened !== undefined && base !== undefined && base !== opened.version) {
    return <ComparedVersions {...props} versions={inOrder(base, opened.version)} onClose={close} />;
  }
  if (opened !== undefined) return <VersionView {...props} item={opened} onClose={close} />;
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
      <Selected {...props} item={selected} base={base} area={{ width, height }} nowMs={nowMs} />
    </Box>
  );
}

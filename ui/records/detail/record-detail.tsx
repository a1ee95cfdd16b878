import { useMemo } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import type { Size } from "../../kit/panes/layout.ts";
import { Pane, paneBorder } from "../../kit/panes/pane.tsx";
import { ScrollView } from "../../kit/text/scroll-view.tsx";
import { CautionLine, Empty } from "../../kit/panes/states.tsx";
import { tabAfter, Tabs } from "../../kit/panes/tabs.tsx";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { hasFiles } from "./record-files.ts";
import { jsonLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { FieldsTab } from "./fields-tab.tsx";
import { FilesTab } from "./files-tab.tsx";
import { HistoryTab } from "./history-tab.tsx";

export interface RecordDetailProps {
  readonly type: ObjectType;
  /** Absent while nothing is selected. */
  readonly record: Resource | undefined;
  readonly area: Size;
  readonly focused: boolean;
  /** What must be known of it, above its tabs. */
  readonly caution?: string | undefined;
  /** Something of the record was changed here. */
  readonly onChanged: () => void;
}

const everyTab = ["fields", "json", "history", "files"];

/** What is known of one record, in tabs, beside the list that it is selected in. */
export function RecordDetail(props: RecordDetailProps) {
  const { type, record, area, focused } = props;
  const tabs = hasFiles(type) ? everyTab : everyTab.filter((tab) => tab !== "files");
  const [kept, setKept] = useRemembered("tab record", "fields");
  const open = tabs.includes(kept) ? kept : "fields";
  const turn = (by: number) => setKept(tabAfter(tabs, open, by));
  useKeys(
    focused ? "pane" : "place",
    { nextTab: (count) => turn(count), previousTab: (count) => turn(-count) },
    { active: record !== undefined },
  );
  const inner = { width: area.width - paneBorder, height: area.height - paneBorder };
  const title = record === undefined ? "details" : recordName(record);
  const { caution } = props;
  return (
    <Pane title={title} width={area.width} height={area.height} focused={focused}>
      {record === undefined ? (
        <Empty {...inner} words="Nothing is selected." />
      ) : (
        <>
          {caution === undefined ? null : <CautionLine words={caution} width={inner.width} />}
          <Tabs tabs={tabs} open={open} />
          <OpenTab
            key={open}
            {...props}
            record={record}
            tab={open}
            area={{ width: inner.width, height: inner.height - (caution === undefined ? 1 : 2) }}
            onFile={() => setKept("files")}
          />
        </>
      )}
    </Pane>
  );
}

function OpenTab(
  props: RecordDetailProps & {
    readonly record: Resource;
    readonly tab: string;
    readonly onFile: () => void;
  },
) {
  switch (props.tab) {
    case "json":
      return <JsonTab {...props} />;
    case "history":
      return <HistoryTab {...props} />;
    case "files":
      return <FilesTab {...props} />;
    default:
      return <FieldsTab {...props} />;
  }
}

function JsonTab(props: {
  readonly record: Resource;
  readonly area: Size;
  readonly focused: boolean;
}) {
  const { record, area, focused } = props;
  const lines = useMemo(
    () =>
      jsonLines(record, Math.max(1, area.width - 2)).map((line): StyledLine => [
        { text: " " },
        ...line,
      ]),
    [record, area.width],
  );
  return <ScrollView of={record.id} lines={lines} {...area} focused={focused} />;
}

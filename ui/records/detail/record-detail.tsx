import { useMemo } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { ItemText } from "../../kit/panes/detail-pane.tsx";
import type { Size } from "../../kit/panes/layout.ts";
import { TabbedPane } from "../../kit/panes/tabbed-pane.tsx";
import { jsonLines } from "../../kit/text/styled-lines.ts";
import { FieldsTab } from "./fields-tab.tsx";
import { FilesTab } from "./files-tab.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { hasFiles } from "./file-values.ts";
import { TimelineTab } from "../timeline/timeline-tab.tsx";

export function RecordDetail(props: {
  readonly type: ObjectType;
  /** Absent if no record is selected. */
  readonly record: Resource | undefined;
  readonly area: Size;
  readonly focused: boolean;
  readonly caution?: string | undefined;
  /** Called after a change to the record's files. */
  readonly onChanged: () => void;
}) {
  const { type, record, area, focused, caution, onChanged } = props;
  const tabs = useMemo(
    () => ["fields", "json", "history", "timeline", ...(hasFiles(type) ? ["files"] : [])],
    [type],
  );
  const drawTab = (tab: string, inner: Size, openTab: (tab: string) => void) => {
    if (record === undefined) return null;
    const common = { type, record, area: inner, focused };
    switch (tab) {
      case "json":
        return <ItemText item={record} view={jsonLines} of={record.id} {...common} />;
      case "history":
        return <HistoryTab {...common} />;
      case "timeline":
        return <TimelineTab {...common} />;
      case "files":
        return <FilesTab {...common} onChanged={onChanged} />;
      default:
        return <FieldsTab {...common} onFile={() => openTab("files")} />;
    }
  };
  return (
    <TabbedPane
      area={area}
      kind="record"
      title={record === undefined ? "details" : recordName(record, type)}
      isFilled={record !== undefined}
      tabs={tabs}
      focused={focused}
      caution={caution}
      draw={drawTab}
    />
  );
}

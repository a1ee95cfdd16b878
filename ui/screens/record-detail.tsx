import { useMemo } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import { DetailPane } from "../components/detail-pane.tsx";
import type { Area } from "../components/master-detail.tsx";
import { recordName } from "../record-columns.ts";
import { recordLines } from "../record-words.ts";
import { jsonLines } from "../styled-lines.ts";

const keyOf = (record: Resource) => record.id;

/** What is known of one record, beside the list that it is selected in. */
export function RecordDetail(props: {
  readonly type: ObjectType;
  /** Absent while nothing is selected. */
  readonly record: Resource | undefined;
  readonly area: Area;
  readonly focused: boolean;
}) {
  const { type, record, area, focused } = props;
  const views = useMemo(
    () => ({
      fields: (shown: Resource, width: number) => recordLines(type, shown, width),
      json: jsonLines,
    }),
    [type],
  );
  return (
    <DetailPane<Resource>
      area={area}
      kind="record"
      title={record === undefined ? "details" : recordName(record)}
      item={record}
      keyOf={keyOf}
      views={views}
      focused={focused}
    />
  );
}

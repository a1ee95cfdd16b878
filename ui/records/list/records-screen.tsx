import { useEffect, useEffectEvent, useState } from "react";
import type { Resource } from "#client/index.ts";
import { tablePlace, type DetailProps } from "../../kit/places/list-place.tsx";
import { goneWords, lostWords } from "../../kit/lists/use-opened-row.ts";
import { usePart } from "../../kit/state/part.ts";
import { platformPart } from "../../shell/platform/use-platform.ts";
import { useResource } from "../use-resources.ts";
import { RecordDetail } from "../detail/record-detail.tsx";
import { recordKeys, type RecordKeys } from "../keys.ts";
import { useRecordFilter } from "./use-record-filter.ts";
import { useRecordTable, type RecordTable, type TypeProps } from "./use-record-table.ts";
import { listCommand, recordChange, useRecordHandlers } from "./use-record-table-keys.ts";

/** The records of one Object Type. */
export const RecordsScreen = tablePlace<Resource, RecordKeys, RecordTable, TypeProps>({
  name: ({ type }) => type.slug,
  title: ({ props }) => props.type.slug,
  loading: ({ type }) => `Loading ${type.slug}`,
  useFilter: ({ type }) => useRecordFilter(type),
  useTable: useRecordTable,
  useHandlers: useRecordHandlers,
  news: { place: ({ type }) => `records/${type.slug}`, idOf: ({ id }) => id },
  copied: ({ data }) => JSON.stringify(data),
  command: listCommand,
  empty: ({ props }) => ({
    words: `There is no ${props.type.slug} yet.`,
    offer: [recordKeys.create, "creates one"],
  }),
  Detail: ShownRecord,
});

/** A record that the list no longer has, as the platform has it. */
interface LostRecord {
  readonly id: string;
  readonly record: Resource | undefined;
  readonly isGone: boolean;
}

/** Reads a record that the list no longer has. */
function LostRecordReader(props: {
  readonly objectType: string;
  readonly row: Resource;
  readonly onRead: (lost: LostRecord) => void;
}) {
  const { objectType, row, onRead } = props;
  const { id, version } = row;
  const { value, failure } = useResource(objectType, id);
  // A cached answer may be older than the row.
  const record = value !== undefined && value.version > version ? value : undefined;
  const isGone = failure?.status === 404;
  const read = useEffectEvent(onRead);
  useEffect(() => read({ id, record, isGone }), [id, record, isGone]);
  return null;
}

function ShownRecord(props: DetailProps<Resource, RecordTable, TypeProps>) {
  const { props: place, opened, shown, filter, area, focused } = props;
  const { row, isLost } = shown;
  const { type } = place;
  const platform = usePart(platformPart);
  const [read, setRead] = useState<LostRecord>();
  const lost = isLost && read?.id === row?.id ? read : undefined;
  const onRead = (now: LostRecord) => {
    setRead(now);
    if (now.record !== undefined) opened.renew(now.record);
  };
  const caution = lost?.isGone === true ? goneWords : lostWords(filter.text);
  return (
    <>
      {isLost && row !== undefined ? (
        <LostRecordReader key={row.id} objectType={type.slug} row={row} onRead={onRead} />
      ) : null}
      <RecordDetail
        area={area}
        focused={focused}
        type={type}
        record={lost?.record ?? row}
        caution={isLost ? caution : undefined}
        onChanged={() => recordChange(platform, props)()}
      />
    </>
  );
}

import type { Resource } from "#client/index.ts";
import { tablePlace, type DetailProps } from "../../kit/places/list-place.tsx";
import { RecordDetail } from "../detail/record-detail.tsx";
import { recordKeys, type RecordFacts, type RecordKeys } from "../keys.ts";
import { recordFilter } from "./record-filter.ts";
import {
  useRecordTable,
  useShownRecord,
  type RecordTable,
  type TypeProps,
} from "./use-record-table.ts";
import {
  listCommand,
  markedInSight,
  useRecordChange,
  useRecordHandlers,
} from "./use-record-table-keys.ts";

/** The records of one Object Type. */
export const RecordsScreen = tablePlace<Resource, RecordKeys, RecordTable, TypeProps>({
  name: ({ type }) => type.slug,
  title: ({ props }) => props.type.slug,
  loading: ({ type }) => `Loading ${type.slug}`,
  filter: ({ type }) => recordFilter(type),
  useTable: useRecordTable,
  useHandlers: useRecordHandlers,
  useListHandlers: ({ table }) => ({ mark: table.marks.toggle }),
  clears: ({ table }) => (table.marks.ids.size > 0 ? table.marks.clear : undefined),
  facts: (now): RecordFacts => ({ marked: markedInSight(now) }),
  copied: ({ data }) => JSON.stringify(data),
  command: listCommand,
  empty: ({ props }) => ({
    words: `There is no ${props.type.slug} yet.`,
    offer: [recordKeys.create, "creates one"],
  }),
  Detail: ShownRecord,
});

function ShownRecord(props: DetailProps<Resource, RecordTable, TypeProps>) {
  const { props: place, opened, shown, filter, area, focused } = props;
  const { type } = place;
  const { record, caution } = useShownRecord(type, opened, shown, filter.text);
  const onChanged = useRecordChange(props);
  return (
    <RecordDetail
      area={area}
      focused={focused}
      type={type}
      record={record}
      caution={caution}
      onChanged={onChanged}
    />
  );
}

import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import type { DeletedRecord } from "#contract/resources/restore.ts";
import { titleOf } from "../../kit/data-fields/record-columns.ts";
import { lostWords } from "../../kit/lists/use-opened-row.ts";
import { DetailPane } from "../../kit/panes/detail-pane.tsx";
import { useAct } from "../../kit/places/action.ts";
import { tablePlace, type DetailProps, type PlaceNow } from "../../kit/places/list-place.tsx";
import { rowSearch } from "../../kit/places/row-search.ts";
import { fieldLines, jsonLines } from "../../kit/text/styled-lines.ts";
import { readableWords } from "../../kit/text/words.ts";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useNames, type NameOf } from "../../shell/platform/names.ts";
import { usePlatformLink } from "../../shell/platform/use-platform.ts";
import type { RecordKeys } from "../keys.ts";
import { useChangeLog, writeOf } from "../undo/change-log.ts";
import { deletedName, recordErasure, recordRestore } from "./actions.ts";
import { deletedKey, useDeletedTable, type DeletedTable, type TypeProps } from "./use-deleted.ts";

type DeletedNow = PlaceNow<DeletedRecord, DeletedTable, TypeProps>;

function useDeletedHandlers({ props, panes, opened, table }: DeletedNow) {
  const act = useAct();
  const { refresh } = usePlatformLink();
  const note = useChangeLog();
  const end = (answer?: unknown) => {
    table.list.refresh();
    if (answer === undefined) return;
    panes.close();
    // The counts of the types change too.
    refresh();
  };
  const subjectOf = (record: DeletedRecord) => ({ type: props.type, record });
  return {
    restore: opened.act((record) =>
      act(recordRestore, subjectOf(record), (restored) => {
        end(restored);
        if (restored === undefined) return;
        const name = deletedName(subjectOf(record));
        note(`restore ${name}`, [writeOf(props.type, restored, "made")]);
      }),
    ),
    erase: opened.act((record) => act(recordErasure, subjectOf(record), end)),
  };
}

/** The deleted records of an Object Type, last deleted first, until they cannot be restored. */
export const DeletedRecordsScreen = tablePlace<DeletedRecord, RecordKeys, DeletedTable, TypeProps>({
  name: ({ type }) => `deleted ${type.slug}`,
  title: ({ props }) => `deleted ${props.type.slug}`,
  loading: ({ type }) => `Loading deleted ${type.slug}`,
  search: ({ type }) => rowSearch(`deleted ${type.slug}`),
  useTable: useDeletedTable,
  useHandlers: useDeletedHandlers,
  copied: ({ data }) => JSON.stringify(data),
  command: (_, { props }) => [["resources", "deleted", props.type.slug]],
  missing: { words: "This platform does not keep deleted records." },
  empty: ({ props }) => ({ words: `There is no deleted ${props.type.slug} to restore.` }),
  Detail: DeletedDetail,
});

function deletedLines(type: ObjectType, record: DeletedRecord, width: number, nameOf: NameOf) {
  const { data, deletedAt, deletedBy, restorableUntil, deletedWith } = record;
  const by = deletedBy === null || deletedBy === undefined ? "" : (nameOf(deletedBy) ?? deletedBy);
  const facts = [
    { name: "deleted", value: deletedAt ?? "" },
    { name: "by", value: by },
    { name: "until", value: restorableUntil ?? "" },
    ...(deletedWith === undefined ? [] : [{ name: "with", value: deletedWith }]),
    { name: "id", value: record.id },
  ];
  const values = Object.entries(data).map(([name, value]) => {
    return { name: titleOf(type, name), value: readableWords(value) };
  });
  return [...fieldLines(facts, width), [], ...fieldLines(values, width)];
}

function DeletedDetail(props: DetailProps<DeletedRecord, DeletedTable, TypeProps>) {
  const { props: place, shown, filter, area, focused } = props;
  const { type } = place;
  const { row, isLost } = shown;
  const nameOf = useNames(memberNamesPart, [row?.deletedBy]);
  const views = useMemo(
    () => ({
      record: (one: DeletedRecord, width: number) => deletedLines(type, one, width, nameOf),
      json: jsonLines,
    }),
    [type, nameOf],
  );
  return (
    <DetailPane<DeletedRecord>
      area={area}
      focused={focused}
      kind="deleted record"
      title={row === undefined ? "details" : deletedName({ type, record: row })}
      caution={isLost ? lostWords(filter.text) : undefined}
      item={row}
      keyOf={deletedKey}
      views={views}
    />
  );
}

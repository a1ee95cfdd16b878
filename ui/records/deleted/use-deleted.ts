import { useMemo } from "react";
import type { ObjectType } from "#client/index.ts";
import type { DeletedRecord } from "#contract/resources/restore.ts";
import { foundRows } from "../../kit/answers/found-rows.ts";
import type { PageRequest } from "../../kit/answers/page-request.ts";
import { rowHas } from "../../kit/places/row-search.ts";
import { useAgeTime } from "../../kit/keys/use-keys.ts";
import type { PlaceTable, TableRequest } from "../../kit/places/list-place.tsx";
import type { Column } from "../../kit/table/columns.ts";
import { ageWords, distanceWords } from "../../kit/text/words.ts";
import { useList } from "../../shell/platform/use-list.ts";
import { deletedName } from "./actions.ts";

export interface TypeProps {
  readonly type: ObjectType;
}

export type DeletedTable = PlaceTable<DeletedRecord>;

export const deletedKey = ({ id }: DeletedRecord) => id;

function deletedColumns(type: ObjectType, nowMs: number): Column<DeletedRecord>[] {
  return [
    {
      id: "name",
      title: "record",
      value: (record) => deletedName({ type, record }),
      priority: 0,
      pinned: true,
      minimum: 12,
      maximum: 48,
    },
    {
      id: "deleted",
      title: "deleted",
      value: ({ deletedAt }) => ageWords(deletedAt, nowMs),
      priority: 1,
    },
    {
      id: "until",
      title: "restorable",
      value: ({ restorableUntil }) => distanceWords(restorableUntil ?? "", nowMs),
      priority: 2,
    },
    {
      id: "with",
      title: "with",
      value: ({ deletedWith }) => deletedWith ?? "",
      priority: 4,
      maximum: 36,
    },
    { id: "id", title: "id", value: deletedKey, priority: 3, minimum: 12, maximum: 36 },
  ];
}

/** The deleted records of a type, last deleted first. */
export function useDeletedTable(request: TableRequest<TypeProps>): DeletedTable {
  const { props, height, filter } = request;
  const { slug } = props.type;
  const { text } = filter;
  const list = useList(
    ["resources.deleted", slug, text],
    (client, asked, tenantId) => {
      const records = client.useResources(slug, { tenantId });
      const ask = (each: PageRequest) => records.deleted({ ...each, count: true });
      if (text === "") return ask(asked);
      const found = deletedColumns(props.type, Date.now());
      return foundRows(ask, asked, (row) => rowHas(found, row, text));
    },
    { keyOf: deletedKey, height },
  );
  const nowMs = useAgeTime(list.sample);
  const columns = useMemo(() => deletedColumns(props.type, nowMs), [props.type, nowMs]);
  return { list, columns };
}

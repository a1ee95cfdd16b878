import { useAgeTime } from "../../kit/keys/use-keys.ts";
import { useMemo } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import {
  possibleColumns,
  recordColumns,
  standardColumns,
} from "../../kit/data-fields/record-columns.ts";
import { rowsFrom, type LiveList } from "../../kit/lists/live-list.ts";
import { useStore } from "../../kit/state/store.ts";
import type { Column } from "../../kit/table/columns.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { referencesInRows } from "../record-references.ts";
import { useNames } from "../../shell/platform/names.ts";
import { referenceNamesPart } from "../reference-names.ts";
import { useChosenColumns } from "./use-chosen-columns.ts";

/** The columns of a type's table with names of referenced records; `choose` asks for others. */
export function useRecordColumns(
  type: ObjectType,
  list: LiveList<Resource>,
  height: number,
): { readonly columns: readonly Column<Resource>[]; readonly choose: () => void } {
  const overlays = useOverlays();
  const nowMs = useAgeTime(list.sample);
  const [names, keepNames] = useChosenColumns(type.slug);
  const standard = standardColumns(type);
  const top = useStore(list.cursor.top);
  const recordNameOf = useNames(
    referenceNamesPart,
    referencesInRows(type, names ?? standard, rowsFrom(list, top, height)),
  );
  const columns = useMemo(
    () => recordColumns(type, nowMs, names, recordNameOf),
    [type, nowMs, names, recordNameOf],
  );
  const choose = () =>
    overlays.show({
      kind: "columns",
      question: {
        title: `Columns of ${type.slug}`,
        possible: possibleColumns(type),
        shown: columns.map(({ id }) => id),
        standard,
        onKeep: keepNames,
      },
    });
  return { columns, choose };
}

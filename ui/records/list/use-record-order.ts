import type { ObjectType } from "#client/index.ts";
import { headingOf, sortableFields } from "../../kit/data-fields/record-columns.ts";
import { useRemembered } from "../../kit/state/use-remembered.ts";
import type { SortMark } from "../../kit/table/columns.ts";
import { useOverlays } from "../../shell/overlays/overlays.ts";
import { sortText } from "../use-resources.ts";

/** The order of a list without a choice. */
export const newestFirst: SortMark = { id: "created_at", descending: true };

/** The order of a type's record list, remembered between visits. */
export function useRecordOrder(type: ObjectType) {
  const overlays = useOverlays();
  const [kept, setSort] = useRemembered<SortMark>(`sort ${type.slug}`, newestFirst);
  // The type may have lost the field since an earlier start.
  const sort = sortableFields(type).includes(kept.id) ? kept : newestFirst;
  const { id: current, descending } = sort;
  const text = sortText(sort);
  return {
    sort,
    /** The `--sort` option of a command; absent for the default order. */
    option: text === sortText(newestFirst) ? undefined : text,
    set: (next: SortMark) => setSort(next),
    reverse: () => setSort((now) => ({ ...now, descending: !now.descending })),
    /** Asks for the field. Choosing the current field reverses the order. */
    choose: () =>
      overlays.choose({
        title: "Sort by",
        placeholder: "a field",
        choices: sortableFields(type).map((id) => ({
          id,
          words: headingOf(id),
          note: current === id ? (descending ? "↓" : "↑") : undefined,
          isCurrent: current === id,
          choose: () =>
            setSort({ id, descending: current === id ? !descending : id.endsWith("_at") }),
        })),
      }),
  };
}

export type RecordOrder = ReturnType<typeof useRecordOrder>;

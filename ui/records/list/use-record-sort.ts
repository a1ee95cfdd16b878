import type { ObjectType } from "#client/index.ts";
import { headingOf, sortableFields } from "../../kit/data-fields/record-columns.ts";
import { useRemembered } from "../../kit/state/use-remembered.tsx";
import type { SortMark } from "../../kit/table/columns.ts";
import { useOverlays } from "../../shell/overlays/use-overlays.tsx";
import { sortText } from "../use-resources.ts";

const newestFirst: SortMark = { id: "created_at", descending: true };

/** The order of a type's record list, remembered between visits. */
export function useRecordSort(type: ObjectType) {
  const overlays = useOverlays();
  const [sort, setSort] = useRemembered<SortMark>(`sort ${type.slug}`, newestFirst);
  const { id: current, descending } = sort;
  const text = sortText(sort);
  return {
    sort,
    /** The `--sort` option of a command; absent for the default order. */
    option: text === sortText(newestFirst) ? undefined : text,
    reverse: () => setSort((now) => ({ ...now, descending: !now.descending })),
    /** Asks for the field. Choosing the current field reverses the order. */
    choose: () =>
      overlays.choose({
        title: "Sort by",
        placeholder: "a field",
        choices: sortableFields(type).map((id) => ({
          id,
          words: headingOf(id),
          beside: current === id ? (descending ? "↓ now" : "↑ now") : undefined,
          choose: () =>
            setSort({ id, descending: current === id ? !descending : id.endsWith("_at") }),
        })),
      }),
  };
}

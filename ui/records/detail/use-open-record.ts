import type { ObjectType, Resource } from "#client/index.ts";
import { goneWords, lostWords, useOpenedRow } from "../../kit/lists/use-opened-row.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { useResource } from "../use-resources.ts";

/** The opened record of a list; with a warning and `refresh` if the list no longer has it. */
export function useOpenRecord(
  type: ObjectType,
  list: LiveList<Resource>,
  options: {
    readonly isOpen: boolean;
    /** The list's filter, as typed. */
    readonly filter: string;
  },
) {
  const { row, isLost } = useOpenedRow(type.slug, list, options.isOpen);
  const answer = useResource(type.slug, isLost ? row?.id : undefined);
  if (row === undefined || !isLost) return { record: row, caution: undefined, refresh: () => {} };
  const { value, failure, refresh } = answer;
  // A cached answer may be older than the row.
  const record = value !== undefined && value.version >= row.version ? value : row;
  const caution = failure?.status === 404 ? goneWords : lostWords(options.filter);
  return { record, caution, refresh };
}

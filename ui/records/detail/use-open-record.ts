import type { ObjectType, Resource } from "#client/index.ts";
import { goneWords, lostWords, useOpenedRow } from "../../kit/lists/use-opened-row.ts";
import type { LiveList } from "../../kit/lists/live-list.ts";
import { useResource } from "../use-resources.ts";

/** The record that the details beside a list show. */
export interface OpenRecord {
  readonly record: Resource | undefined;
  /** Why the list does not show it, where it is open all the same. */
  readonly caution: string | undefined;
  /** Asks anew for what the list does not tell of it. */
  readonly refresh: () => void;
}

/** What is open of a list of records, as it is now, whether the list still has it or not. */
export function useOpenRecord(
  type: ObjectType,
  list: LiveList<Resource>,
  options: {
    /** The details have the focus. */
    readonly isOpen: boolean;
    /** The list's filter, as typed. */
    readonly filter: string;
  },
): OpenRecord {
  const { row, isLost } = useOpenedRow(type.slug, list, options.isOpen);
  const answer = useResource(type.slug, isLost ? row?.id : undefined);
  if (row === undefined || !isLost) return { record: row, caution: undefined, refresh: () => {} };
  const { value, failure, refresh } = answer;
  // What is remembered of an earlier look at it may be older than the row.
  const record = value !== undefined && value.version >= row.version ? value : row;
  const caution = failure?.status === 404 ? goneWords : lostWords(options.filter);
  return { record, caution, refresh };
}

import { feedCursorField } from "#contract/feed-cursor.ts";
import { chained, type Promisable } from "../kit/promisable.ts";
import type { Work } from "../work/work.ts";
import type { Exchange } from "./exchange.ts";

/** The cursor of a workspace's feed of changes at which the following reads are true. */
export type ListCursor = (work: Work, workspaceId: string) => Promisable<string>;

/** The cursor of a list is taken before its page is read, so that no later change is missed. */
export function takeFeedCursor(
  exchange: Exchange,
  cursorOf: ListCursor | undefined,
): Promisable<void> {
  const { workspace, route } = exchange;
  if (cursorOf === undefined || workspace === undefined || !route.isList) return undefined;
  return chained(cursorOf(exchange.work, workspace.id), (cursor) => {
    exchange.feedCursor = cursor;
    exchange.responseFields[feedCursorField] = cursor;
  });
}

import { feedCursorField } from "#contract/feed-cursor.ts";
import type { Cell, Ids, Request } from "./cells.ts";

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One difference between a foreign id and one that does not exist. */
export interface Leak {
  readonly route: string;
  readonly place: string;
  readonly status: { readonly foreign: number; readonly absent: number };
  readonly reason: string;
}

/** Fields that differ in each answer. */
const changing: ReadonlySet<string> = new Set([
  "date",
  "x-request-id",
  "ratelimit",
  "retry-after",
  "connection",
  "keep-alive",
  "set-cookie",
  "server-timing",
  "etag",
  "cf-ray",
  "via",
  "age",
  // It changes with each commit of a workspace.
  feedCursorField,
]);

/**
 * Sends a cell's request with the foreign ids and with ids of nothing; the two answers must be the
 * same apart from these ids. Undefined if they are.
 */
export async function tryCell(
  cell: Cell,
  ids: { readonly foreign: Ids; readonly absent: Ids },
  send: (request: Request) => Promise<Seen>,
): Promise<Leak | undefined> {
  const foreign = await send(cell.request(ids.foreign));
  const absent = await send(cell.request(ids.absent));
  const { route, place } = cell;
  const status = { foreign: foreign.status, absent: absent.status };
  const leak = (reason: string): Leak => ({ route, place, status, reason });
  if (foreign.status !== absent.status) return leak("the status differs");
  const [one, other] = [visible(foreign, cell, ids), visible(absent, cell, ids)];
  if (one.body !== other.body) return leak("the body differs");
  if (one.fields !== other.fields) return leak("the header fields differ");
  return undefined;
}

/**
 * The answer without the ids that were sent, the id of the request and times. Both answers may have
 * an id that the caller sees anyway, such as that of the own parent.
 */
function visible(
  { headers, text }: Seen,
  { names }: Cell,
  { foreign, absent }: { readonly foreign: Ids; readonly absent: Ids },
): {
  readonly body: string;
  readonly fields: string;
} {
  let body = text;
  const requestId = headers.get("x-request-id") ?? "";
  if (requestId !== "") body = body.replaceAll(requestId, "REQUEST");
  for (const id of names.flatMap((name) => [foreign[name] ?? "", absent[name] ?? ""])) {
    if (id !== "") body = body.replaceAll(id, "ID").replaceAll(encodeURIComponent(id), "ID");
  }
  body = body
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME")
    .replaceAll(/"(?:conversation_id|id|messageId|cursor|nextCursor|feedCursor)":"[^"]*"/g, '"ID"');
  const fields = [...headers]
    .filter(([name]) => !changing.has(name) && name !== "content-length" && name !== "location")
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { body, fields: JSON.stringify(fields) };
}

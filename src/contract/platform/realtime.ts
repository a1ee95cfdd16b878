import * as z from "zod";
import { members, optionalJson, replies, repliesEvents, route } from "../route.ts";
import { flag, secretText, timestamp, uuid } from "../values.ts";

/**
 * One change, as CloudEvents 1.0 in JSON. `id` is stable: a repetition has the same one. `type` is
 * `svc.resource.created`, `updated`, `deleted` or `left` for records, and likewise for `file`,
 * `document`, `document.job`, `member`, `role`, `objecttype`, `workspace` and other nouns. After
 * `svc.feed.reset` the stream ends, and the lists in `data.resources` are to be read again.
 */
export const cloudEvent = z
  .looseObject({
    specversion: z.literal("1.0"),
    id: z.string(),
    source: z.string(),
    type: z.string(),
    subject: z.string().optional(),
    time: z.string().optional(),
    datacontenttype: z.string().optional(),
    workspaceid: z.string().optional(),
    svccursor: z.string().optional().describe("Continues after this event"),
    version: z.int().optional().describe("The record's version after the change"),
    data: z.unknown(),
  })
  .meta({ id: "CloudEvent" });
/** A change of a workspace as its streams and webhooks have it. */
export type CloudEvent = z.output<typeof cloudEvent>;

const names = z
  .string()
  .max(4_096)
  .regex(/^[\w-]+(,[\w-]+)*$/, "must be names, separated by commas");

/** The filter of a stream; without members it has every change that the caller may read. */
const streamFilter = {
  tenant_id: uuid.optional().describe("The workspace, where X-Tenant-Id does not name it"),
  kinds: names
    .optional()
    .describe("Kinds of changes, e.g. `record,file,document,job,member,object-type`"),
  types: names.optional().describe("Object Types, by their slugs"),
  where: z
    .string()
    .max(16_384)
    .optional()
    .describe("Filter of records as JSON, by indexed properties of the `types` and by `id`"),
  full: flag
    .optional()
    .describe("Adds `data.record`, as of the event's version; null after an erasure"),
};

export const realtimeRoutes = {
  /**
   * Grants one filter of one workspace a token for 5 minutes, in the URL of the stream: browsers
   * send no header fields with an `EventSource`. The token ends with the caller's own one.
   */
  negotiate: route.post("/v4/realtime/negotiate", {
    summary: "Get the URL and the token of a stream of changes",
    ...members("tenant-viewer", "header", "spec 4.6"),
    asks: true,
    body: optionalJson(z.strictObject(streamFilter)),
    reply: replies(
      z.looseObject({
        url: z.string(),
        accessToken: secretText,
        expiresAt: timestamp,
        transports: z.array(z.string()).describe("`sse` and `websocket`, where it has them"),
      }),
    ),
  }),
  /**
   * Server-sent events; `id:` of each is the cursor that continues after it, for `Last-Event-ID` or
   * `cursor`. A cursor that is too old or of another database is 410 `feed-reset`. Events are
   * delivered at least once, in the order of versions within a record. An event
   * `svc.feed.bookmark` only moves the cursor on, every 15 s. A request with `Upgrade: websocket`
   * has the same events as text messages, one in each; the platform reads no messages. Close code
   * 1000: the stream has ended, connect again with the last cursor; 1012: the platform restarts.
   */
  events: route.get("/v4/realtime/events", {
    summary: "Follow the changes of a workspace",
    ...members("tenant-viewer", "tenant_id", "interface.md"),
    webSocket: true,
    query: z.object({
      ...streamFilter,
      cursor: z.string().max(8_192).optional().describe("`feedCursor` of a list, or `svccursor`"),
      access_token: z.string().max(16_384).optional().describe("The token of `negotiate`"),
    }),
    reply: repliesEvents(cloudEvent),
  }),
};

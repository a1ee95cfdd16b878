import * as z from "zod";

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
    data: z.unknown().optional(),
  })
  .meta({ id: "CloudEvent" });
export type CloudEvent = z.output<typeof cloudEvent>;

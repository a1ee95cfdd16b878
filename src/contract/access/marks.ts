import * as z from "zod";
import { listBody } from "../lists.ts";
import { json, members, replies, route } from "../route.ts";
import { timestamp, uuid } from "../values.ts";

/** Most ids of one mark's unseen things. */
export const maximumUnseen = 500;

/** Lists that people look at: `records/` with the slug of an Object Type, or one of the others. */
const markPlace = z
  .string()
  .max(263)
  .regex(
    /^(?:documents|jobs|members|records\/[a-z0-9]+(?:-[a-z0-9]+)*)$/,
    "must be documents, jobs, members or records/<type>",
  );

const mark = z
  .looseObject({
    place: z.string(),
    /** The time of the last look. */
    seenAt: timestamp.optional(),
    /**
     * The ids of what others have created or changed since, the oldest change first; members are
     * named by their `oid`. Deleted things are not among them.
     */
    unseen: z.array(z.string()).optional(),
    /** True if there are further changes that were not read. */
    more: z.boolean().optional(),
    /** The reason why the changes since are not known; `unseen` is then empty. */
    reset: z.string().optional().describe("epoch, pruned or unknown-cursor"),
  })
  .meta({ id: "Mark" });
/** The place in the feed of changes up to which a person has seen a list. */
export type Mark = z.output<typeof mark>;

const look = z.strictObject({
  tenant_id: uuid.optional().describe("The workspace"),
  place: markPlace,
  cursor: z
    .string()
    .max(8_192)
    .optional()
    .describe("`feedCursor` of the list or `svccursor` of a change; by default that of now"),
});
export type Look = z.output<typeof look>;

const marksPath = "/v4/identity/me/marks";
const everyone = members("tenant-viewer", "tenant_id", "interface.md");

export const markRoutes = {
  /** A place without a mark was never looked at, and has no unseen things. */
  list: route.get(marksPath, {
    summary: "List what others have changed in a workspace since the caller's last looks",
    ...everyone,
    query: z.object({
      tenant_id: uuid.optional().describe("The workspace"),
      place: markPlace.optional().describe("The mark of this place only"),
    }),
    reply: replies(listBody(mark)),
    peopleOnly: true,
  }),
  set: route.put(marksPath, {
    summary: "Mark a list of a workspace as seen by the caller",
    ...everyone,
    body: json(look),
    reply: replies(mark),
    peopleOnly: true,
    unlogged: true,
  }),
};

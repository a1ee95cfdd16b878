import { jsonText } from "#server/database/dialect.ts";
import { statement } from "#server/database/statement.ts";
import type { ChangeEvent, StoredEvent } from "#server/work/change-event.ts";
import type { Work } from "#server/work/work.ts";

/** All events of the feeds of all workspaces, in the order of their rows. */
export async function allEvents({ read }: Pick<Work, "read">): Promise<ChangeEvent[]> {
  const rows = await read.all<{ workspaceId: string; events: string }>(statement`select
      workspace_id as "workspaceId", ${jsonText("events")} as events
    from change_batches order by number`);
  return rows.flatMap(({ workspaceId, events }) =>
    (JSON.parse(events) as StoredEvent[]).map((event) => ({ ...event, workspaceId })),
  );
}

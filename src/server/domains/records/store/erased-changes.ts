import type { Reader } from "../../../database/database.ts";
import { isOneOf, jsonOf, jsonText } from "../../../database/dialect.ts";
import { byDialect, statement } from "../../../database/statement.ts";
import { resizeRow, sizesOf } from "../../../work/feed-sizes.ts";
import type { StoredEvent } from "../../../work/change-event.ts";
import type { Transaction, Work } from "../../../work/work.ts";

const rowsAtOnce = 100;

/**
 * Removes the values of erased records from the feed of their workspace, whose events of them stay
 * without values. The records are deleted, so that no later event has values of them.
 */
export async function eraseChanges(
  work: Work,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  const erased = new Set(ids);
  for (let after = 0; ;) {
    const numbers = await rowsOf(work.scan, workspaceId, ids, after);
    await work.write(async (tx) => {
      for (const number of numbers) await eraseIn(tx, number, erased);
    });
    const last = numbers.at(-1);
    if (last === undefined || numbers.length < rowsAtOnce) return;
    after = last;
  }
}

/** The next rows with an event of these records. */
async function rowsOf(
  reader: Reader,
  workspaceId: string,
  ids: readonly string[],
  after: number,
): Promise<number[]> {
  const subject = byDialect<string>({
    sqlite: statement`event.value ->> 'subject'`,
    postgresql: statement`event ->> 'subject'`,
  });
  const events = byDialect({
    sqlite: statement`json_each(change_batches.events) as event`,
    postgresql: statement`jsonb_array_elements(change_batches.events) as event`,
  });
  // The rows are looked up by those numbers, not the other way round.
  const rows = await reader.all<{ number: number }>(statement`select change_batches.number
    from (${sizesOf(workspaceId, after)}) as own cross join change_batches
    where change_batches.number = own.number
      and exists (select 1 from ${events} where ${isOneOf(subject, ids)})
    order by change_batches.number limit ${rowsAtOnce}`);
  return rows.map(({ number }) => Number(number));
}

async function eraseIn(tx: Transaction, number: number, ids: ReadonlySet<string>): Promise<void> {
  const row = await tx.first<{ workspace_id: string; events: string }>(statement`select
      workspace_id, ${jsonText("events")} as events
    from change_batches where number = ${number}`);
  if (row === undefined) return;
  // Only the platform writes the column.
  const events = JSON.parse(row.events) as StoredEvent[];
  const left = events.map((event) => {
    if (!ids.has(event.subject)) return event;
    const { before: _before, after: _after, ...rest } = event;
    return rest;
  });
  const text = JSON.stringify(left);
  await tx.run(statement`update change_batches set events = ${jsonOf(text)},
    bytes = ${text.length} where number = ${number}`);
  await resizeRow(tx, row.workspace_id, { number, bytes: text.length });
}

import { byDialect, raw, statement } from "#server/database/statement.ts";
import type { ReadableType } from "#server/domains/object-types/service.ts";

/** The number of points in a row. */
export const side = 200;

/**
 * Records with points each tenth of a degree from 0 to 19.9 degrees east, with their number as
 * `key`, written past the service to save time.
 */
export function gridOfPoints({ workspaceId, number }: ReadableType, from: number, count: number) {
  const last = from + count - 1;
  const data = `'{"place":{"type":"Point","coordinates":[' || ((n % ${side}) / 10.0) || ',' ||
    ((n / ${side}) / 10.0) || ']},"key":' || n || '}'`;
  const id = `'01990000-0000-7000-8000-' || `;
  return byDialect({
    sqlite: statement`with recursive numbers(n) as (
        select ${from} union all select n + 1 from numbers where n < ${last})
      insert into resources (record_number, workspace_id, type_number, id, version, created_at,
        updated_at, created_by, updated_by, data)
      select n + 1, ${workspaceId}, ${number}, ${raw(id)} printf('%012d', n), 1, '2026', '2026',
        '', '', jsonb(${raw(data)}) from numbers`,
    postgresql: statement`insert into resources (workspace_id, type_number, id, version, created_at,
        updated_at, created_by, updated_by, data)
      select ${workspaceId}::text, ${number}::bigint, ${raw(id)} lpad(n::text, 12, '0'), 1, '2026',
        '2026', '', '', (${raw(data)})::jsonb from generate_series(${from}::integer, ${last}::integer) as n`,
  });
}

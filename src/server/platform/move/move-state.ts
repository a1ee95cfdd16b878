import * as z from "zod";
import { parsedJson } from "#lib/json/value.ts";
import type { Reader } from "../../database/database.ts";
import { statement, type Statement } from "../../database/statement.ts";

/** The mark of a source: read-only since a time, because its data move to `place`. */
export interface SourceMark {
  readonly place: string;
  readonly at: string;
}

/** The state of a target. Its search index is stale until it was made from the copied rows. */
export interface TargetState {
  readonly state: "copying" | "complete";
  /** Names the platform whose data it gets. */
  readonly platform: string;
  readonly search: "stale" | "ready";
  readonly at: string;
}

const sourceName = "to";
const targetName = "from";
const targetDetail = z.object({ platform: z.string(), search: z.enum(["stale", "ready"]) });
const tableDetail = z.object({ after: z.array(z.union([z.string(), z.number()])) });

interface StateRow {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly at: string;
}

/** The mark of a source; undefined while it accepts writes. */
export async function sourceMark(reader: Reader): Promise<SourceMark | undefined> {
  const row = await rowOf(reader, sourceName);
  return row && { place: row.detail, at: row.at };
}

export async function targetState(reader: Reader): Promise<TargetState | undefined> {
  const row = await rowOf(reader, targetName);
  if (row === undefined) return undefined;
  const detail = targetDetail.parse(parsedJson(row.detail));
  return { ...detail, state: row.state === "complete" ? "complete" : "copying", at: row.at };
}

export function noteSource({ place, at }: SourceMark): Statement {
  return put({ name: sourceName, state: "read-only", detail: place, at });
}

export const forgetSource: Statement = statement`delete from data_moves where name = ${sourceName}`;

export function noteTarget({ state, platform, search, at }: TargetState): Statement {
  return put({ name: targetName, state, detail: JSON.stringify({ platform, search }), at });
}

/** The last key of a table that was copied; `isWhole` after its end. */
export interface TableProgress {
  readonly after: readonly (string | number)[];
  readonly isWhole: boolean;
}

export async function tableProgress(
  reader: Reader,
  table: string,
): Promise<TableProgress | undefined> {
  const row = await rowOf(reader, `table ${table}`);
  if (row === undefined) return undefined;
  const { after } = tableDetail.parse(parsedJson(row.detail));
  return { after, isWhole: row.state === "copied" };
}

export function noteTable(table: string, { after, isWhole }: TableProgress, at: string): Statement {
  const state = isWhole ? "copied" : "copying";
  return put({ name: `table ${table}`, state, detail: JSON.stringify({ after }), at });
}

/** A part of the schema that is made again after the copy. */
export interface LaterPart {
  readonly name: string;
  /** `index`, or `rule` for what may refuse rows. */
  readonly kind: "index" | "rule";
  readonly definition: string;
}

export function noteLater({ name, kind, definition }: LaterPart, at: string): Statement {
  return put({ name: `later ${name}`, state: kind, detail: definition, at });
}

export async function laterParts(reader: Reader): Promise<readonly LaterPart[]> {
  const rows = await reader.all<StateRow>(statement`select name, state, detail, at from data_moves
    where name > 'later ' and name < 'later!' order by name`);
  return rows.map(({ name, state, detail }) => ({
    name: name.slice("later ".length),
    kind: state === "rule" ? "rule" : "index",
    definition: detail,
  }));
}

export function forgetLater({ name }: LaterPart): Statement {
  return statement`delete from data_moves where name = ${`later ${name}`}`;
}

export const forgetTables: Statement = statement`delete from data_moves
  where name > 'table ' and name < 'table!'`;

async function rowOf(reader: Reader, name: string): Promise<StateRow | undefined> {
  return reader.first<StateRow>(
    statement`select name, state, detail, at from data_moves where name = ${name}`,
  );
}

function put({ name, state, detail, at }: StateRow): Statement {
  return statement`insert into data_moves (name, state, detail, at)
    values (${name}, ${state}, ${detail}, ${at})
    on conflict (name) do update
      set state = excluded.state, detail = excluded.detail, at = excluded.at`;
}

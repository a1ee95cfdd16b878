import { columnType, type Migration } from "../../database/migration.ts";
import { isInScope } from "../../database/postgresql/row-security.ts";
import { raw, statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/**
 * The box around all geometries of a record. The database keeps it, so that records of the previous
 * build have boxes too; a record without a member `coordinates` costs one look at its data.
 */
export const migration: Migration = {
  name: "0033-record-places",
  async up({ run, dialect }) {
    if (dialect === "sqlite") {
      for (const each of sqliteBoxes) await run(raw(each));
      return;
    }
    await run(statement`create table record_places (
      workspace_id ${text} not null,
      type_number ${integer} not null,
      id ${text} not null,
      place box not null,
      primary key (workspace_id, type_number, id)
    )`);
    for (const each of postgresqlBoxes) await run(raw(each));
  },
};

const isPlacedRow = (row: string): string => `instr(${row}.data, cast('coordinates' as blob)) > 0`;

/** The R*Tree keeps 32-bit numbers, rounded outwards: exact tests follow. */
const boxOfRow = (row: string): string =>
  `select ${row}.record_number, west, east, south, north, ${row}.type_number, ${row}.type_number
    from (select min(atom) filter (where key = 0) as west, max(atom) filter (where key = 0) as east,
        min(atom) filter (where key = 1) as south, max(atom) filter (where key = 1) as north
      from json_tree(${row}.data)
      where type in ('integer', 'real') and path like '%.coordinates%')
    where west is not null and south is not null`;

const sqliteBoxes = [
  `create virtual table record_boxes using rtree(
    number, west, east, south, north, type, type_end)`,
  `create trigger resources_placed after insert on resources when ${isPlacedRow("new")}
    begin insert into record_boxes ${boxOfRow("new")}; end`,
  `create trigger resources_moved after update of data on resources
    when ${isPlacedRow("old")} or ${isPlacedRow("new")}
    begin delete from record_boxes where number = old.record_number;
      insert into record_boxes ${boxOfRow("new")}; end`,
  `create trigger resources_gone after delete on resources when ${isPlacedRow("old")}
    begin delete from record_boxes where number = old.record_number; end`,
  `insert into record_boxes select record_number, box ->> 0, box ->> 1, box ->> 2, box ->> 3,
      type_number, type_number
    from (select record_number, type_number, (select json_array(
          min(atom) filter (where key = 0), max(atom) filter (where key = 0),
          min(atom) filter (where key = 1), max(atom) filter (where key = 1))
        from json_tree(resources.data)
        where type in ('integer', 'real') and path like '%.coordinates%') as box
      from resources where ${isPlacedRow("resources")})
    where box ->> 0 is not null and box ->> 2 is not null`,
];

/**
 * GiST has no index of a number and a box without an extension: a type moves its boxes east. The
 * function is one of PL/pgSQL, which keeps its plan: another one makes it for each record.
 */
const boxOfData = `create function svc_place_of(type_number bigint, data jsonb)
  returns box language plpgsql immutable parallel safe as $$
  declare
    shift float8 := (type_number % 65536) * 1000;
  begin
    return (select box(point(min(x) + shift, min(y)), point(max(x) + shift, max(y)))
      from (select (corner ->> 0)::float8 as x, (corner ->> 1)::float8 as y
        from jsonb_path_query(data, 'strict $.**.coordinates.** ? (@.type() == "array"
          && @[0].type() == "number" && @[1].type() == "number")') as corner) as corners);
  end $$`;

const isPlacedData = (row: string): string => `jsonb_path_exists(${row}.data, '$.**.coordinates')`;

const postgresqlBoxes = [
  boxOfData,
  `create function svc_place_record() returns trigger language plpgsql as $$
  declare
    placed box;
  begin
    if tg_op <> 'INSERT' then
      delete from record_places where workspace_id = old.workspace_id
        and type_number = old.type_number and id = old.id;
    end if;
    if tg_op <> 'DELETE' then
      placed := svc_place_of(new.type_number, new.data);
      if placed is not null then
        insert into record_places values (new.workspace_id, new.type_number, new.id, placed)
        on conflict (workspace_id, type_number, id) do update set place = excluded.place;
      end if;
    end if;
    return null;
  end $$`,
  `create trigger resources_placed after insert on resources for each row
    when (${isPlacedData("new")}) execute function svc_place_record()`,
  `create trigger resources_moved after update of data on resources for each row
    when (old.data is distinct from new.data
      and (${isPlacedData("old")} or ${isPlacedData("new")})) execute function svc_place_record()`,
  `create trigger resources_gone after delete on resources for each row
    when (${isPlacedData("old")}) execute function svc_place_record()`,
  `insert into record_places select workspace_id, type_number, id, placed
    from resources, svc_place_of(type_number, data) as placed
    where jsonb_path_exists(data, '$.**.coordinates') and placed is not null`,
  `create index record_places_by_box on record_places using gist (place)`,
  // A search uses the view, because \`&&\` is not leakproof.
  `create view placed_records as select * from record_places where ${isInScope}`,
];

import { columnType, type Migration } from "../../database/migration.ts";
import { isInScope } from "../../database/postgresql/row-security.ts";
import { byDialect, raw, statement } from "../../database/statement.ts";

const { text, integer, number, json } = columnType;

/**
 * Datasets of features. The features that a dataset shows are those of its generation: an import
 * fills another one, and the dataset then names it. A feature's number is that of its generation
 * times 2^26 and its place in it.
 */
export const migration: Migration = {
  name: "0022-geo-datasets",
  async up({ run, dialect }) {
    await run(statement`create table geo_datasets (
      workspace_id ${text} not null,
      id ${text} not null,
      slug ${text} not null,
      title ${text} not null,
      description ${text} not null,
      source ${text} not null,
      licence ${text} not null,
      attribution ${text} not null,
      version ${integer} not null,
      generation ${integer} not null,
      features ${integer} not null,
      last_place ${integer} not null,
      west ${number}, south ${number}, east ${number}, north ${number},
      created_by ${text} not null,
      created_at ${text} not null,
      updated_by ${text} not null,
      updated_at ${text} not null,
      primary key (workspace_id, id)
    )`);
    await run(statement`create unique index geo_datasets_by_slug
      on geo_datasets (workspace_id, slug)`);
    // A retired generation has no dataset; its features are removed in slices.
    await run(statement`create table geo_generations (
      workspace_id ${text} not null,
      number ${integer} not null,
      state ${text} not null,
      job_id ${text},
      primary key (workspace_id, number)
    )`);
    await run(statement`create index geo_generations_retired on geo_generations (number)
      where state = 'retired'`);
    await run(statement`create table geo_features (
      number ${byDialect({ sqlite: raw("integer"), postgresql: raw("bigint") })} primary key,
      workspace_id ${text} not null,
      generation ${integer} not null,
      id ${text} not null,
      version ${integer} not null,
      geometry ${text},
      properties ${json} not null,
      west ${number}, south ${number}, east ${number}, north ${number},
      created_at ${text} not null,
      updated_at ${text} not null
    )`);
    await run(statement`create unique index geo_features_by_id
      on geo_features (workspace_id, generation, id)`);
    await run(statement`create table geo_imports (
      workspace_id ${text} not null,
      job_id ${text} not null,
      dataset_id ${text} not null,
      options ${text} not null,
      sha256 ${text},
      size ${integer} not null,
      faults ${text} not null,
      created_at ${text} not null,
      primary key (workspace_id, job_id)
    )`);
    await run(statement`create index geo_imports_by_file on geo_imports (workspace_id, sha256)
      where sha256 is not null`);
    await run(statement`create index geo_imports_by_dataset
      on geo_imports (workspace_id, dataset_id, created_at)`);
    for (const each of dialect === "sqlite" ? sqliteBoxes : postgresqlBoxes) await run(raw(each));
  },
};

/** The R*Tree keeps 32-bit numbers, rounded outwards: exact tests follow. */
const sqliteBoxes = [
  `create virtual table geo_boxes using rtree(
    number, west, east, south, north, generation, generation_end)`,
  `create trigger geo_features_placed after insert on geo_features when new.west is not null
    begin insert into geo_boxes values (new.number, new.west, new.east, new.south, new.north,
      new.generation, new.generation); end`,
  `create trigger geo_features_moved after update of west, south, east, north on geo_features
    begin delete from geo_boxes where number = old.number;
      insert into geo_boxes select new.number, new.west, new.east, new.south, new.north,
        new.generation, new.generation where new.west is not null; end`,
  `create trigger geo_features_gone after delete on geo_features
    begin delete from geo_boxes where number = old.number; end`,
];

/**
 * GiST has no index of a number and a box without an extension, so that the generation moves the
 * box to the east. A search uses the view, because `&&` is not leakproof.
 */
const postgresqlBoxes = [
  `create index geo_features_by_box on geo_features using gist (
    box(point(west + (generation % 65536) * 1000, south),
      point(east + (generation % 65536) * 1000, north)))`,
  `create view placed_features as select * from geo_features where ${isInScope}`,
];

import { columnType, type Migration } from "../../database/migration.ts";
import { statement } from "../../database/statement.ts";

const { text } = columnType;

/**
 * The move of a platform's data to another database: the mark of a read-only source (`to`), the
 * state of a target (`from`), and until its end the progress of each table.
 */
export const migration: Migration = {
  name: "0028-data-moves",
  async up({ run }) {
    await run(statement`create table data_moves (
      name ${text} not null primary key,
      state ${text} not null,
      detail ${text} not null,
      at ${text} not null
    )`);
  },
};

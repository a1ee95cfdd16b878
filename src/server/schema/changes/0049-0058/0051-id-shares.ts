import { columnType, type Migration } from "../../../database/migration.ts";
import { raw, statement } from "../../../database/statement.ts";

/**
 * PostgreSQL: the shares of the 12 bits that ids count in a millisecond, for the platforms of the
 * database. Share 0 is for platforms without a lease. A lease ends by the database's clock.
 */
export const migration: Migration = {
  name: "0051-id-shares",
  needs: "0048-several-rotations",
  async up({ dialect, run }) {
    if (dialect === "sqlite") return;
    await run(statement`create table id_shares (
      share ${columnType.integer} not null primary key,
      platform ${columnType.text} not null,
      lease_until ${columnType.integer} not null
    )`);
    await run(
      raw("insert into id_shares select share, '', 0 from generate_series(1, 63) as share"),
    );
  },
};

import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

/** Whether an app may redeem codes without PKCE; the rows of the previous build require it. */
export const migration: Migration = {
  name: "0009-app-pkce",
  async up({ run }) {
    await run(statement`alter table idp_apps add column pkce ${columnType.text}`);
  },
};

import type { Migration } from "../database/migration.ts";

export const migration: Migration = {
  name: "0002-workspaces",
  async up() {},
};

import type { Migration } from "../database/migration.ts";

export const migration: Migration = {
  name: "0003-object-types",
  async up() {},
};

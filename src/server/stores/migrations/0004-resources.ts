import type { Migration } from "../database/migration.ts";

export const migration: Migration = {
  name: "0004-resources",
  async up() {},
};

import type { Migration } from "../database/migration.ts";

export const migration: Migration = {
  name: "0005-jobs",
  async up() {},
};

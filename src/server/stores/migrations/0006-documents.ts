import type { Migration } from "../database/migration.ts";

export const migration: Migration = {
  name: "0006-documents",
  async up() {},
};

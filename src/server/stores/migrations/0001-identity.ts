import type { Migration } from "../database/migration.ts";

export const migration: Migration = {
  name: "0001-identity",
  async up() {},
};

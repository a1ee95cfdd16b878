import type { Migration } from "../database/migration.ts";

export const migration: Migration = {
  name: "0007-chat",
  async up() {},
};

import type { Migration } from "../database/migration.ts";

export const migration: Migration = {
  name: "0008-idempotency",
  async up() {},
};

import type { Migration } from "../database/migration.ts";
import { migration as firstSchema } from "./0001-first-schema.ts";

/** All migrations in their order. A released one never changes, and a later one only adds. */
export const migrations: readonly Migration[] = [firstSchema];

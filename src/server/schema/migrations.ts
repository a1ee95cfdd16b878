import type { Migration } from "../database/migration.ts";
import { migration as firstSchema } from "./0001-first-schema.ts";

/** All migrations in their order. Forward only: a released one is never changed, only followed. */
export const migrations: readonly Migration[] = [firstSchema];

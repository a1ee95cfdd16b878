/** The tables of this domain, as Kysely sees them; `migrations` makes them. */
export interface ObjectTypeTables {}

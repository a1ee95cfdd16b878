import type { Database, DatabaseView } from "#server/database/database.ts";

type Change = (view: DatabaseView) => Partial<DatabaseView>;

/** The database with changed views, which every work over it then has. */
export function withViews(database: Database, change: Change): Database {
  return {
    ...database,
    in(scope) {
      const view = database.in(scope);
      const { read, scan } = view;
      const write: DatabaseView["write"] = (unit) => view.write(unit);
      const snapshot: DatabaseView["snapshot"] = (work) => view.snapshot(work);
      return { read, scan, write, snapshot, ...change(view) };
    },
  };
}

/** The database, whose writes a test counts, delays or fails. */
export function withWrites(
  database: Database,
  through: <T>(write: () => Promise<T>) => Promise<T>,
): Database {
  return withViews(database, (view) => ({ write: (unit) => through(() => view.write(unit)) }));
}

import { documentation } from "#commands/kit/site/documentation.ts";
import { commandTable } from "#commands/registry.ts";
import { loadSchemas } from "#commands/run.ts";
import type { Site } from "#lib/site-page.ts";

let made: Promise<Site> | undefined;

/** The reference of this source, made once for the files of a worker. */
export function madeSite(): Promise<Site> {
  const table = (): Promise<typeof commandTable> => Promise.resolve(commandTable);
  return (made ??= documentation({ table, schemas: loadSchemas }));
}

import { inPlatformScope } from "../kit/data-scope.ts";
import { everyWorkspace } from "../kit/scope.ts";
import type { Database, Reader, Scanner } from "./database.ts";

/**
 * The same database for the platform's own work: it reads and writes the rows of all workspaces,
 * also where a request of one workspace has woken that work.
 */
export function platformWide(database: Database): Database {
  const { read, scan } = database;
  const reader: Reader = {
    ...readerOf(read),
    ...(read.pages === undefined ? {} : { pages: readerOf(read.pages) }),
    ...(read.tuning === undefined ? {} : { tuning: read.tuning }),
  };
  const scanner: Scanner = {
    ...readerOf(scan),
    with: (options) => readerOf(scan.with(options)),
  };
  return {
    ...database,
    read: reader,
    scan: scanner,
    write: (work) => inPlatformScope(() => database.write(work)),
    merged: (unit) => {
      const write = database.merged(unit);
      return (item) => write(item, everyWorkspace);
    },
  };
}

function readerOf(reader: Reader): Reader {
  return {
    dialect: reader.dialect,
    all: (statement) => inPlatformScope(() => reader.all(statement)),
    first: (statement) => inPlatformScope(() => reader.first(statement)),
  };
}

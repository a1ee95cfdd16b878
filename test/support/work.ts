import type { Database } from "#server/database/database.ts";
import { Caches } from "#server/work/caches.ts";
import type { Work } from "#server/work/work.ts";
import { Works } from "#server/work/works.ts";

export interface TestWorks {
  readonly works: Works;
  readonly caches: Caches;
  /** Work over the rows of all workspaces, as jobs have it. */
  readonly work: Work;
}

/** Makes works over a database, without a platform around them. */
export function testWorks(database: Database): TestWorks {
  const caches = new Caches();
  const works = new Works(database, caches);
  return { works, caches, work: works.forPlatform("test") };
}

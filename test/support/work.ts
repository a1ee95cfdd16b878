import type { Database } from "#server/database/database.ts";
import { ChangeFeed } from "#server/work/change-feed.ts";
import type { Work } from "#server/work/work.ts";
import { Works } from "#server/work/works.ts";

export interface TestWorks {
  readonly works: Works;
  readonly feed: ChangeFeed;
  /** Work over the rows of all workspaces, as jobs have it. */
  readonly work: Work;
}

/** Makes works over a database, without a platform around them. */
export function testWorks(database: Database): TestWorks {
  const feed = new ChangeFeed();
  const works = new Works(database, feed);
  return { works, feed, work: works.forPlatform("test") };
}

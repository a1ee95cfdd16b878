/**
 * Mechanisms that only make the platform faster, and the feed. `npm run bench -- machinery`
 * switches each of them off to show its gain or price. Results of requests depend on the feed only.
 */
export interface Tuning {
  /** Handles the requests that one tick has read together (`TickBatch`). */
  readonly batchesTicks: boolean;
  /** Writes units of one kind that arrive together in few statements (`MergedWrites`). */
  readonly mergesWrites: boolean;
  /** PostgreSQL: finds records that are requested together in one statement (`RecordLookups`). */
  readonly batchesReads: boolean;
  /** Looks at the first rows of an index before it chooses how to list (`listRecords`). */
  readonly probesLists: boolean;
  /** PostgreSQL: analyzes tables after bulk writes (`PostgresqlStatistics`). */
  readonly analyzesTables: boolean;
  /** Stores changes for readers of the feed, and adds its cursor to lists. */
  readonly keepsFeed: boolean;
}

export const fullTuning: Tuning = {
  batchesTicks: true,
  mergesWrites: true,
  batchesReads: true,
  probesLists: true,
  analyzesTables: true,
  keepsFeed: true,
};

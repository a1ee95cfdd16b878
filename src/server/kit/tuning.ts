/**
 * Mechanisms that only make the platform faster. `npm run bench -- machinery` switches each of them
 * off to show its gain; the results of requests do not depend on them.
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
}

export const fullTuning: Tuning = {
  batchesTicks: true,
  mergesWrites: true,
  batchesReads: true,
  probesLists: true,
  analyzesTables: true,
};

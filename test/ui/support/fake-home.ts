import { types, type FakeRecord } from "./fake-records.ts";

/** The answers of a platform whose home is tested. */

const dayMs = 24 * 60 * 60_000;

/** A type whose records have a state and a due date by meaning. */
export const meantType = {
  ...types[1],
  properties: {
    ...types[1]?.properties,
    status: {
      type: "enum",
      enum: ["open", "decided", "withdrawn"],
      meaning: "status",
      closed: ["decided", "withdrawn"],
    },
    due: { type: "date", meaning: "due" },
  },
};

/** The records with due dates: those at the start are overdue, one is due today. */
export function dueRecords(records: readonly FakeRecord[]): FakeRecord[] {
  const day = (index: number) =>
    new Date(Date.now() + (index - 6) * dayMs).toISOString().slice(0, 10);
  return records.map((record, index) => ({
    ...record,
    data: { ...record.data, due: day(index) },
  }));
}

/** The answers of a workspace without records and documents; undefined for other paths. */
export function emptyAnswer(path: string): object | undefined {
  if (path.startsWith("/v4/data/resources/schema/")) return { objectTypes: types.slice(0, 1) };
  return /^\/v4\/data\/documents\/(?:jobs|records|reviews)$/.test(path)
    ? { items: [], hasNextPage: false, total: 0 }
    : undefined;
}

export const quotaAnswer = {
  quota: { bytes: 1_000_000, records: null, documents: null, requests: null },
  usage: { bytes: 500_000, records: 42, documents: 1 },
  platform: { requestsPerMinute: 41, lastBackupAt: "2026-11-20T10:00:00.000Z" },
};

import { Database as SqliteDatabase } from "bun:sqlite";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  isBlobNamed,
  isFileBeingRemoved,
  isFileOwned,
  blobReferences,
} from "#server/files/reference-store.ts";
import { dueRemovals, forgetRemovals } from "#server/files/removal-store.ts";
import type { Writer } from "#server/database/database.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { render, statement, type Statement } from "#server/database/statement.ts";
import { documentsBeingRemoved } from "#server/domains/documents/store/documents.ts";
import { searchPassages } from "#server/domains/documents/store/passage-search.ts";
import { areDocumentsUnsettled, jobPage } from "#server/domains/documents/store/document-jobs.ts";
import { listDocuments } from "#server/domains/documents/store/list-documents.ts";
import { areJobsDue } from "#server/jobs/store.ts";
import { isOneOfWorkspaceRecords } from "#server/domains/records/store/record-numbers.ts";
import { recordById } from "#server/domains/records/store/records.ts";
import { lastId } from "#server/domains/records/store/indexes/index-columns.ts";
import {
  isAfter,
  orderBy,
  parseSort,
  usingIndex,
  type SortKey,
} from "#server/domains/records/store/read/sort.ts";
import { compileWhere } from "#server/domains/records/where/compile-where.ts";
import type { Collation } from "#contract/resources/reads/collation.ts";
import type { FieldSource } from "#server/fields/path-fields.ts";
import { presentWords } from "#server/search-index/words.ts";
import { workspacesBelow, workspacesOf } from "#server/domains/workspaces/store.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/**
 * SQLite keeps no statistics here: its plans are the same for every size of a table. So a
 * frequent query must not be a scan, or it gets slower as the table grows.
 */
const workspaceId = "0190a000-0000-7000-8000-000000000001";
const key = { workspaceId, sha256: "0".repeat(64) };
const now = new Date(0);
const listed: FieldSource = {
  properties: { status: { type: "string", indexed: true } },
  slots: [{ property: "status", kind: "text", number: 1, state: "ready" }],
  mayHoldLists: new Set(),
};

const asked: readonly [string, string, (reader: Writer) => Promise<unknown>][] = [
  [
    "passages with a word, from the index of words on",
    "SEARCH c USING INTEGER PRIMARY KEY",
    (reader) => {
      const source = { kind: "passage", workspaceId, number: 1 } as const;
      const words = { ranked: [{ indexed: ["word"], weight: 1 }], frequent: [["words"]] };
      return searchPassages(reader, { workspaceId, source }, words, 10);
    },
  ],
  [
    "a record by its id",
    "SEARCH resources USING INTEGER PRIMARY KEY (rowid=?)",
    async (reader) => recordById(reader, { workspaceId, number: 1 }, workspaceId),
  ],
  [
    "records of a workspace by their ids, of whatever type",
    "SEARCH resources USING INTEGER PRIMARY KEY (rowid=?)",
    (reader) => {
      const those = isOneOfWorkspaceRecords(workspaceId, [workspaceId]);
      return reader.all(statement`select id from resources where ${those}`);
    },
  ],
  [
    "the newest record of a type",
    "SEARCH resources USING INDEX resources_by_id (type_number=?)",
    (reader) => lastId(reader, { workspaceId, number: 1 }),
  ],
  ...(["text", "binary"] as const).map((collation): (typeof asked)[number] => {
    const column = collation === "text" ? "o1" : "t1";
    return [
      `records after another, in the ${collation} order of a value`,
      `SEARCH resources USING INDEX resources_${column} (type_number=? AND (${column},rowid)>(?,?))`,
      (reader) => {
        const keys = keysOf("status", collation);
        const behind = isAfter(keys, ["open", workspaceId]);
        return reader.all(statement`select id from resources${usingIndex(`resources_${column}`)}
          where type_number = 1 and t1 is not null and ${behind} order by ${orderBy(keys)}`);
      },
    ];
  }),
  [
    "records after another, in the order of creation",
    "SEARCH resources USING INDEX resources_by_id (type_number=? AND rowid<?)",
    (reader) => {
      const keys = keysOf("-created_at");
      return reader.all(statement`select id from resources${usingIndex("resources_by_id")}
        where type_number = 1 and ${isAfter(keys, [workspaceId])} order by ${orderBy(keys)}`);
    },
  ],
  [
    "a record that a filter names by its id",
    "SEARCH resources USING INTEGER PRIMARY KEY (rowid=?)",
    (reader) => {
      const test = { kind: "equal", value: workspaceId } as const;
      const condition = compileWhere({ kind: "field", path: ["id"], test }, listed);
      return reader.all(statement`select id from resources${usingIndex(undefined)}
        where type_number = 1 and ${condition}`);
    },
  ],
  [
    "words that a workspace has, each by itself",
    "SEARCH stored EXISTS USING PRIMARY KEY (workspace_id=? AND triple=? AND length=? AND word=?)",
    (reader) => presentWords(reader, workspaceId, [{ word: "fence", length: 5, triples: ["_fe"] }]),
  ],
  [
    "documents in the order of their making",
    "SEARCH documents USING INDEX documents_by_time",
    (reader) =>
      listDocuments(reader, {
        workspaceId,
        filter: undefined,
        sort: [{ field: "created_at", isDescending: true }],
        limit: 20,
        offset: 0,
      }),
  ],
  [
    "documents whose removal has not ended",
    "SCAN documents USING INDEX documents_deleting",
    (reader) => documentsBeingRemoved(reader, 10),
  ],
  [
    "documents that wait for the end of their job",
    "SCAN documents USING INDEX documents_unsettled",
    areDocumentsUnsettled,
  ],
  [
    "files that rows name",
    "SEARCH documents USING INDEX documents_by_content",
    (reader) => blobReferences(reader, workspaceId).next(),
  ],
  [
    "files that rows of any workspace name",
    "SEARCH documents USING INDEX documents_by_content",
    (reader) => blobReferences(reader).next(),
  ],
  [
    "whether a row names a file",
    "SEARCH documents USING INDEX documents_by_content (workspace_id=? AND sha256=?)",
    (reader) => isBlobNamed(reader, key),
  ],
  [
    "whether a file is needed",
    "SEARCH documents USING INDEX documents_by_content (workspace_id=? AND sha256=?)",
    (reader) => isFileOwned(reader, key),
  ],
  [
    "whether a file is being removed",
    "SEARCH documents USING INDEX documents_deleting",
    (reader) => isFileBeingRemoved(reader, key),
  ],
  [
    "removals that are due",
    "SEARCH blob_removals USING INDEX blob_removals_open",
    (reader) => dueRemovals(reader, { owner: "o", now: "n" }, { workspaceId: "", sha256: "" }, 10),
  ],
  [
    "removals to forget",
    "SEARCH blob_removals USING INDEX blob_removals_ended",
    (writer) => forgetRemovals(writer, "n", 10),
  ],
  [
    "jobs that are due",
    "SEARCH jobs USING INDEX jobs_waiting",
    (reader) => areJobsDue(reader, ["k"], now),
  ],
  [
    "a workspace's jobs",
    "SEARCH jobs USING INDEX jobs_by_time",
    (reader) => jobPage(reader, { workspaceId, kind: "k", limit: 10, offset: 0 }),
  ],
  [
    "workspaces of a user",
    "SEARCH members USING COVERING INDEX members_by_user",
    (reader) => workspacesOf(reader, { oid: "oid", limit: 10 }),
  ],
  [
    "workspaces below another",
    "SEARCH members USING INDEX sqlite_autoindex_members_1",
    (reader) => workspacesBelow(reader, workspaceId, "oid", 10),
  ],
];

test.each(asked)("%s are found by an index", async (_what, wanted, ask) => {
  const path = join(await temporaryDirectory("plans"), "svc.db");
  await (await openPlatformDatabase({ url: `sqlite:${path}` })).close();
  using database = new SqliteDatabase(path, { readonly: true });
  const plan: string[] = [];
  await ask(explaining(database, plan));
  expect(
    plan.some((step) => step.startsWith(wanted)),
    plan.join("\n"),
  ).toBe(true);
  // A partial index may be scanned.
  const scans = plan.filter((step) => /^SCAN (?!documents USING INDEX documents_)/.test(step));
  expect(scans.filter((step) => tables.test(step))).toEqual([]);
});

function keysOf(sort: string, collation: Collation = "text"): readonly SortKey[] {
  const parsed = parseSort(sort, listed, collation);
  if (parsed.fault !== undefined) throw new Error(parsed.fault);
  return parsed.keys;
}

/** Tables by name, and by the aliases of queries. */
const tables =
  /^SCAN (resources|documents|document_chunks|[cd]|blob_removals|resource_files|jobs|members|workspaces)\b/;

/** Asks how each statement would be run, and gives no rows. */
function explaining(database: SqliteDatabase, plan: string[]): Writer {
  const explain = (asked: Statement): void => {
    const { text, parameters } = render(asked, "sqlite");
    const steps = database
      .query<{ detail: string }, (typeof parameters)[number][]>(`explain query plan ${text}`)
      .all(...parameters);
    plan.push(...steps.map(({ detail }) => detail));
  };
  return {
    dialect: "sqlite",
    async all(asked) {
      explain(asked);
      return [];
    },
    async first(asked) {
      explain(asked);
      return undefined;
    },
    async run(asked) {
      explain(asked);
      return { changedRows: 0 };
    },
    runLast: explain,
  };
}

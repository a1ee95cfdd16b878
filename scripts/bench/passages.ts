import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Database as BareDatabase } from "bun:sqlite";
import { createClient } from "#client/index.ts";
import type { Database } from "../../src/server/database/database.ts";
import {
  countPassages,
  searchedTerms,
  searchPassages,
} from "../../src/server/domains/documents/store/passage-search.ts";
import { CommonTerms } from "../../src/server/search-index/common-terms.ts";
import { passageSource } from "../../src/server/search-index/sources.ts";
import { openPlatformDatabase } from "../../src/server/schema/platform-database.ts";
import { askedTerms } from "../../src/server/text/search/asked-terms.ts";
import { chunkPages } from "../../src/server/text/passages/chunk-pages.ts";
import { startPlatformProcess, type RunningPlatform } from "../../test/support/platform-process.ts";
import { executable } from "../build/executable.ts";
import { findPostgres, startPostgres } from "../postgres.ts";
import { milliseconds, percentile, renderGroup, type Row } from "./figures.ts";
import { load, wireRequest, type WireRequest } from "./load.ts";
import { untilIdle } from "#test/support/process-use.ts";
import { testWorks } from "#test/support/work.ts";
import { indexPages, type NamedText } from "./quality/index-pages.ts";
import { manualPages, type ManualPage } from "./quality/manual-pages.ts";

const pagesRead = 3_000;
const pagesAtATime = 200;
const searches = 400;
const answers = 200;
const warmUps = 30;
const searchGoalMs = 50;
const firstTokenGoalMs = 100;
const limit = 10;
const candidates = 200;
const workflow = "manual";

/**
 * `npm run bench -- passages`: searches and chat among many passages of manual pages, over HTTP on
 * both databases. The baseline is a table of FTS5 with the same passages, which answers texts only.
 */
export async function benchPassages(directory: string, passages: number): Promise<void> {
  const pages = await manualPages(pagesRead);
  if (pages.length === 0) throw new Error("this machine has no manual pages in /usr/share/man");
  await measureEngine("SQLite", join(directory, "passages-sqlite"), pages, passages);
  const folder = await findPostgres();
  if (folder === undefined) return console.log("PostgreSQL: there is no server here");
  const cluster = await startPostgres(folder, { isDurable: true });
  try {
    const url = await cluster.createDatabase("passages");
    await measureEngine("PostgreSQL", join(directory, "passages-postgresql"), pages, passages, url);
  } finally {
    await cluster.stop();
  }
}

async function measureEngine(
  name: string,
  directory: string,
  pages: readonly ManualPage[],
  passages: number,
  databaseUrl?: string,
): Promise<void> {
  await mkdir(directory);
  const start = (): Promise<RunningPlatform> =>
    startPlatformProcess({
      executable,
      dataDir: join(directory, "data"),
      home: directory,
      args: databaseUrl === undefined ? [] : [`--database-url=${databaseUrl}`],
    });
  const { url, tenantId } = await prepared(start, directory, databaseUrl);
  const { count, rows } = await fill(url, tenantId, pages, passages);
  const add = (row: Row): void => {
    rows.push(row);
    console.error(`  ${row.name}: ${row.figures.filter((figure) => figure !== "").join(", ")}`);
  };
  const running = await start();
  try {
    await untilIdle(running.pid);
    const asked = { running, token: await running.token(), tenantId };
    if (databaseUrl === undefined) add(bareRow(join(directory, "bare.db"), pages, count));
    const descriptions = pages.map(({ description }) => description);
    const words = ["file option", "the command", "use of a file", "options for output"];
    add(await searchRow(asked, "search by a description", descriptions));
    add(await searchRow(asked, "search for words of most passages", words));
    add(await searchRow(asked, "search by a description, 4 at once", descriptions, 4));
    add(await firstTokenRow(asked, descriptions));
  } finally {
    await running.stop();
  }
  for (const row of await countRows(url, tenantId, pages)) add(row);
  const goal = `p99 < ${searchGoalMs} ms; first token < ${firstTokenGoalMs} ms`;
  const title = `${name}: ${count.toLocaleString("en")} passages`;
  console.log(`\n${renderGroup({ name: title, columns: ["p50", "p99", goal] }, rows)}\n`);
}

/** A workspace with a workflow to ask; its platform has ended. */
async function prepared(
  start: () => Promise<RunningPlatform>,
  directory: string,
  databaseUrl: string | undefined,
): Promise<{ url: string; tenantId: string }> {
  await using running = await start();
  const client = createClient({ baseUrl: running.url, token: await running.token() });
  const { id: tenantId } = await client.workspaces.createRoot({
    body: { displayName: "Bench", slug: "bench", homeRegion: "eu" },
  });
  const own = client.forTenant(tenantId);
  await own.useResources("shared-workflow-config").create({
    workflow_key: workflow,
    display_name: "Manual",
    status: "active",
    stages: [{ id: "chat" }],
    config: {},
  });
  return { url: databaseUrl ?? `sqlite:${join(directory, "data", "svc.db")}`, tenantId };
}

/** Copies of the pages under other names until there are enough passages. */
async function fill(
  url: string,
  tenantId: string,
  pages: readonly ManualPage[],
  passages: number,
): Promise<{ count: number; rows: Row[] }> {
  const database: Database = await openPlatformDatabase({ url, now: () => new Date() });
  let count = 0;
  const startedAt = performance.now();
  for (let copy = 0; count < passages; copy += 1) {
    for (let at = 0; at < pages.length && count < passages; at += pagesAtATime) {
      const some = pages.slice(at, at + pagesAtATime).map(({ name, text }): NamedText => {
        return { name: copy === 0 ? name : `${copy}-${name}`, text };
      });
      count += await indexPages(database, tenantId, some);
    }
  }
  await database.close();
  const rate = Math.round((count * 1_000) / (performance.now() - startedAt));
  return {
    count,
    rows: [{ name: "indexed", figures: [`${rate.toLocaleString("en")}/s`, "", ""] }],
  };
}

/** A plain full-text table of one process, by the words that a passage must have any of. */
function bareRow(path: string, pages: readonly ManualPage[], passages: number): Row {
  const database = new BareDatabase(path);
  database.run("create virtual table passages using fts5(text, tokenize = 'porter unicode61')");
  const insert = database.prepare("insert into passages (text) values (?)");
  const chunks = pages.flatMap(({ text }) => chunkPages([{ number: 1, text }]));
  database.transaction(() => {
    for (let at = 0; at < passages; at += 1) insert.run(chunks[at % chunks.length]?.text ?? "");
  })();
  const search = database.prepare(
    "select text from passages where passages match ? order by rank limit ?",
  );
  const times = questionsOf(pages.map(({ description }) => description)).map((description) => {
    const words = description.match(/[\p{L}\p{N}]+/gu) ?? ["none"];
    const startedAt = performance.now();
    search.all(words.map((word) => `"${word}"`).join(" OR "), limit);
    return performance.now() - startedAt;
  });
  database.close();
  return timesRow("FTS5 in one process: any word of a description", times);
}

/**
 * Counts of the words of descriptions, on PostgreSQL also without its sample; and its candidates,
 * with those of rare words read once, for their number, or once more.
 */
async function countRows(
  url: string,
  workspaceId: string,
  pages: readonly ManualPage[],
): Promise<Row[]> {
  const database = await openPlatformDatabase({ url, now: () => new Date() });
  const questions = questionsOf(pages.map(({ description }) => description));
  const { works, work } = testWorks(database);
  const source = await passageSource(work.read, workspaceId);
  if (source === undefined) throw new Error("there are no passages");
  const scope = { workspaceId, source };
  const timed = async (
    common: Pick<CommonTerms, "countsIn">,
    found?: { readonly withHits: boolean },
  ): Promise<number[]> => {
    const times: number[] = [];
    for (const [index, question] of questions.slice(0, warmUps + searches).entries()) {
      const startedAt = performance.now();
      const terms = askedTerms(question, ["en"]);
      const counts = await countPassages(work.scan, scope, terms, common, found?.withHits);
      if (found !== undefined) {
        const words = searchedTerms(database.dialect, terms, counts);
        await searchPassages(work.scan, scope, words, candidates);
      }
      if (index >= warmUps) times.push(performance.now() - startedAt);
    }
    return times;
  };
  const sampled = new CommonTerms(works.forPlatform);
  const none = { countsIn: () => Promise.resolve(undefined) };
  const rows =
    database.dialect === "sqlite"
      ? [timesRow("counts of words", await timed(none))]
      : [
          timesRow("counts of words, common ones sampled", await timed(sampled)),
          timesRow("counts of words, each of them", await timed(none)),
          timesRow("candidates, rare words read once", await timed(sampled, { withHits: true })),
          timesRow("candidates, rare words read twice", await timed(sampled, { withHits: false })),
        ];
  await database.close();
  return rows;
}

interface Asked {
  readonly running: RunningPlatform;
  readonly token: string;
  readonly tenantId: string;
}

function headersOf({ token, tenantId }: Asked): string[] {
  return [`authorization: Bearer ${token}`, `x-tenant-id: ${tenantId}`];
}

async function searchRow(
  asked: Asked,
  name: string,
  queries: readonly string[],
  connections = 1,
): Promise<Row> {
  const base = new URL("/v4/data/documents/search", asked.running.url);
  const requests = questionsOf(queries).map((query): WireRequest => {
    const address = new URL(base);
    address.search = new URLSearchParams({ query, limit: String(limit) }).toString();
    return wireRequest("GET", address, headersOf(asked), "", 200);
  });
  const request = (index: number): WireRequest => requests[index % requests.length] as WireRequest;
  await load(base, { connections: 1, count: warmUps, request });
  const { latenciesMs } = await load(base, { connections, count: searches, request });
  return timesRow(name, latenciesMs, searchGoalMs);
}

/** The time from a question until the first words of its answer. */
async function firstTokenRow(asked: Asked, questions: readonly string[]): Promise<Row> {
  const { running, token, tenantId } = asked;
  const address = `${running.url}/v4/ai/chat/stream/${tenantId}/${workflow}/chat`;
  const times: number[] = [];
  for (const [index, message] of questionsOf(questions)
    .slice(0, warmUps + answers)
    .entries()) {
    const startedAt = performance.now();
    const response = await fetch(address, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ message: `Which is ${message}?` }),
    });
    let text = "";
    let firstMs = Number.NaN;
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      if (Number.isNaN(firstMs) && text.includes('"text-delta"')) {
        firstMs = performance.now() - startedAt;
      }
    }
    if (response.status !== 200 || !text.includes("[DONE]") || Number.isNaN(firstMs)) {
      throw new Error(`chat answered ${response.status}: ${text.slice(0, 500)}`);
    }
    if (index >= warmUps) times.push(firstMs);
  }
  return timesRow("first token of an answer of quotes", times, firstTokenGoalMs);
}

/** Questions from all over the list. */
function questionsOf(texts: readonly string[]): string[] {
  const wanted = Math.max(searches, warmUps + answers);
  return Array.from({ length: wanted }, (_, index) => texts[(index * 7919) % texts.length] ?? "");
}

function timesRow(name: string, times: readonly number[], goalMs?: number): Row {
  const p99 = percentile(times, 0.99);
  const verdict = goalMs === undefined ? "" : p99 < goalMs ? "yes" : "no";
  return { name, figures: [milliseconds(percentile(times, 0.5)), milliseconds(p99), verdict] };
}

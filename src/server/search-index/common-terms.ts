import { keptPromise } from "../kit/background.ts";
import { RecentMap } from "../kit/recent-map.ts";
import type { Work } from "../work/work.ts";
import type { PlatformWork } from "../work/works.ts";
import { type EntrySource, entryKinds } from "./sources.ts";
import type { Reader } from "../database/database.ts";
import { statement } from "../database/statement.ts";
import { indexQuery, markTerm, textTerm } from "./entries.ts";
import { countMatches } from "./hits.ts";

const sourcesAtMost = 500;
const keptMs = 10 * 60_000;
const timeLimitMs = 10_000;

/**
 * Counts entries by term, for the common terms of a source. PostgreSQL finds all entries of a term
 * before it returns the first, so that counting the common ones would take most of a search: they
 * are estimated from a sample, once in ten minutes. SQLite counts them faster than it samples.
 */
export class CommonTerms {
  readonly #work: Work;
  readonly #kept = new RecentMap<number, Promise<SampledCounts | undefined>>(sourcesAtMost, {
    lifeMs: keptMs,
  });

  constructor(platformWork: PlatformWork) {
    this.#work = platformWork("samples of terms, which all searches of a source share");
  }

  /** Undefined for a small source, whose terms are counted. */
  async countsIn(source: EntrySource): Promise<SampledCounts | undefined> {
    if (this.#work.read.dialect === "sqlite") return undefined;
    const known = this.#kept.get(source.number);
    if (known !== undefined) return known;
    // Searches that come meanwhile share the sample, even if the first one is cancelled.
    const { scan } = this.#work.within(source.workspaceId);
    const counts = sampledCounts(scan.with({ timeLimitMs, share: source.workspaceId }), source);
    this.#kept.set(source.number, keptPromise(counts));
    counts.catch(() => this.#kept.delete(source.number));
    return counts;
  }
}

/*
 * A hash decides which samples an entry is in: a quarter of all entries are in the first one, a
 * quarter of those in the second, and so on. Each has a mark, so the index finds a few thousand
 * entries from all over a source, however many it has.
 */

const levels = 10;
/** A sample of so many entries is large enough. */
const sampledAtLeast = 1_000;
const sampledAtMost = 5_000;
/** A term of fewer entries of the sample is not common, and its share is too uncertain. */
const leastHits = 30;
const commonAtMost = 2_000;

/** The marks of the samples that an entry is in; `name` is the same for each writing of a text. */
export function sampleMarks(name: string): string[] {
  const marks: string[] = [];
  let rest = Bun.hash.crc32(name);
  for (let level = 1; level <= levels && rest % 4 === 0; level += 1) {
    marks.push(markOfSample(level));
    rest = Math.floor(rest / 4);
  }
  return marks;
}

function markOfSample(level: number): string {
  return `s${level}`;
}

/** Numbers of entries of a source, estimated from a sample. */
interface SampledCounts {
  readonly all: number;
  /** The number with each common term; another term may have any number. */
  readonly having: ReadonlyMap<string, number>;
}

/** PostgreSQL: estimates for a source; undefined for one of a few thousand entries. */
async function sampledCounts(
  reader: Reader,
  source: EntrySource,
): Promise<SampledCounts | undefined> {
  const sample = await smallestSample(reader, source);
  if (sample === undefined) return undefined;
  const { workspaceId, kind, number } = source;
  const { tsquery } = indexQuery([number], [[markTerm(sample.mark)]]);
  const rows = await reader.all<{ term: string; count: number }>(statement`
    select term, count(*) as count
    from (select unnest(tsvector_to_array(terms)) as term from (select terms from searched_entries
      where workspace_id = ${workspaceId} and kind = ${entryKinds[kind]}
        and terms @@ ${tsquery}::text::tsquery limit ${sampledAtMost}) as sample) as listed
    group by term having count(*) >= ${leastHits} order by count desc limit ${commonAtMost}`);
  const { count, share } = sample;
  const having = rows.map((row) => [textTerm(row.term), Number(row.count) / share] as const);
  return { all: count / share, having: new Map(having) };
}

/** The smallest sample that is large enough; undefined where none is. */
async function smallestSample(
  reader: Reader,
  source: EntrySource,
): Promise<{ mark: string; count: number; share: number } | undefined> {
  const scope = { ...source, sources: [source.number] };
  for (let level = levels; level > 0; level -= 1) {
    const mark = markOfSample(level);
    const [count = 0] = await countMatches(reader, scope, [[[markTerm(mark)]]], sampledAtMost);
    if (count >= sampledAtLeast) return { mark, count, share: 0.25 ** level };
  }
  return undefined;
}

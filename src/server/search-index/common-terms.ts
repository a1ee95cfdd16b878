import { RecentMap } from "../kit/recent-map.ts";
import type { Work } from "../work/work.ts";
import type { PlatformWork } from "../work/works.ts";
import { sampledCounts, type SampledCounts } from "./samples.ts";
import type { EntrySource } from "./sources.ts";

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
    this.#kept.set(source.number, counts);
    counts.catch(() => this.#kept.delete(source.number));
    return counts;
  }
}

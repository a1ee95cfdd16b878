import type { Database } from "../../database/database.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import { sampledCounts, type SampledCounts } from "./store/samples.ts";
import type { EntrySource } from "./store/sources.ts";

const sourcesAtMost = 500;
const keptMs = 10 * 60_000;
const timeLimitMs = 10_000;

/**
 * How many entries have each term that is common in its source. PostgreSQL finds all entries of a
 * term before it returns the first, so that counting the common ones would take most of a search:
 * they are estimated from a sample, once in ten minutes. SQLite counts them faster than it samples.
 */
export class CommonTerms {
  readonly #kept = new RecentMap<number, Promise<SampledCounts | undefined>>(sourcesAtMost, {
    lifeMs: keptMs,
  });

  constructor(private readonly database: Database) {}

  /** Undefined for a small source, whose terms are counted. */
  async countsIn(source: EntrySource): Promise<SampledCounts | undefined> {
    if (this.database.dialect === "sqlite") return undefined;
    const known = this.#kept.get(source.number);
    if (known !== undefined) return known;
    // Searches that come meanwhile share the sample, also when the one that began it is cancelled.
    const scan = this.database.scan.with({ timeLimitMs, share: source.workspaceId });
    const counts = sampledCounts(scan, source);
    this.#kept.set(source.number, counts);
    counts.catch(() => this.#kept.delete(source.number));
    return counts;
  }
}

import type { Reader } from "../../../database/database.ts";
import { RecentMap } from "../../../kit/recent-map.ts";
import { countPassages, type PassageCounts } from "../store/passage-search.ts";
import { isWholeWorkspace, type PassageScope } from "../store/passages.ts";

const keptFrom = 500;
const keptAtMost = 50_000;
const keptMs = 60_000;

/**
 * Counts the passages of a scope that have each term, up to 5,000. Those of terms that many
 * passages have cost an engine the most and change the least: for a whole workspace, counts from
 * 500 are kept for a minute.
 */
export class PassageCounter {
  readonly #kept = new RecentMap<string, number>(keptAtMost, { lifeMs: keptMs });

  async count(
    reader: Reader,
    scope: PassageScope,
    terms: readonly string[],
  ): Promise<PassageCounts> {
    const isWhole = isWholeWorkspace(scope);
    // Without a term all passages count.
    const asked = [undefined, ...terms].map((term) => {
      const key = `${scope.workspaceId} ${term ?? ""}`;
      return { term, key, kept: isWhole ? this.#kept.get(key) : undefined };
    });
    const unknown = asked.filter(({ kept }) => kept === undefined).map(({ term }) => term);
    const counted = (await countPassages(reader, scope, unknown)).values();
    const [all = 0, ...having] = asked.map(({ key, kept }) => {
      const count = kept ?? counted.next().value ?? 0;
      if (isWhole && kept === undefined && count >= keptFrom) this.#kept.set(key, count);
      return count;
    });
    return { all, having };
  }
}

import { RecentMap } from "../../../kit/recent-map.ts";
import type { TypeSource } from "../store/read/list-plan.ts";
import { unservedPaths } from "../store/read/list-plan.ts";
import type { SortKey } from "../store/read/sort.ts";
import type { Condition } from "../../../database/where/condition.ts";

/** Properties that slow requests of a type filtered or sorted by, and no index served. */
export interface SlowPath {
  /** A declared property, dotted where it is inside another; never a value. */
  readonly path: string;
  readonly requests: number;
  readonly slowestMs: number;
}

/** Bounds of what is remembered: types, and paths of each. */
const maximumTypes = 1_000;
const maximumPaths = 50;

/**
 * Which filters and orders were slow for want of an index, for the index plan to name. Kept in this
 * process's memory: what matters comes again soon after a start.
 */
export class SlowFilters {
  readonly #thresholdMs: number;
  readonly #types = new RecentMap<string, Map<string, Omit<SlowPath, "path">>>(maximumTypes);

  constructor(options: { readonly thresholdMs: number }) {
    this.#thresholdMs = options.thresholdMs;
  }

  /** Runs a read of a type's records; when it is slow, notes what no index served. */
  async watch<T>(
    type: TypeSource,
    asked: { readonly condition: Condition | undefined; readonly keys: readonly SortKey[] },
    read: () => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now();
    const answer = await read();
    const tookMs = performance.now() - startedAt;
    if (tookMs >= this.#thresholdMs) {
      for (const path of unservedPaths(type, asked.condition, asked.keys)) {
        this.#note(type, path, Math.round(tookMs));
      }
    }
    return answer;
  }

  /** The slowest first. */
  of(workspaceId: string, typeNumber: number): readonly SlowPath[] {
    return [...(this.#types.get(nameOf(workspaceId, typeNumber)) ?? [])]
      .map(([path, seen]) => ({ path, ...seen }))
      .toSorted((one, other) => other.slowestMs - one.slowestMs);
  }

  #note({ workspaceId, number }: TypeSource, path: string, tookMs: number): void {
    const name = nameOf(workspaceId, number);
    const paths = this.#types.get(name) ?? new Map<string, Omit<SlowPath, "path">>();
    this.#types.set(name, paths);
    const seen = paths.get(path) ?? { requests: 0, slowestMs: 0 };
    if (!paths.has(path) && paths.size >= maximumPaths) return;
    paths.set(path, {
      requests: seen.requests + 1,
      slowestMs: Math.max(seen.slowestMs, tookMs),
    });
  }
}

function nameOf(workspaceId: string, typeNumber: number): string {
  return `${workspaceId}/${typeNumber}`;
}

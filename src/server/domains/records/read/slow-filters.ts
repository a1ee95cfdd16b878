import { RecentMap } from "../../../kit/recent-map.ts";
import { unservedPaths, type TypeSource } from "../store/read/list-plan.ts";
import type { SortKey } from "../store/read/sort.ts";
import type { Condition } from "../../../database/where/condition.ts";

/** A property that slow requests of a type filtered or sorted by without an index. */
export interface SlowPath {
  /** The declared property, dotted where it is inside another. */
  readonly path: string;
  readonly requests: number;
  readonly slowestMs: number;
}

/** Types in memory, of which the longest unused is removed first, and paths of each type. */
const maximumTypes = 1_000;
const maximumPaths = 50;

/** Slow filters and orders that need an index, for the index plan; in memory only. */
export class SlowFilters {
  readonly #types = new RecentMap<string, Map<string, Omit<SlowPath, "path">>>(maximumTypes);

  constructor(private readonly options: { readonly thresholdMs: number }) {}

  /** Reads records of a type, and notes the properties without an index when that is slow. */
  async watch<T>(
    type: TypeSource,
    selection: { readonly condition: Condition | undefined; readonly keys: readonly SortKey[] },
    read: () => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now();
    const result = await read();
    const tookMs = performance.now() - startedAt;
    if (tookMs >= this.options.thresholdMs) {
      for (const path of unservedPaths(type, selection.condition, selection.keys)) {
        this.#note(type, path, Math.round(tookMs));
      }
    }
    return result;
  }

  /** The slow paths of a type, the slowest first. */
  of(workspaceId: string, typeNumber: number): readonly SlowPath[] {
    return [...(this.#types.get(`${workspaceId}/${typeNumber}`) ?? [])]
      .map(([path, seen]) => ({ path, ...seen }))
      .toSorted((one, other) => other.slowestMs - one.slowestMs);
  }

  /** Forgets the types of a workspace that no longer exists. */
  forgetWorkspace(workspaceId: string): void {
    this.#types.deleteWhere((_paths, name) => name.startsWith(`${workspaceId}/`));
  }

  #note({ workspaceId, number }: TypeSource, path: string, tookMs: number): void {
    const name = `${workspaceId}/${number}`;
    const paths = this.#types.get(name) ?? new Map<string, Omit<SlowPath, "path">>();
    this.#types.set(name, paths);
    const { requests, slowestMs } = paths.get(path) ?? { requests: 0, slowestMs: 0 };
    if (!paths.has(path) && paths.size >= maximumPaths) return;
    paths.set(path, { requests: requests + 1, slowestMs: Math.max(slowestMs, tookMs) });
  }
}

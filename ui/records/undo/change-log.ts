import type { ObjectType, Resource } from "#client/index.ts";
import { recordName } from "../../kit/data-fields/record-columns.ts";
import { Part, usePart } from "../../kit/state/part.ts";
import { Store } from "../../kit/state/store.ts";
import { usePlatform, type Platform } from "../../shell/platform/use-platform.ts";

/** A write of one record by this dashboard. `made` is a record that was created or restored. */
export type RecordWrite = {
  readonly objectType: string;
  readonly id: string;
  readonly name: string;
} & (
  | {
      readonly kind: "made" | "changed";
      /** The version that the write made; the state before it is one version lower. */
      readonly version: number;
    }
  | { readonly kind: "deleted" }
);

/** The write that made this version of a record. */
export function writeOf(type: ObjectType, record: Resource, kind: "made" | "changed"): RecordWrite {
  const { id, version } = record;
  return { objectType: type.slug, id, name: recordName(record, type), kind, version };
}

/** A change by one key: its name, such as `decide 2 records`, and the records that it wrote. */
export interface Change {
  readonly words: string;
  readonly writes: readonly RecordWrite[];
}

/** The writes that are kept, of all changes of one workspace; the oldest changes are forgotten. */
const maximumWrites = 20_000;
const noChanges: readonly Change[] = [];

/** The last changes of each workspace, which can be undone. */
export class ChangeLog {
  /** The last change of the open workspace. */
  readonly last = new Store<Change | undefined>(undefined);
  readonly #changes = new Map<string, readonly Change[]>();
  readonly #owner: () => string;

  constructor(platform: Platform) {
    this.#owner = () => ownerOf(platform.state.get());
    platform.state.subscribe(() => this.#show());
  }

  add(owner: string, change: Change): void {
    if (change.writes.length === 0) return;
    const changes = [...(this.#changes.get(owner) ?? noChanges), change];
    const writes = () => changes.reduce((sum, { writes: { length } }) => sum + length, 0);
    while (changes.length > 1 && writes() > maximumWrites) changes.shift();
    this.#changes.set(owner, changes);
    this.#show();
  }

  /** Replaces a change by what is left of it; without writes it is forgotten. */
  keep(change: Change, left: readonly RecordWrite[]): void {
    for (const [owner, changes] of this.#changes) {
      const next = changes.flatMap((each) => {
        if (each !== change) return [each];
        return left.length === 0 ? [] : [{ ...each, writes: left }];
      });
      this.#changes.set(owner, next);
    }
    this.#show();
  }

  #show(): void {
    this.last.set(this.#changes.get(this.#owner())?.at(-1));
  }
}

function ownerOf({ session, tenantId }: ReturnType<Platform["state"]["get"]>): string {
  return JSON.stringify([session.baseUrl, session.user, tenantId]);
}

export const changeLogPart = new Part<ChangeLog>("log of changes");

/** Returns a function that notes a change of the workspace that is open now. */
export function useChangeLog(): (words: string, writes: readonly RecordWrite[]) => void {
  const log = usePart(changeLogPart);
  const owner = ownerOf(usePlatform());
  return (words, writes) => log.add(owner, { words, writes });
}

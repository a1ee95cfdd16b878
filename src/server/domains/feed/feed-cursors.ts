import { Refusal } from "#contract/problems.ts";
import type { Reader } from "../../database/database.ts";
import type { ChangeCount } from "../../kit/change-count.ts";
import { ListCursors } from "../../kit/lists/cursors.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import type { Secrets } from "../secrets/service.ts";
import type { FeedPosition, FeedReset, ResetReason } from "./feed-event.ts";
import { positionOf } from "./position.ts";
import { readEnd } from "./store.ts";

/**
 * Lists name a position of this age at most: an older one only repeats events. On SQLite it is also
 * read again after each commit of this platform, so that only another process makes it older.
 */
const keptMs = 500;
const keptCursors = 2_000;

interface KnownCursor {
  readonly cursor: string;
  readonly atMs: number;
  /** The commits before it was read. */
  readonly commits: number;
}

/** The end of the feed, and cursors for clients: a position, signed for one workspace. */
export class FeedCursors {
  readonly #cursors: ListCursors;
  readonly #signed = new RecentMap<string, { readonly position: string; readonly cursor: string }>(
    keptCursors,
  );
  readonly #known = new RecentMap<string, KnownCursor>(keptCursors);
  readonly #commits: Pick<ChangeCount, "value"> | undefined;

  /** `commits` counts those of this platform on SQLite; without it lists read each position. */
  constructor(secrets: Pick<Secrets, "for">, commits?: Pick<ChangeCount, "value">) {
    this.#cursors = new ListCursors(secrets.for("feed"));
    this.#commits = commits;
  }

  /** The position after all changes of the workspace that are committed. */
  end(read: Reader, workspaceId: string): Promisable<FeedPosition> {
    return chained(readEnd(read, workspaceId), ({ epoch, number, seen }) =>
      positionOf({ epoch, number, seen }),
    );
  }

  /** A cursor that was true before the call; it may be half a second old: see `keptMs`. */
  ofList(read: Reader, workspaceId: string): Promisable<string> {
    const commits = read.dialect === "sqlite" ? this.#commits?.value : 0;
    const atMs = performance.now();
    const known = this.#known.get(workspaceId);
    if (known !== undefined && known.commits === commits && atMs - known.atMs < keptMs) {
      return known.cursor;
    }
    return chained(this.end(read, workspaceId), (position) => {
      const cursor = this.write(workspaceId, position);
      if (commits !== undefined) this.#known.set(workspaceId, { cursor, atMs, commits });
      return cursor;
    });
  }

  write(workspaceId: string, position: FeedPosition): string {
    const kept = this.#signed.get(workspaceId);
    if (kept?.position === position) return kept.cursor;
    const cursor = this.sign(workspaceId, position);
    this.#signed.set(workspaceId, { position, cursor });
    return cursor;
  }

  /** A cursor that is not kept, such as that of one event. */
  sign(workspaceId: string, position: FeedPosition): string {
    return this.#cursors.sign(listOf(workspaceId), { page: 1, after: [position] });
  }

  /** Undefined for a text that is no cursor of this workspace. */
  read(workspaceId: string, cursor: string): FeedPosition | undefined {
    try {
      const { after } = this.#cursors.read(listOf(workspaceId), cursor, ["query"]);
      return typeof after === "number" ? undefined : String(after[0]);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }
}

function listOf(workspaceId: string): readonly string[] {
  return ["feed", workspaceId];
}

/** The lists that a reader of a workspace reads again after a reset. */
export function resourcesOf(workspaceId: string): string[] {
  return [
    `/v4/data/resources/${workspaceId}/{objectType}`,
    "/v4/data/documents/records",
    "/v4/data/resources/object-types",
    `/v4/platform/tenants/${workspaceId}/members`,
  ];
}

const reasons: Readonly<Record<ResetReason, string>> = {
  epoch: "the database was restored, or is another one",
  pruned: "changes after this cursor were removed after the time that they are kept",
  "unknown-cursor": "the text is not a cursor of this workspace",
};

/** 410 with the reason, the lists to read again, and the cursor to continue from. */
export function feedReset({ reset, resources }: FeedReset, cursor: string): Refusal {
  return new Refusal("feed-reset", {
    detail: `Cannot continue from this cursor: ${reasons[reset]}. Read the lists again, then follow from the new cursor`,
    members: { reason: reset, resources: [...resources], cursor },
  });
}

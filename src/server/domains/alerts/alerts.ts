import type { Alert } from "#contract/events/alerts.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import type { Reader } from "../../database/database.ts";
import type { Work } from "../../work/work.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import {
  acknowledgeAlert,
  alertById,
  alertsOf,
  countAlerts,
  neededReads,
  type AlertRecord,
} from "./alert-store.ts";
import { heldReads, mayRead, recipientOf } from "./reads.ts";
import { alertOf } from "./wire.ts";

interface Asking {
  readonly oid: string;
  readonly scope: WorkspaceScope;
}

/** The alerts of a workspace, as their recipients may read them now. */
export class AlertList {
  constructor(
    private readonly parts: {
      readonly objectTypes: Pick<ObjectTypeService, "find">;
      readonly cursors: ListCursors;
      readonly now: () => Date;
    },
  ) {}

  async list(
    { read }: Work,
    { oid, scope }: Asking,
    query: Pick<ListQuery, "page" | "limit" | "cursor" | "count"> & {
      readonly status?: "open" | "acknowledged" | undefined;
    },
  ): Promise<ListBody<Alert>> {
    const { id: workspaceId } = scope;
    const recipient = recipientOf(oid, scope);
    const pages = new ListPages(this.parts.cursors, [
      "alerts",
      workspaceId,
      oid,
      query.status ?? "",
    ]);
    const start = pages.start(query);
    const needed = await neededReads(read, workspaceId, recipient);
    const reads = await heldReads(this.parts.objectTypes, scope, needed);
    const wish = { workspaceId, recipient, status: query.status, reads };
    const page = { after: madeAt(start.after), limit: start.rows, offset: start.offset };
    const isEmpty = reads.length === 0;
    return pages.body(start, {
      rows: isEmpty ? [] : await alertsOf(read, { ...wish, ...page }),
      itemOf: alertOf,
      positionOf: (row) => [row.created_at, row.id],
      total: query.count === true ? (isEmpty ? 0 : await countAlerts(read, wish)) : undefined,
    });
  }

  async get({ read }: Work, asking: Asking, id: string): Promise<Alert> {
    return alertOf(await this.#require(read, asking, id));
  }

  /** The alert as the members with this role alone read it; undefined where they may not. */
  async forRole({ read }: Work, scope: WorkspaceScope, id: string): Promise<Alert | undefined> {
    try {
      return alertOf(await this.#require(read, { oid: "", scope }, id));
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  /** The first acknowledgement counts, also of callers at the same moment. */
  async acknowledge(work: Work, asking: Asking, id: string): Promise<Alert> {
    await this.#require(work.read, asking, id);
    return work.write(async (tx) => {
      const row = await this.#require(tx, asking, id);
      const at = this.parts.now().toISOString();
      if (await acknowledgeAlert(tx, row, { by: asking.oid, at })) {
        tx.event("alert", id, row.workspace_id, {
          op: "acknowledged",
          type: row.kind,
          ...(row.to_user === null ? {} : { participants: [row.to_user] }),
        });
      }
      tx.note({ target: { alertId: id } });
      const answer = alertOf(await this.#require(tx, asking, id));
      tx.remember(answer);
      return answer;
    });
  }

  /** The alert; 404 for one of other recipients, or about what the caller may not read. */
  async #require(reader: Reader, { oid, scope }: Asking, id: string): Promise<AlertRecord> {
    const row = await alertById(reader, scope.id, id, recipientOf(oid, scope));
    if (row !== undefined && (await mayRead(this.parts.objectTypes, scope, row.reads))) return row;
    throw new Refusal("not-found", { detail: "This workspace has no such alert for you" });
  }
}

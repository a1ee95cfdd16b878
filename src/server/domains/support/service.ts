import { Refusal } from "#contract/problems.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Writer } from "../../database/database.ts";
import { randomToken, tokenDigest } from "../secrets/service.ts";
import {
  deleteExpiredDrafts,
  eraseDrafts as erase,
  insertDraft,
  openDrafts,
  takeDraft,
} from "./store.ts";

const lifetimeMs = 30 * 60 * 1000;
const draftsPerUser = 20;
const cleaningIntervalMs = 10 * 60 * 1000;
const cleaningLimit = 1_000;

export interface CreatedDraft {
  readonly draftId: string;
  /** The token opens the draft once. */
  readonly token: string;
  /** The end of the draft (RFC 3339). */
  readonly expiresAt: string;
}

/** Reports that wait for their page, at most 30 minutes. */
export class SupportDrafts {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly now: () => Date;
      readonly lifetime: Lifetime;
    },
  ) {
    parts.lifetime.every(cleaningIntervalMs, "support-cleaning-failed", () => this.clean());
  }

  /** Refuses 429 for a user with 20 open drafts. */
  async create(
    work: Work,
    draft: {
      readonly oid: string;
      readonly bundle: string;
      /** The draft is removed with its workspace. */
      readonly workspaceId: string | undefined;
      readonly organisationLocation: string | undefined;
    },
  ): Promise<CreatedDraft> {
    const now = this.parts.now();
    const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString();
    const created = { draftId: Bun.randomUUIDv7(), token: randomToken(), expiresAt };
    await work.write(async (tx) => {
      if ((await openDrafts(tx, draft.oid, now.toISOString())) >= draftsPerUser) {
        throw new Refusal("rate-limited", {
          detail: `You have ${draftsPerUser} open drafts: open one, or wait until one expires`,
          headers: { "retry-after": "60" },
        });
      }
      await insertDraft(tx, {
        id: created.draftId,
        token_hash: tokenDigest(created.token),
        oid: draft.oid,
        about_workspace: draft.workspaceId ?? null,
        organisation_location: draft.organisationLocation ?? null,
        bundle: draft.bundle,
        created_at: now.toISOString(),
        expires_at: expiresAt,
      });
    });
    return created;
  }

  /** The report of a draft, once. Refuses 404 for a wrong, used or expired token alike. */
  async open(work: Work, id: string, token: string): Promise<string> {
    const key = { id, tokenHash: tokenDigest(token), now: this.parts.now().toISOString() };
    const row = await work.write((tx) => takeDraft(tx, key));
    if (row !== undefined) return row.bundle;
    throw new Refusal("not-found", {
      detail: "This draft does not exist, was opened before or has expired",
    });
  }

  async clean(): Promise<void> {
    const now = this.parts.now().toISOString();
    const work = this.parts.platformWork("expired drafts");
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await work.write((tx) => deleteExpiredDrafts(tx, now, cleaningLimit));
    }
  }
}

/** Removes at most `limit` drafts about a workspace; returns their number. */
export function eraseDrafts(writer: Writer, workspaceId: string, limit: number): Promise<number> {
  return erase(writer, workspaceId, limit);
}

import type { BlobStore } from "../files/blob-store.ts";
import type { Database } from "../database/database.ts";
import type { BlobRemovals } from "../files/blob-removals.ts";
import type { Secrets } from "./secrets/service.ts";
import type { AddressRules } from "../kit/outbound/checked-address.ts";
import type { Changes } from "../kit/changes.ts";
import type { Lifetime } from "../kit/lifetime.ts";
import type { AnswerBudget } from "../kit/answer-budget.ts";
import type { Limits } from "../kit/limits.ts";
import type { Logger } from "../kit/logger.ts";
import type { Models } from "../models/models.ts";
import type { Room } from "../files/disk-space.ts";
import type { ChangeFeed } from "../work/change-feed.ts";
import type { PlatformWork, Works } from "../work/works.ts";

/** The parts that platform passes to the services of the domains. */
export interface PlatformBase {
  /** Work that belongs to no request, over the rows of all workspaces; the reason names it. */
  readonly platformWork: PlatformWork;
  /** Writes of one kind, in few transactions and statements. */
  readonly merged: Works["merged"];
  /** Reports the changes of all platforms on the database. */
  readonly feed: ChangeFeed;
  /** The state of the database; its rows are read and written by a work only. */
  readonly database: Pick<
    Database,
    "dialect" | "risks" | "isPooled" | "unsecured" | "writeFailure" | "emptyLog" | "load"
  >;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly blobs: BlobStore;
  /** Says if the last write found disk space. */
  readonly room: { readonly database: Room; readonly files: Room };
  readonly removals: BlobRemovals;
  readonly dataDirectory: string;
  /** This process as the owner of jobs and purges, and the process before it. */
  readonly worker: { readonly id: string; readonly earlierId: string | undefined };
  readonly blobProvider: "disk" | "s3";
  /** Program and arguments of the text extraction process. */
  readonly extractionCommand: readonly string[];
  /** Folder of further languages for the text in pictures. */
  readonly ocrFolder?: string | undefined;
  /** Hosts that `classify-by-url` may fetch from although their address is not public. */
  readonly fetchHosts: readonly string[];
  /** The rules for the addresses of webhook endpoints. */
  readonly webhookAddress: AddressRules;
  /** Counts of changes, which other threads follow. */
  readonly changes: Changes;
  readonly limits: Limits;
  /** The configured language models; none by default. */
  readonly models: Models;
  /** The bytes of all answers under way. */
  readonly answers: AnswerBudget;
  readonly lifetime: Lifetime;
  /** Signing keys, one for each purpose. */
  readonly secrets: Secrets;
}

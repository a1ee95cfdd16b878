import { createHmac } from "node:crypto";
import { catalogError } from "#contract/errors.ts";
import type { SealState } from "#contract/workspaces/audit.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, raw, statement } from "../../database/statement.ts";
import type { Logger } from "../../kit/logger.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Work } from "../../work/work.ts";
import { keepText, keptText, type Secrets } from "../secrets/service.ts";
import { erasedDigest } from "#lib/audit-chain.ts";
import type { AuditEntry } from "#contract/workspaces/audit.ts";
import { erasedIn, type ErasedEntries } from "./erased-entries.ts";
import { entryOf } from "./listed-entry.ts";
import { headOf, type AuditRow, type HeadRow, type Removed } from "./store.ts";

interface SealRow {
  readonly workspace_id: string;
  readonly sequence: number;
  readonly digest: string;
  readonly removed_sequence: number;
  readonly removed_digest: string;
  /** The time of the last removed entry, and the time before which the retention removed. */
  readonly removed_at: string | null;
  readonly removed_before: string | null;
  readonly sealed_at: string;
  readonly signature: string;
}

export interface CheckedSeal {
  readonly state: SealState;
  readonly removedAt: string | null;
  readonly removedBefore: string | null;
}

/** The secret that says since when logs have seals: an older log then has none by itself. */
const beginning = "audit seals";
/** The secret's text until all logs have their first seal, and the end of its text after that. */
const isBeginning = "sealing";
const coversEmpty = " all";
const logsAtOnce = 100;
/**
 * A workspace has a seal from its creation on. One that an earlier svc makes on the same database
 * gets it within this time.
 */
const firstSealMs = 60 * 1000;

/**
 * Signs the end of each log with a key that is not in the database, within seconds of its entries
 * and with each removal. A log that was cut or written again no longer fits its seal, and the
 * platform never seals such a log.
 */
export class AuditSeals {
  readonly #work: Work;
  readonly #key: Uint8Array;
  readonly #altered = new Set<string>();

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly secrets: Secrets;
      readonly now: () => Date;
      readonly logger: Logger;
    },
  ) {
    this.#work = parts.platformWork("seals of the logs of all workspaces");
    this.#key = parts.secrets.for("audit seals");
  }

  /** The first start with seals trusts all logs as they are. */
  async begin(): Promise<void> {
    const state = await this.#beginning(this.#work.read);
    if (state?.endsWith(coversEmpty) === true) return;
    // Seals without this secret mean that it was removed: those logs have their seals already.
    const isFirst = state !== undefined || !(await hasSeals(this.#work.read));
    const at = this.parts.now().toISOString();
    const since = state === undefined || state === isBeginning ? at : state;
    if (isFirst) {
      if (state === undefined) await this.#keepBeginning(isBeginning, at);
      await this.sealAll({ trustsAll: true });
    }
    await this.#keepBeginning(`${since}${coversEmpty}`, at);
  }

  /** The time since which the platform seals its logs; null before the first start with seals. */
  async since(reader: Reader): Promise<string | null> {
    const [at = ""] = ((await this.#beginning(reader)) ?? "").split(" ");
    return at === "" || at === isBeginning ? null : at;
  }

  /** Throws E006 for a text that another key has sealed. */
  async #beginning(reader: Reader): Promise<string | undefined> {
    const stored = await keptText(reader, beginning);
    if (stored === undefined) return undefined;
    const text = this.parts.secrets.unsealed(beginning, stored);
    if (text !== undefined) return text;
    throw catalogError(
      "E006",
      { details: "cannot check the audit logs: the stored secret of their seals was changed" },
      { hint: "Restore a backup with `svc serve restore`, and find out who changed the database" },
    );
  }

  async #keepBeginning(text: string, at: string): Promise<void> {
    const sealed = this.parts.secrets.seal(beginning, text);
    await this.#work.write((tx) => keepText(tx, beginning, sealed, at));
  }

  /** Seals every log that has new entries, and the empty ones of new workspaces. */
  async sealAll({ trustsAll = false } = {}): Promise<void> {
    const born = new Date(this.parts.now().getTime() - firstSealMs).toISOString();
    const isBorn = trustsAll ? raw("true") : statement`log.created_at > ${born}`;
    for (let last: string | undefined; ;) {
      const isNext = last === undefined ? raw("true") : statement`log.id > ${last}`;
      const rows = await this.#work.read.all<{ id: string }>(statement`
        select log.id from (select id, created_at from workspaces where purge_id is null
            union all select '', '') as log
          left join audit_heads as head on head.workspace_id = log.id
          left join audit_seals as seal on seal.workspace_id = log.id
        where ${isNext} and case when head.sequence is null
          then seal.sequence is null and ${isBorn}
          else seal.sequence is null or seal.sequence < head.sequence end
        order by log.id limit ${logsAtOnce}`);
      for (const { id } of rows) await this.sealNow(id, { trustsAll });
      if (rows.length < logsAtOnce) return;
      last = rows.at(-1)?.id;
    }
  }

  async sealNow(workspaceId: string, { trustsAll = false } = {}): Promise<void> {
    await this.#work.write(async (tx) => {
      if (await this.maySeal(tx, workspaceId, { trustsAll })) await this.seal(tx, workspaceId);
    });
  }

  /** True if the log still fits its seal, or its workspace is so new that it has none. */
  async maySeal(writer: Writer, workspaceId: string, { trustsAll = false } = {}): Promise<boolean> {
    const head = await headOf(writer, workspaceId);
    const { state } = await this.check(writer, head);
    if (state === "valid") return true;
    if (state === "missing" && (trustsAll || (await this.#isNew(writer, head)))) return true;
    if (!this.#altered.has(workspaceId)) {
      this.#altered.add(workspaceId);
      this.parts.logger.error({ event: "audit-log-altered", workspaceId, seal: state });
    }
    return false;
  }

  /** Signs the log as it is; `removed` is what the same transaction has removed. */
  async seal(writer: Writer, workspaceId: string, removed?: Removed): Promise<void> {
    const head = await headOf(writer, workspaceId);
    const before = await sealOf(writer, workspaceId);
    const unsigned = {
      ...head,
      removed_at: removed?.at ?? before?.removed_at ?? (await this.#oldRemoval(writer, head)),
      removed_before: removed?.before ?? before?.removed_before ?? null,
      sealed_at: this.parts.now().toISOString(),
    };
    const row: SealRow = { ...unsigned, signature: this.#signatureOf(unsigned) };
    await writer.run(statement`delete from audit_seals where workspace_id = ${workspaceId}`);
    await writer.run(insertInto("audit_seals", row));
  }

  async check(reader: Reader, head: HeadRow): Promise<CheckedSeal> {
    const row = await sealOf(reader, head.workspace_id);
    if (row === undefined) {
      const isEmpty = head.sequence === 0 && (await this.#isNew(reader, head));
      return { state: isEmpty ? "valid" : "missing", removedAt: null, removedBefore: null };
    }
    const isSigned = row.signature === this.#signatureOf(row);
    const fits = isSigned && sameRemoval(row, head) && (await isEndIn(reader, row, head));
    return {
      state: fits ? "valid" : "altered",
      removedAt: isSigned ? row.removed_at : null,
      removedBefore: isSigned ? row.removed_before : null,
    };
  }

  /** The time of a removal before the first seal: that of the first entry that is left. */
  async #oldRemoval(reader: Reader, head: HeadRow): Promise<string | null> {
    if (head.removed_sequence === 0) return null;
    return (
      (await timeOf(reader, head.workspace_id, head.removed_sequence + 1)) ??
      this.parts.now().toISOString()
    );
  }

  /** True for a whole log of a new workspace, which may have no seal yet. */
  async #isNew(
    reader: Reader,
    { workspace_id: workspaceId, sequence, removed_sequence: removed }: HeadRow,
  ): Promise<boolean> {
    if (removed > 0) return false;
    if (sequence > 0 && (await timeOf(reader, workspaceId, 1)) === undefined) return false;
    const row = await reader.first<{ created_at: string }>(statement`
      select created_at from workspaces where id = ${workspaceId} and purge_id is null`);
    const bornMs = Date.parse(row?.created_at ?? "");
    return this.parts.now().getTime() - bornMs < firstSealMs;
  }

  /** The erased entries as their entry names them, with a signature. */
  signed(workspaceId: string, erased: readonly AuditRow[]): ErasedEntries {
    const erasedEntries = erased.map(({ sequence }) => sequence);
    const erasedDigests = erased.map((row) => erasedDigest(entryOf(row)));
    const named = { erasedEntries, erasedDigests };
    return { ...named, signature: this.#erasureSignature(workspaceId, named) };
  }

  /** An entry as clients and exports have it; that of an erasure has the state of its signature. */
  listed(row: AuditRow): AuditEntry {
    const named = erasedIn(row);
    if (named === undefined) return entryOf(row);
    const isSigned = named.signature === this.#erasureSignature(row.workspace_id, named);
    return { ...entryOf(row), seal: isSigned ? "valid" : "altered" };
  }

  #erasureSignature(workspaceId: string, named: Partial<ErasedEntries>): string {
    const { erasedEntries = null, erasedDigests = null } = named;
    return this.#hmac(["erasure", workspaceId, erasedEntries, erasedDigests]);
  }

  #signatureOf(row: Omit<SealRow, "signature">): string {
    const { workspace_id: id, sequence, digest, removed_sequence, removed_digest } = row;
    const signed = [id, sequence, digest, removed_sequence, removed_digest];
    const times = [row.removed_at, row.removed_before, row.sealed_at];
    return this.#hmac([...signed, ...times]);
  }

  #hmac(signed: readonly unknown[]): string {
    return createHmac("sha256", this.#key).update(JSON.stringify(signed)).digest("base64url");
  }
}

function sameRemoval(row: SealRow, head: HeadRow): boolean {
  return (
    row.removed_sequence === head.removed_sequence && row.removed_digest === head.removed_digest
  );
}

/** True if the signed end is still an entry of the log, or the last removed one. */
async function isEndIn(reader: Reader, row: SealRow, head: HeadRow): Promise<boolean> {
  if (row.sequence === head.removed_sequence) return row.digest === head.removed_digest;
  if (row.sequence === head.sequence && row.digest !== head.digest) return false;
  const entry = await reader.first<{ digest: string }>(statement`select digest from audit_entries
    where workspace_id = ${row.workspace_id} and sequence = ${row.sequence}`);
  return entry?.digest === row.digest && row.sequence <= head.sequence;
}

async function hasSeals(reader: Reader): Promise<boolean> {
  const row = await reader.first(raw("select 1 as found from audit_seals limit 1"));
  return row !== undefined;
}

async function timeOf(
  reader: Reader,
  workspaceId: string,
  sequence: number,
): Promise<string | undefined> {
  const row = await reader.first<{ at: string }>(statement`select at from audit_entries
    where workspace_id = ${workspaceId} and sequence = ${sequence}`);
  return row?.at;
}

async function sealOf(reader: Reader, workspaceId: string): Promise<SealRow | undefined> {
  const row = await reader.first<SealRow>(
    statement`select * from audit_seals where workspace_id = ${workspaceId}`,
  );
  if (row === undefined) return undefined;
  const [sequence, removed] = [Number(row.sequence), Number(row.removed_sequence)];
  return { ...row, sequence, removed_sequence: removed };
}

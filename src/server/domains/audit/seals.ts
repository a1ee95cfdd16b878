import { createHmac } from "node:crypto";
import type { SealState } from "#contract/workspaces/audit.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { insertInto, raw, statement } from "../../database/statement.ts";
import type { Logger } from "../../kit/logger.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Work } from "../../work/work.ts";
import { keepText, keptText, type Secrets } from "../secrets/service.ts";
import { headOf, type HeadRow, type Removed } from "./store.ts";

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
const logsAtOnce = 100;
/** A log that begins later than this before its first seal was not made by this platform. */
const firstSealMs = 60 * 60 * 1000;

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
    const { secrets } = this.parts;
    const stored = await keptText(this.#work.read, beginning);
    if (stored !== undefined) {
      // Throws for a text that another key has sealed.
      secrets.unseal(beginning, stored);
      return;
    }
    await this.sealAll({ trustsAll: true });
    const at = this.parts.now().toISOString();
    await this.#work.write((tx) => keepText(tx, beginning, secrets.seal(beginning, at), at));
  }

  /** Seals every log that has new entries. */
  async sealAll({ trustsAll = false } = {}): Promise<void> {
    for (let last: string | undefined; ;) {
      const isNext = last === undefined ? raw("1 = 1") : statement`head.workspace_id > ${last}`;
      const rows = await this.#work.read.all<{ workspace_id: string }>(statement`
        select head.workspace_id from audit_heads as head left join audit_seals as seal
          on seal.workspace_id = head.workspace_id
        where (seal.sequence is null or seal.sequence < head.sequence)
          and ${isNext}
        order by head.workspace_id limit ${logsAtOnce}`);
      for (const { workspace_id: id } of rows) await this.sealNow(id, { trustsAll });
      if (rows.length < logsAtOnce) return;
      last = rows.at(-1)?.workspace_id;
    }
  }

  async sealNow(workspaceId: string, { trustsAll = false } = {}): Promise<void> {
    await this.#work.write(async (tx) => {
      if (await this.maySeal(tx, workspaceId, { trustsAll })) await this.seal(tx, workspaceId);
    });
  }

  /** True if the log still fits its seal, or is so new that it has none. */
  async maySeal(writer: Writer, workspaceId: string, { trustsAll = false } = {}): Promise<boolean> {
    const { state } = await this.check(writer, await headOf(writer, workspaceId));
    if (state === "valid") return true;
    if (state === "missing" && (trustsAll || (await this.#isNew(writer, workspaceId)))) return true;
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
      const state = head.sequence === 0 ? "valid" : "missing";
      return { state, removedAt: null, removedBefore: null };
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

  async #isNew(reader: Reader, workspaceId: string): Promise<boolean> {
    const at = await timeOf(reader, workspaceId, 1);
    return at !== undefined && this.parts.now().getTime() - Date.parse(at) < firstSealMs;
  }

  #signatureOf(row: Omit<SealRow, "signature">): string {
    const { workspace_id: id, sequence, digest, removed_sequence, removed_digest } = row;
    const signed = [id, sequence, digest, removed_sequence, removed_digest];
    const times = [row.removed_at, row.removed_before, row.sealed_at];
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([...signed, ...times]))
      .digest("base64url");
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

import * as z from "zod";
import { checkValue } from "#contract/object-types/record.ts";
import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { textOf } from "../record.ts";
import type { ArchivedVersion } from "../store/write/revive-records.ts";
import { checkedKeeping, isMember } from "../write/merged-data.ts";
import { PatternTests } from "../write/pattern-tests.ts";

/** A record of an archive, with its history. */
export interface ArchivedRecord {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly updated_by: string;
  readonly data: JsonObject;
  readonly history: readonly ArchivedVersion[];
}

/** A record that an archive has and that its type does not allow. */
export interface RefusedRecord {
  readonly id: string;
  readonly reason: string;
}

const base = ["data"] as const;
const reasonsAtMost = 5;

const fileValue = z.strictObject({
  filename: z.string().min(1).max(255),
  contentType: z.string().min(1).max(255),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 digest"),
});

/**
 * The records whose data their type allows, and the others with the reason. Files are those of the
 * archive, and values whose property the type no longer has stay as they were.
 */
export async function checkedArchived(
  type: CompiledType,
  records: readonly ArchivedRecord[],
): Promise<{ readonly valid: ArchivedRecord[]; readonly refused: RefusedRecord[] }> {
  const ticks = new TickShare(type.workspaceId);
  const valid: ArchivedRecord[] = [];
  const refused: RefusedRecord[] = [];
  for (const record of records) {
    await ticks.yieldWhenUsed();
    try {
      valid.push({ ...record, data: await checkedData(type, record.data) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ id: record.id, reason: reasonOf(error) });
    }
  }
  return { valid, refused };
}

async function checkedData(type: CompiledType, stored: JsonObject): Promise<JsonObject> {
  const tests = new PatternTests(type.workspaceId);
  const options = { isCreation: false, base, stored, patterns: tests.budget };
  const checked = checkedKeeping(type, stored, options);
  await tests.run();
  const former = Object.entries(stored).filter(([name]) => !isMember(type, name));
  const faults = [
    ...checked.faults,
    ...fileFaults(type, stored),
    ...checkValue({ type: "object" }, Object.fromEntries(former), base),
  ];
  textOf({ ...checked, faults }, base);
  return checked.data;
}

function fileFaults({ properties }: CompiledType, stored: JsonObject): Fault[] {
  return Object.entries(properties).flatMap(([name, { type }]): Fault[] => {
    const value = type === "file" ? ownMember(stored, name) : undefined;
    if (value === undefined || value === null || fileValue.safeParse(value).success) return [];
    return [{ pointer: pointer(...base, name), detail: "is not the description of a file" }];
  });
}

function reasonOf({ message, options: { errors = [] } }: Refusal): string {
  if (errors.length === 0) return message;
  const shown = errors.slice(0, reasonsAtMost).map((each) => `${each.pointer} ${each.detail}`);
  return shown.join("; ");
}

import { AnswerBudget } from "#server/kit/answer-budget.ts";
import { defaultLimits } from "#server/kit/limits.ts";
import type { ObjectType, ObjectTypeCreation } from "#contract/object-types/object-types.ts";
import { objectTypeCreation } from "#contract/object-types/object-types.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { Principal } from "#server/work/caller.ts";
import { ListCursors } from "#server/kit/lists/cursors.ts";
import { ObjectTypeService } from "#server/domains/object-types/service.ts";
import { IndexMaintenance } from "#server/domains/records/indexes/index-maintenance.ts";
import { SearchWords } from "#server/search-index/word-list.ts";
import { SlowFilters } from "#server/domains/records/read/slow-filters.ts";
import { ResourceService, type MadeRecord } from "#server/domains/records/service.ts";
import type { Database } from "#server/database/database.ts";
import type { Work } from "#server/work/work.ts";
import type * as z from "zod";
import { wholeOf, type WholeDatabase } from "./databases.ts";
import { testWorks } from "./work.ts";

/** The services of Object Types and records over one database, with no platform around them. */
export interface RecordServices {
  readonly database: WholeDatabase;
  /** Work over all workspaces in the name of {@link testPrincipal}. */
  readonly work: Work;
  readonly objectTypes: ObjectTypeService;
  readonly indexes: IndexMaintenance;
  readonly resources: ResourceService;
  /** Errors of background work; empty in a sound test. */
  readonly errors: unknown[];
}

export const testPrincipal: Principal = {
  oid: "0190a000-0000-7000-8000-00000000000a",
  email: "writer@example.org",
  displayName: "Writer",
  systemAdmin: false,
};

/** A workspace that no other test writes to. */
export function newWorkspace(): string {
  return Bun.randomUUIDv7();
}

export function recordServices(database: Database, now?: () => Date): RecordServices {
  const errors: unknown[] = [];
  const clock = now ?? (() => new Date());
  const { works, work, feed } = testWorks(database);
  const platformWork = works.forPlatform;
  const words = new SearchWords(platformWork);
  const indexes = new IndexMaintenance({
    platformWork,
    words,
    logger: { info: () => {}, warn: () => {}, error: (event) => void errors.push(event) },
    now: clock,
  });
  const objectTypes = new ObjectTypeService({
    platformWork,
    feed,
    now: clock,
    records: indexes,
    cursors: new ListCursors(new Uint8Array(32).fill(1)),
  });
  const resources = new ResourceService({
    merged: works.merged,
    ids: database.ids,
    objectTypes,
    words,
    now: clock,
    cursors: new ListCursors(new Uint8Array(32).fill(2)),
    slowFilters: new SlowFilters({ thresholdMs: Number.POSITIVE_INFINITY }),
    answers: new AnswerBudget(defaultLimits.answerBytes),
    trashDays: defaultLimits.trashDays,
    onFilesReleased: () => {},
  });
  const own = work.onBehalfOf(testPrincipal.oid);
  return { database: wholeOf(database), work: own, objectTypes, indexes, resources, errors };
}

/** The services over a database, and a new workspace that has this type. */
export async function typedWorkspace(
  database: Database,
  creation: ObjectTypeCreation,
  now?: () => Date,
): Promise<RecordServices & { readonly workspace: string; readonly type: ObjectType }> {
  const services = recordServices(database, now);
  const workspace = newWorkspace();
  const type = await services.objectTypes.create(services.work, workspace, creation);
  return { ...services, workspace, type };
}

/** A definition as a client may write it, with what the contract fills in. */
export function definition(
  given: Partial<z.input<typeof objectTypeCreation>> & {
    properties: ObjectTypeCreation["properties"];
  },
): ObjectTypeCreation {
  return objectTypeCreation.parse({ name: "Thing", slug: "thing", ...given });
}

/** A created record as its caller receives it. */
export function resourceIn({ text }: MadeRecord): Resource {
  return JSON.parse(text) as Resource;
}

import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { DocumentLifecycle } from "#contract/documents/lifecycles.ts";
import type { UploadFields } from "#contract/documents/upload.ts";
import { resolveUploadScope } from "#server/domains/documents/upload/upload-scope.ts";
import type { FoundRecord, RecordLookup } from "#server/domains/records/service.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { testWorks } from "#test/support/work.ts";

const path = join(await temporaryDirectory("scope"), "svc.db");
const database = await openPlatformDatabase({ url: `sqlite:${path}` });
const { work } = testWorks(database);

afterAll(() => database.close());

const workspace = "0192f000-0000-7000-8000-000000000001";
const planning = { planning_application_id: "0192f000-0000-7000-8000-00000000aaaa" };
const business = { business_request_id: "0192f000-0000-7000-8000-00000000bbbb" };
const ofCase = { ...planning, assess_case_id: "0192f000-0000-7000-8000-00000000cccc" };

interface Saved {
  readonly key: string;
  readonly lifecycle?: string;
  readonly status?: string;
}

/** The lifecycle of an upload to a workspace with these bindings, oldest first. */
async function lifecycleOf(
  context: Partial<UploadFields>,
  bindings: readonly Saved[],
  parentData: FoundRecord["data"] = {},
): Promise<DocumentLifecycle> {
  const records: RecordLookup = {
    findRecord: async (_work, _workspace, type, id) =>
      type === "assess-case"
        ? { id, data: { application: planning.planning_application_id } }
        : { id, data: parentData },
    findRecords: async (_work, _workspace, _type, where) =>
      bindings
        .map(({ key, lifecycle, status = "active" }) => ({
          id: key,
          data: {
            vertical_key: "portal",
            workflow_key: key,
            status,
            config: lifecycle === undefined ? {} : { documentLifecycle: lifecycle },
          },
        }))
        .filter(({ data }) =>
          Object.entries(where).every(([name, value]) => Object(data)[name] === value),
        ),
  };
  const fields: UploadFields = {
    tenant_id: workspace,
    storage_target: "resourceapi",
    processing_mode: "store_only",
    ...context,
  };
  return (await resolveUploadScope(work, records, workspace, fields)).lifecycle;
}

const assist = { key: "assist", lifecycle: "planning-assist-v1" };
const assess = { key: "assess", lifecycle: "planning-assess-v1" };
const trade = { key: "trade", lifecycle: "business-document-v1" };

describe("the lifecycle of a context without keys", () => {
  test.each<[string, Partial<UploadFields>, readonly Saved[], DocumentLifecycle]>([
    ["the only planning binding", planning, [assess], "planning-assess-v1"],
    ["the only planning binding, also for a case", ofCase, [trade, assist], "planning-assist-v1"],
    ["the binding of its kind among several", planning, [trade, assess, assist], assist.lifecycle],
    ["the binding of its kind, for a case", ofCase, [assist, assess], "planning-assess-v1"],
    ["another binding, where none is for planning", planning, [trade], "business-document-v1"],
    ["a business binding", business, [assist, trade], "business-document-v1"],
    ["its kind, where only planning is bound", business, [assist], "business-document-v1"],
    ["its kind, where nothing is bound", planning, [], "planning-assist-v1"],
    ["its kind, next to a draft", planning, [{ ...assess, status: "draft" }], assist.lifecycle],
    [
      "its kind, next to an unknown one",
      planning,
      [{ key: "odd", lifecycle: "planning-assist-v9" }],
      "planning-assist-v1",
    ],
  ] as [string, Partial<UploadFields>, readonly Saved[], DocumentLifecycle][])(
    "is that of %s",
    async (_name, context, bindings, lifecycle) => {
      expect(await lifecycleOf(context, bindings)).toBe(lifecycle);
    },
  );

  test("is that of the binding which the parent record names", async () => {
    const named = { vertical_key: "portal", workflow_key: "assess" };
    expect(await lifecycleOf(business, [trade, assess], named)).toBe("planning-assess-v1");
    expect(await lifecycleOf(planning, [assist, trade], { ...named, workflow_key: "trade" })).toBe(
      "business-document-v1",
    );
  });

  test("is that of the named binding, where keys are given", async () => {
    const keys = { vertical_key: "portal", workflow_key: "trade" };
    expect(await lifecycleOf({ ...planning, ...keys }, [assist, trade])).toBe(
      "business-document-v1",
    );
  });
});

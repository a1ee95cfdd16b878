import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { UploadFields } from "#contract/documents/upload.ts";
import { DocumentUploads } from "#server/domains/documents/upload/uploads.ts";
import { documentsOfJob } from "#server/domains/documents/store/documents.ts";
import { documentJobKind } from "#server/domains/documents/document-job.ts";
import { countJobs } from "#server/domains/documents/store/document-jobs.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";
import {
  ada,
  application,
  assessCase,
  businessRequest,
  createWorld,
  licensing,
  planning,
  recordLookup,
  upload,
  uploadFields,
  workOf,
} from "../world.ts";
import type { World } from "../world.ts";
import { testWorks } from "#test/support/work.ts";

const file = (content = "hello", filename = "a.txt") => ({ filename, content });
const idle = { isWorking: false };

/** Paths below the data directory, without what a store is made of. */
async function filesOf({ dataDirectory }: World): Promise<string[]> {
  const entries = await readdir(dataDirectory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function jobsOf({ database }: World, workspaceId = planning): Promise<number> {
  return countJobs(database.read, { workspaceId, kind: documentJobKind });
}

/** The facts that an upload's answer has of each file. */
function bytesOf(text: string): { readonly size: number; readonly sha256: string } {
  const sha256 = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  return { size: text.length, sha256 };
}

describeInTurn("accepting an upload", (open) => {
  test("creates documents with numbers and one job for all files", async () => {
    const world = await createWorld(await open(), idle);
    const accepted = await upload(
      world,
      [file("one", "one.txt"), { filename: "two.pdf", content: "two", contentType: "image/png" }],
      { category: "plans", correlation_id: "c-1" },
    );
    const year = new Date().getUTCFullYear();
    expect(accepted).toEqual({
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      documentId: accepted.documents?.[0]?.documentId,
      documentNumber: `DOC-${year}-000001`,
      documents: [
        {
          documentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          documentNumber: `DOC-${year}-000001`,
          filename: "one.txt",
          ...bytesOf("one"),
        },
        {
          documentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          documentNumber: `DOC-${year}-000002`,
          filename: "two.pdf",
          ...bytesOf("two"),
        },
      ],
      status: "queued",
    });
    const [one, two] = await documentsOfJob(world.database.read, planning, accepted.jobId);
    expect(one).toMatchObject({ mediaType: "text/plain", metadata: { category: "plans" } });
    expect(two).toMatchObject({ mediaType: "image/png", createdBy: ada });
    expect(await filesOf(world)).toHaveLength(2);
  });

  test("the same bytes in the same scope are the first document, and are not processed again", async () => {
    const world = await createWorld(await open(), idle);
    const first = await upload(world, file());
    const again = await upload(world, file("hello", "renamed.txt"));
    expect(again).toEqual({
      jobId: first.jobId,
      documentId: first.documentId,
      documentNumber: first.documentNumber,
      documents: [
        {
          documentId: first.documentId,
          documentNumber: first.documentNumber,
          filename: "renamed.txt",
          ...bytesOf("hello"),
          duplicateOf: first.documentId,
        },
      ],
      status: "queued",
      duplicateOf: first.documentId,
    });
    expect(await jobsOf(world)).toBe(1);
  });

  test.each<[string, Partial<UploadFields>]>([
    ["another mode", { processing_mode: "store_only" }],
    ["another context", { vertical_key: "planning-portal", workflow_key: "planning-assistant" }],
    ["a case besides", { assess_case_id: assessCase }],
  ])("the same bytes in %s are another document", async (_what, fields) => {
    const world = await createWorld(await open(), idle);
    const first = await upload(world, file());
    const other = await upload(world, file(), fields);
    expect(other.duplicateOf).toBeUndefined();
    expect(other.documentId).not.toBe(first.documentId);
    expect(await filesOf(world)).toHaveLength(1);
  });

  test("a file that is given twice in one form is one document", async () => {
    const world = await createWorld(await open(), idle);
    const accepted = await upload(world, [file(), file("other"), file("hello", "copy.txt")]);
    expect(accepted.documents?.map(({ duplicateOf }) => duplicateOf)).toEqual([
      undefined,
      undefined,
      accepted.documentId,
    ]);
    expect(accepted.duplicateOf).toBeUndefined();
    expect(await documentsOfJob(world.database.read, planning, accepted.jobId)).toHaveLength(2);
  });

  test("only the new files of a form are processed", async () => {
    const world = await createWorld(await open(), idle);
    const first = await upload(world, file());
    const mixed = await upload(world, [file(), file("new", "new.txt")]);
    expect(mixed.jobId).not.toBe(first.jobId);
    expect(mixed.documentId).toBe(mixed.documents?.[1]?.documentId);
    expect(mixed.documents?.[0]?.duplicateOf).toBe(first.documentId);
    expect(await documentsOfJob(world.database.read, planning, mixed.jobId)).toHaveLength(1);
  });

  test("twenty equal concurrent uploads create one document", async () => {
    const world = await createWorld(await open(), idle);
    const all = await Promise.all(Array.from({ length: 20 }, () => upload(world, file())));
    expect(new Set(all.map(({ documentId }) => documentId)).size).toBe(1);
    expect(all.filter(({ duplicateOf }) => duplicateOf === undefined)).toHaveLength(1);
    expect(await jobsOf(world)).toBe(1);
    expect(await readdir(join(world.dataDirectory, "staging"))).toEqual([]);
  });

  test("an aborted upload leaves nothing", async () => {
    const world = await createWorld(await open(), idle);
    const begun = await world.documents.uploads.begin(world.work, planning, uploadFields());
    const part = { filename: "a", mediaType: "text/plain" };
    const { signal } = new AbortController();
    await begun.take({ ...part, content: pieces("whole") }, signal);
    await expect(begun.take({ ...part, content: breaking() }, signal)).rejects.toThrow("cut");
    await begun.discard();
    expect(await filesOf(world)).toEqual([]);
    expect(await jobsOf(world)).toBe(0);
  });

  test("files are removed when their documents cannot be created", async () => {
    const database = await open();
    const failing: WholeDatabase = {
      ...database,
      in: (scope) => {
        const { read, scan, snapshot } = database.in(scope);
        const write = () => Promise.reject(new Error("the database is away"));
        return { read, scan, write, snapshot };
      },
    };
    const world = await createWorld(database, idle);
    const kept = await upload(world, file("kept"));
    const work = workOf(testWorks(failing).works, ada);
    const uploads = new DocumentUploads({
      blobs: world.blobs,
      removals: world.removals,
      jobs: world.runner,
      records: recordLookup,
      now: () => new Date(),
      waitingJobs: 10,
      limitBytes: 100,
    });
    for (const content of ["kept", "lost"]) {
      const begun = await uploads.begin(work, planning, uploadFields());
      const part = { filename: "a", mediaType: "text/plain" };
      await begun.take({ ...part, content: pieces(content) }, new AbortController().signal);
      await expect(begun.accept(() => {})).rejects.toThrow("the database is away");
      await begun.discard();
    }
    const [document] = await documentsOfJob(database.read, planning, kept.jobId);
    expect(await filesOf(world)).toEqual([document?.sha256]);
  });
});

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half");
  throw new Error("the line was cut");
}

describeInTurn("the scope of an upload", (open) => {
  let database: Promise<WholeDatabase> | undefined;
  /** These tests hardly write, so they share one database. */
  const scopeWorld = async (): Promise<World> => createWorld(await (database ??= open()), idle);

  const begin = async (fields: Partial<UploadFields>, workspaceId = planning) => {
    const world = await scopeWorld();
    const { tenant_id, storage_target, processing_mode } = uploadFields();
    const all = { tenant_id, storage_target, processing_mode, ...fields };
    return world.documents.uploads.begin(world.work, workspaceId, all);
  };

  test.each<[string, Partial<UploadFields>, string]>([
    ["a planning application", { planning_application_id: application }, "planning-assist-v1"],
    [
      "its assessment case",
      { planning_application_id: application, assess_case_id: assessCase },
      // The workspace's planning binding is for applications.
      "planning-assist-v1",
    ],
    [
      "a business request",
      { business_request_id: businessRequest, processing_mode: "classification" },
      "business-document-v1",
    ],
    [
      "a workflow whose binding says so",
      { vertical_key: "planning-portal", workflow_key: "planning-assistant" },
      "planning-assist-v1",
    ],
    [
      "a workflow whose binding says nothing",
      { vertical_key: "business-portal", workflow_key: "triage", processing_mode: "store_only" },
      "business-document-v1",
    ],
    [
      "a workflow whose binding says no status, which is an active one,",
      { vertical_key: "business-portal", workflow_key: "unsaid", processing_mode: "store_only" },
      "business-document-v1",
    ],
  ])("%s decides on the lifecycle", async (_what, fields, lifecycle) => {
    const world = await scopeWorld();
    const { tenant_id, storage_target, processing_mode } = uploadFields();
    const begun = await world.documents.uploads.begin(world.work, planning, {
      tenant_id,
      storage_target,
      processing_mode,
      ...fields,
    });
    await begun.take(
      { filename: "a", mediaType: "text/plain", content: pieces("x") },
      new AbortController().signal,
    );
    const accepted = await begun.accept(() => {});
    await begun.discard();
    const [document] = await documentsOfJob(world.database.read, planning, accepted.jobId);
    expect(document?.lifecycle).toBe(lifecycle);
  });

  test.each<[string, Partial<UploadFields>, string]>([
    ["none", {}, "#/planning_application_id"],
    ["an unknown application", { planning_application_id: ada }, "#/planning_application_id"],
    ["a record of another type", { business_request_id: application }, "#/business_request_id"],
    [
      "two parents",
      { planning_application_id: application, business_request_id: businessRequest },
      "#/business_request_id",
    ],
    ["a case alone", { assess_case_id: assessCase }, "#/assess_case_id"],
    [
      "an unknown case",
      { planning_application_id: application, assess_case_id: ada },
      "#/assess_case_id",
    ],
    [
      "another parent's case",
      { business_request_id: businessRequest, assess_case_id: assessCase },
      "#/assess_case_id",
    ],
    [
      "an unknown workflow",
      { vertical_key: "planning-portal", workflow_key: "x" },
      "#/workflow_key",
    ],
    [
      "another app's workflow",
      { vertical_key: "business-portal", workflow_key: "planning-assistant" },
      "#/workflow_key",
    ],
    [
      "a drafted workflow",
      { vertical_key: "business-portal", workflow_key: "drafted" },
      "#/workflow_key",
    ],
    [
      "a binding to an unknown lifecycle",
      { vertical_key: "business-portal", workflow_key: "odd" },
      "#/workflow_key",
    ],
  ])("%s is no context", async (_what, fields, pointer) => {
    await expect(begin(fields)).rejects.toMatchObject({
      code: "document-context-missing",
      options: { errors: [{ pointer }] },
    });
  });

  test("records of another workspace are refused like unknown ones", async () => {
    const words = async (fields: Partial<UploadFields>, workspaceId: string) =>
      begin(fields, workspaceId).then(
        () => "taken",
        (error: Error) => error.message,
      );
    expect(await words({ planning_application_id: application }, licensing)).toBe(
      await words({ planning_application_id: ada }, planning),
    );
    const pair = { vertical_key: "planning-portal", workflow_key: "planning-assistant" };
    expect(await words(pair, licensing)).toBe(
      await words({ ...pair, workflow_key: "none" }, planning),
    );
  });

  test.each(["full", "rag"] as const)(
    "business documents do not know the mode %s",
    async (mode) => {
      await expect(
        begin({ business_request_id: businessRequest, processing_mode: mode }),
      ).rejects.toMatchObject({
        code: "unsupported-processing-mode",
        options: {
          errors: [{ pointer: "#/processing_mode" }],
          members: { lifecycle: "business-document-v1" },
        },
      });
    },
  );
});

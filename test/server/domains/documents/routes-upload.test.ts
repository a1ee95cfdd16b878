import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { documentRoutes } from "#contract/documents/documents.ts";
import type { ProblemCode } from "#contract/problems.ts";
import { pointersOf } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import type { TestPlatform, TestUser } from "#test/support/platform.ts";
import {
  file,
  form,
  formOf,
  makeContext,
  send,
  untilDone,
  uploadPath,
} from "#test/support/document-forms.ts";
import type { Context, FormEntry } from "#test/support/document-forms.ts";

interface UploadCase {
  readonly name: string;
  readonly as?: TestUser | "nobody";
  readonly headers?: Readonly<Record<string, string>>;
  readonly form: (the: TestPlatform, context: Context) => FormData;
  readonly status: number;
  readonly code?: ProblemCode;
  readonly pointers?: readonly string[];
}

const plans = file("plans.txt", "The wall is 2.4 metres high.");
const planned = (context: Context): FormEntry => ["planning_application_id", context.application];

const cases: readonly UploadCase[] = [
  ...(["tenant-staff", "tenant-builder", "tenant-admin"] as const).map((user): UploadCase => ({
    name: `${user} may upload`,
    as: user,
    form: (the, context) => form(the, planned(context), ["files", file(`${user}.txt`, user)]),
    status: 202,
  })),
  {
    name: "tenant-viewer may not",
    as: "tenant-viewer",
    form: (the, context) => form(the, planned(context), ["files", plans]),
    status: 403,
    code: "permission-denied",
  },
  {
    name: "a caller without a token may not",
    as: "nobody",
    form: (the, context) => form(the, planned(context), ["files", plans]),
    status: 401,
    code: "unauthenticated",
  },
  {
    name: "an outsider sees no such workspace",
    as: "outsider",
    form: (the, context) => form(the, planned(context), ["files", plans]),
    status: 404,
    code: "not-found",
  },
  {
    name: "an outsider whose form names the workspace sees none either",
    as: "outsider",
    headers: { "x-tenant-id": "" },
    form: (the, context) => form(the, planned(context), ["files", plans]),
    status: 404,
    code: "not-found",
  },
  {
    name: "the form may name the workspace alone",
    headers: { "x-tenant-id": "" },
    form: (the, context) => form(the, planned(context), ["files", file("alone.txt", "alone")]),
    status: 202,
  },
  {
    name: "a form that names another workspace than the header is refused",
    form: (the, context) =>
      formOf(
        ["tenant_id", the.workspaces.other],
        ["storage_target", "resourceapi"],
        ["processing_mode", "full"],
        planned(context),
        ["files", plans],
      ),
    status: 422,
    code: "validation-failed",
    pointers: ["#/tenant_id"],
  },
  {
    name: "a form without anything",
    form: () => formOf(["files", plans]),
    status: 422,
    code: "validation-failed",
    pointers: ["#/tenant_id", "#/storage_target", "#/processing_mode"],
  },
  {
    name: "another storage target",
    form: (the, context) =>
      formOf(
        ["tenant_id", the.workspaces.tenant],
        ["storage_target", "blob"],
        ["processing_mode", "full"],
        planned(context),
        ["files", plans],
      ),
    status: 422,
    pointers: ["#/storage_target"],
  },
  {
    name: "an unknown field, a nested one and a lifecycle",
    form: (the, context) =>
      form(
        the,
        planned(context),
        ["owner", "me"],
        ["metadata[category]", "x"],
        ["lifecycle", "planning-assist-v1"],
        ["files", plans],
      ),
    status: 422,
    pointers: ["#/owner", "#/metadata%5Bcategory%5D", "#/lifecycle"],
  },
  {
    name: "two modes",
    form: (the, context) =>
      form(the, planned(context), ["processing_mode", "rag"], ["files", plans]),
    status: 422,
    pointers: ["#/processing_mode"],
  },
  {
    name: "no context",
    form: (the) => form(the, ["files", plans]),
    status: 422,
    code: "document-context-missing",
    pointers: ["#/planning_application_id"],
  },
  {
    name: "another workspace's application",
    form: (the, context) =>
      form(the, ["planning_application_id", context.foreign], ["files", plans]),
    status: 422,
    code: "document-context-missing",
    pointers: ["#/planning_application_id"],
  },
  {
    name: "a case with its application",
    form: (the, context) =>
      form(the, planned(context), ["assess_case_id", context.assessCase], ["files", plans]),
    status: 202,
  },
  {
    name: "a case with a parent that is not its own",
    form: (the, context) =>
      form(
        the,
        ["business_request_id", context.request],
        ["assess_case_id", context.assessCase],
        ["files", plans],
      ),
    status: 422,
    code: "document-context-missing",
    pointers: ["#/assess_case_id"],
  },
  {
    name: "a business document in a mode it does not know",
    form: (the, context) => form(the, ["business_request_id", context.request], ["files", plans]),
    status: 422,
    code: "unsupported-processing-mode",
    pointers: ["#/processing_mode"],
  },
  {
    name: "a configured standalone workflow",
    form: (the) =>
      form(
        the,
        ["app_key", "planning-portal"],
        ["workflow_key", "planning-assistant"],
        ["files", plans],
      ),
    status: 202,
  },
  {
    name: "a workflow that is not configured",
    form: (the) =>
      form(the, ["vertical_key", "planning-portal"], ["workflow_key", "x"], ["files", plans]),
    status: 422,
    code: "document-context-missing",
    pointers: ["#/workflow_key"],
  },
  {
    name: "half of the key pair",
    form: (the) => form(the, ["vertical_key", "planning-portal"], ["files", plans]),
    status: 422,
    pointers: ["#/workflow_key"],
  },
  {
    name: "no file",
    form: (the, context) => form(the, planned(context)),
    status: 422,
    pointers: ["#/files"],
  },
  {
    name: "a file under another name",
    form: (the, context) => form(the, planned(context), ["attachment", plans]),
    status: 422,
    pointers: ["#/attachment"],
  },
  {
    name: "a field after a file",
    form: (the, context) => form(the, planned(context), ["files", plans], ["category", "late"]),
    status: 422,
    pointers: ["#/category"],
  },
];

describePlatform("uploading", (the) => {
  let context: Context;
  beforeAll(async () => {
    context = await makeContext(the());
  });

  describe("checks the form:", () => {
    test.each(cases)("$name", async (wanted) => {
      const body = wanted.form(the(), context);
      const headers =
        wanted.headers?.["x-tenant-id"] === "" ? {} : { "x-tenant-id": the().workspaces.tenant };
      const answered = await the()
        .as(wanted.as ?? "tenant-staff")
        .post(uploadPath, undefined, { rawBody: body, headers });
      expect({ status: answered.status, text: answered.text }).toMatchObject({
        status: wanted.status,
      });
      if (wanted.code !== undefined) expect(answered.json).toMatchObject({ code: wanted.code });
      if (wanted.pointers !== undefined) {
        expect(pointersOf(answered.json)).toEqual(wanted.pointers);
      }
    });
  });

  test("returns the location of its job and when to poll", async () => {
    const body = form(the(), planned(context), ["files", file("where.txt", "where")]);
    const answered = await send(the(), body);
    const { jobId } = uploadAccepted.parse(answered.json);
    const location = `${the().baseUrl}/v4/data/documents/jobs/${jobId}`;
    expect(Object.fromEntries(answered.headers)).toMatchObject({
      location,
      "operation-location": location,
      "retry-after": "1",
    });
    expect(await untilDone(the(), jobId)).toMatchObject({ status: "succeeded" });
  });

  test("stores nothing of a refused form", async () => {
    const before = await storedFiles(the());
    for (const entries of [
      [["files", plans]],
      [planned(context), ["processing_mode", "rag"], ["files", plans]],
      [
        ["business_request_id", context.request],
        ["files", plans],
      ],
      [planned(context), ["files", plans], ["category", "late"]],
    ] as FormEntry[][]) {
      const answered = await send(the(), form(the(), ...entries));
      expect(answered.status).toBe(422);
    }
    expect(await storedFiles(the())).toEqual(before);
  });

  test("reports that fields missing before a file must precede it", async () => {
    const { tenant } = the().workspaces;
    const fileFirst = new FormData();
    fileFirst.append("files", plans);
    fileFirst.append("tenant_id", tenant);
    fileFirst.append("storage_target", "resourceapi");
    fileFirst.append("processing_mode", "store_only");
    fileFirst.append("planning_application_id", context.application);
    expect((await send(the(), fileFirst)).json).toMatchObject({
      detail: "#/tenant_id is required, and 2 more; send fields before files",
      errors: [
        { pointer: "#/tenant_id", detail: "is required (before the files)" },
        { pointer: "#/storage_target" },
        { pointer: "#/processing_mode" },
      ],
    });
    const contextLast = form(the(), ["files", plans], planned(context));
    expect((await send(the(), contextLast)).json).toMatchObject({
      code: "document-context-missing",
      detail: expect.stringMatching(/; send fields before files$/),
    });
    const noFile = form(the());
    expect((await send(the(), noFile)).text).not.toContain("before the files");
    const wrong = form(the(), ["app_key", "a"], ["verticalKey", "b"], ["files", plans]);
    expect((await send(the(), wrong)).json).toMatchObject({
      errors: [
        { pointer: "#/verticalKey", detail: "conflicts with another value of the same field" },
        { pointer: "#/workflow_key", detail: expect.stringMatching(/pair \(before the files\)$/) },
      ],
    });
  });

  test("keeps a file's name unchanged, and never uses it as a path", async () => {
    const name = '../../etc/"pass wd"\n– 計画.txt';
    const body = form(the(), planned(context), ["files", file(name, "named")]);
    const { documentId } = uploadAccepted.parse((await send(the(), body)).json);
    const { tenant } = the().workspaces;
    const record = await the()
      .as("tenant-viewer")
      .get(`/v4/data/documents/records/${documentId}`, { headers: { "x-tenant-id": tenant } });
    expect(record.json).toMatchObject({ filename: name });
  });

  test("an Idempotency-Key replays the response, and refuses other content", async () => {
    const key = { "idempotency-key": "upload-1" };
    const body = (content: string) =>
      form(the(), planned(context), ["files", file("keyed.txt", content)]);
    const first = await send(the(), body("keyed"), "tenant-staff", key);
    expect(first.status).toBe(202);
    const again = await send(the(), body("keyed"), "tenant-staff", key);
    expect(again.status).toBe(202);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    const other = await send(the(), body("other"), "tenant-staff", key);
    expect(other.json).toMatchObject({ status: 422, code: "idempotency-key-reused" });
    // The same bytes without the key are a duplicate.
    const unkeyed = await send(the(), body("keyed"));
    expect(unkeyed.json).toMatchObject({
      duplicateOf: uploadAccepted.parse(first.json).documentId,
    });
  });

  test("a body that is not a form is 415, one that is broken 400", async () => {
    const { tenant } = the().workspaces;
    const post = (type: string, body: string) =>
      the()
        .as("tenant-staff")
        .post(documentRoutes.upload.path, undefined, {
          rawBody: body,
          headers: { "x-tenant-id": tenant, "content-type": type },
        });
    expect((await post("application/json", "{}")).json).toMatchObject({
      status: 415,
      code: "unsupported-media-type",
    });
    const broken = await post("multipart/form-data; boundary=x", "--x\r\nnot a form");
    expect(broken.json).toMatchObject({ status: 400, code: "malformed-body" });
  });
});

describePlatform(
  "an upload above the limit",
  (the) => {
    test("is 413 with the limit, and stores nothing", async () => {
      const context = await makeContext(the());
      const body = form(
        the(),
        planned(context),
        ["files", file("a.bin", new Uint8Array(600_000))],
        ["files", file("b.bin", new Uint8Array(600_000))],
      );
      const answered = await send(the(), body);
      expect(answered.json).toMatchObject({
        status: 413,
        code: "content-too-large",
        detail: "The files of an upload may have at most 1000000 bytes in total",
        limitBytes: 1_000_000,
      });
      expect(await storedFiles(the())).toEqual([]);
    });
  },
  { limits: { uploadBytes: 1_000_000 } },
);

async function storedFiles({ dataDirectory }: TestPlatform): Promise<string[]> {
  const folder = join(dataDirectory, "blobs");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

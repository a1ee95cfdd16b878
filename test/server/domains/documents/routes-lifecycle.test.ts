import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { listBody } from "#contract/lists.ts";
import { resource } from "#contract/resources/resources.ts";
import { file, form, makeContext, send } from "#test/support/document-forms.ts";
import type { Context } from "#test/support/document-forms.ts";
import { describePlatform, type TestPlatform } from "#test/support/platform.ts";

describePlatform("an upload without keys", (the) => {
  let context: Context;
  beforeAll(async () => {
    context = await makeContext(the());
  });

  test("takes the lifecycle of a planning context from the saved binding", async () => {
    const { tenant } = the().workspaces;
    const application = () => ["planning_application_id", context.application] as const;
    const bindings = `/v4/data/resources/${tenant}/vertical-product-config`;
    const admin = the().as("tenant-admin");
    const listed = await admin.get(bindings);
    const { items } = listBody(resource).parse(listed.json);
    const [binding] = items;
    let version = Number(binding?.version);
    const save = async (documentLifecycle: string) => {
      const data = { ...binding?.data, config: { documentLifecycle } };
      const saved = await admin.put(`${bindings}/${binding?.id}`, { version, data });
      version += 1;
      return saved;
    };
    expect((await save("business-document-v1")).status).toBe(200);
    const before = await storedFiles(the());
    const refused = await send(
      the(),
      form(the(), application(), ["files", file("plans.txt", "The wall is high.")]),
    );
    expect(refused.json).toMatchObject({
      status: 422,
      code: "unsupported-processing-mode",
      lifecycle: "business-document-v1",
    });
    expect(await storedFiles(the())).toEqual(before);
    expect((await save("planning-assess-v1")).status).toBe(200);
    const unseen = file("bound.txt", "Bound to an assessment.");
    const answered = await send(the(), form(the(), application(), ["files", unseen]));
    const { documentId } = uploadAccepted.parse(answered.json);
    const record = `/v4/data/documents/records/${documentId}`;
    const headers = { "x-tenant-id": tenant };
    expect((await admin.get(record, { headers })).json).toMatchObject({
      lifecycle: "planning-assess-v1",
    });
    expect((await save("planning-assist-v1")).status).toBe(200);
  });
});

async function storedFiles({ dataDirectory }: TestPlatform): Promise<string[]> {
  const folder = join(dataDirectory, "blobs");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

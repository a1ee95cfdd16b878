import { expect, test } from "vitest";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import { describePlatform, field } from "#test/support/platform.ts";

describePlatform("the trash of documents", (the) => {
  test("is for the uploader and builders, in their own workspace", async () => {
    const context = await makeContext(the());
    const text = "The wall is 2.4 metres high.";
    const { documentId = "" } = await uploaded(the(), context, text, "wall.txt");
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const elsewhere = { "x-tenant-id": the().workspaces.other };
    const base = "/v4/data/documents";
    const place = `${base}/records/${documentId}`;
    const builder = the().as("tenant-builder");
    const trashed = await builder.delete(`${place}?trash=true`, { headers });
    expect(trashed.json).toEqual({
      documentId,
      trashed: true,
      restorableUntil: expect.any(String) as string,
    });
    const viewer = the().as("tenant-viewer");
    const list = await viewer.get("/v4/data/documents/deleted", { headers });
    expect(field(field(list.json, "items"), "0")).toMatchObject({ documentId });
    const other = the().as("outsider");
    const foreign = await other.get("/v4/data/documents/deleted", { headers: elsewhere });
    expect(field(foreign.json, "items")).toEqual([]);
    const restore = `/v4/data/documents/records/${documentId}/restore`;
    expect((await viewer.post(restore, {}, { headers })).status).toBe(403);
    expect((await other.post(restore, {}, { headers: elsewhere })).status).toBe(404);
    expect((await builder.post(restore, {}, { headers })).json).toMatchObject({ documentId });
    expect((await builder.post(restore, {}, { headers })).status).toBe(404);
    const wrong = await builder.delete(`${place}?trash=maybe`, { headers });
    expect(wrong.json).toMatchObject({ status: 422, errors: [{ pointer: "#/query/trash" }] });
  });
});

import { expect, test } from "vitest";
import { field, type Answered } from "#test/support/platform.ts";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import { describeEachStore } from "./file-stores.ts";

/** Sends again while the platform is busy, like a client. */
async function insisting(send: () => Promise<Answered>): Promise<Answered> {
  for (let attempt = 1; ; attempt += 1) {
    const answered = await send();
    const isBusy = field(answered.json, "code") === "overloaded";
    if (!isBusy || attempt === 20) return answered;
  }
}

describeEachStore("the bytes of records' files", (the) => {
  test("removes the bytes of a replaced file, which its version still describes", async () => {
    const { record, path } = await the().place();
    await the().put(path, `before ${record}`, "before.txt");
    await the().put(path, `after ${record}`, "after.txt");
    await the().isGone(`before ${record}`);
    expect((await the().viewer.get(path)).text).toBe(`after ${record}`);
    const old = await the().viewer.get(`${record}?version=2`);
    expect(old.json).toMatchObject({ data: { attachment: { filename: "before.txt" } } });
    const { json } = await the().viewer.get(`${record}/history`);
    expect(json).toMatchObject({
      items: [
        {
          version: 3,
          changes: expect.arrayContaining([
            { op: "replace", path: "/attachment/filename", value: "after.txt" },
          ]),
        },
        { version: 2, changes: [{ op: "add", path: "/attachment" }] },
        { version: 1 },
      ],
    });
  });

  test("keeps bytes that another record has, until no record has them", async () => {
    const one = await the().place();
    const other = await the().place("plan");
    const text = `%PDF shared by ${one.id}`;
    await the().put(one.path, text);
    const pdf = { "content-type": "application/pdf" };
    expect((await the().put(other.path, text, "a.pdf", pdf)).status).toBe(201);
    expect((await the().staff.delete(one.path)).status).toBe(204);
    expect((await the().viewer.get(one.path)).status).toBe(404);
    expect((await the().viewer.get(other.path)).text).toBe(text);
    expect((await the().staff.delete(other.path)).status).toBe(204);
    await the().isGone(text);
  });

  test("keeps bytes that a document has, and those of the record after its deletion", async () => {
    const context = await makeContext(the().platform);
    const { path } = await the().place();
    const text = `A letter that is also attached, to ${path}.`;
    const headers = { "x-tenant-id": the().platform.workspaces.tenant };
    const records = "/v4/data/documents/records";
    const first = await uploaded(the().platform, context, text, "letter.txt");
    await the().put(path, text);
    const admin = the().platform.as("tenant-admin");
    const removed = await admin.delete(`${records}/${first.documentId}`, { headers });
    expect(removed.json).toMatchObject({ complete: true, removed: { file: false } });
    expect((await the().viewer.get(path)).text).toBe(text);
    const second = await uploaded(the().platform, context, text, "letter.txt");
    await the().staff.delete(path);
    const content = `${records}/${second.documentId}/content`;
    expect((await the().viewer.get(content, { headers })).text).toBe(text);
    await admin.delete(`${records}/${second.documentId}`, { headers });
    await the().isGone(text);
  });

  test("are removed with their record, in single deletions and in batches", async () => {
    const [one, two, three] = [await the().place(), await the().place(), await the().place()];
    for (const { id, path } of [one, two, three]) await the().put(path, `file of ${id}`);
    expect((await the().staff.delete(one.record)).status).toBe(204);
    await the().isGone(`file of ${one.id}`);
    expect((await the().viewer.get(one.path)).status).toBe(404);
    const batch = `/v4/data/resources/${the().platform.workspaces.tenant}/ledger/batch/delete`;
    const { json } = await the().staff.post(batch, { ids: [two.id, three.id] });
    expect(json).toMatchObject({ succeeded: 2 });
    await the().isGone(`file of ${two.id}`);
    await the().isGone(`file of ${three.id}`);
  });

  test("survive a change of the record, which can neither forge nor remove them", async () => {
    const { record, path, reference } = await the().place();
    const kept = await the().put(path, `kept by ${record}`);
    const { json } = await the().staff.put(record, { data: { reference }, version: 2 });
    expect(json).toMatchObject({ version: 3, data: { attachment: { filename: "a.txt" } } });
    const forged = { ...(kept.json as object), filename: "forged.txt" };
    const refused = await the().staff.put(record, {
      data: { reference, attachment: forged },
      version: 3,
    });
    expect(refused.json).toMatchObject({ errors: [{ pointer: "#/data/attachment" }] });
    expect((await the().viewer.get(path)).text).toBe(`kept by ${record}`);
  });

  test("stay with a record that an action or a batch changes", async () => {
    const { id, record, path, reference } = await the().place();
    await the().put(path, `kept by ${record}`);
    const acted = await the().staff.post(`${record}/actions/close`, { parameters: { by: "ada" } });
    expect(acted.json).toMatchObject({
      version: 3,
      data: { status: "closed", attachment: { filename: "a.txt" } },
    });
    const batch = `/v4/data/resources/${the().platform.workspaces.tenant}/ledger/batch/update`;
    const items = [{ id, version: 3, data: { reference, title: "changed" } }];
    expect((await the().staff.post(batch, { items })).json).toMatchObject({ succeeded: 1 });
    expect((await the().viewer.get(record)).json).toMatchObject({
      version: 4,
      data: { title: "changed", attachment: { filename: "a.txt" } },
    });
    expect((await the().viewer.get(path)).text).toBe(`kept by ${record}`);
  });

  test("are removed when the record is written after its type has lost the property", async () => {
    const builder = the().platform.as("tenant-builder");
    const headers = { "x-tenant-id": the().platform.workspaces.tenant };
    const types = "/v4/data/resources/object-types";
    const properties = { title: { type: "string" }, cover: { type: "file" } };
    const made = await builder.post(
      types,
      { name: "Album", slug: "album", properties },
      { headers },
    );
    const albums = `/v4/data/resources/${the().platform.workspaces.tenant}/album`;
    const records: string[] = [];
    for (const title of ["one", "two"]) {
      const { json } = await the().staff.post(albums, { title });
      const record = `${albums}/${String(field(json, "id"))}`;
      await the().put(`${record}/files/cover`, `cover of ${record}`);
      records.push(record);
    }
    const [one = "", two = ""] = records;
    const less = { properties: { title: { type: "string" } } };
    const changed = await builder.patch(`${types}/${String(field(made.json, "id"))}`, less, {
      headers,
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await the().viewer.get(`${one}/files/cover`)).status).toBe(404);
    expect(await the().isStored(`cover of ${one}`)).toBe(true);
    await the().staff.put(one, { data: { title: "one" }, version: 2 });
    const items = [{ id: two.split("/").at(-1), version: 2, data: { title: "two" } }];
    await the().staff.post(`${albums}/batch/update`, { items });
    // Any upload looks for what may go.
    await the().put((await the().place()).path, "another one");
    await the().isGone(`cover of ${one}`);
    await the().isGone(`cover of ${two}`);
  });

  test("loses no referenced bytes in concurrent uploads and deletions of the same bytes", async () => {
    const text = `raced for ${crypto.randomUUID()}`;
    const places = await Promise.all(Array.from({ length: 6 }, () => the().place()));
    await Promise.all(
      places.map(async ({ path }, index) => {
        for (let round = 0; round < 4; round += 1) {
          const raced = await insisting(() => the().put(path, text));
          expect(raced.status, raced.text).toBe(201);
          if (round === 3 && index % 2 === 1) return;
          const deleted = await insisting(() => the().staff.delete(path));
          expect(deleted.status, deleted.text).toBe(204);
        }
      }),
    );
    const left = await Promise.all(places.map(({ path }) => the().viewer.get(path)));
    expect(left.map(({ status }) => status)).toEqual([404, 200, 404, 200, 404, 200]);
    expect(left.filter(({ status }) => status === 200).map((got) => got.text)).toEqual([
      text,
      text,
      text,
    ]);
    for (const { path } of places) await insisting(() => the().staff.delete(path));
    await the().isGone(text);
  });
});

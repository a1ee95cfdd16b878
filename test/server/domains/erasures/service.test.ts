import { expect, test } from "vitest";
import { auditDigest } from "#lib/audit-chain.ts";
import { eventually } from "#test/support/eventually.ts";
import { file, form, makeContext, send, untilDone } from "#test/support/document-forms.ts";
import {
  describePlatform,
  field,
  type Answered,
  type TestPlatform,
} from "#test/support/platform.ts";
import { archivesPath, takenArchive } from "../archives/world.ts";
import { tracesOf } from "../purges/world.ts";

const person = {
  name: "Person",
  slug: "person",
  properties: {
    name: { type: "string", searchable: true, indexed: true },
    code: { type: "string", unique: true },
    photo: { type: "file" },
  },
};
const visit = {
  name: "Visit",
  slug: "visit",
  properties: {
    notes: { type: "text", searchable: true },
    person: { type: "reference", targetObjectType: "person", onDelete: "cascade" },
  },
};
const minuteMs = 60_000;

const idOf = ({ json }: Answered): string => String(field(json, "id"));

function scene(the: TestPlatform, user: "tenant-admin" | "tenant-builder" = "tenant-admin") {
  const caller = the.as(user);
  const workspace = the.workspaces.tenant;
  const tenant = { "x-tenant-id": workspace };
  const people = `/v4/data/resources/${workspace}/person`;
  const good = async (sent: Promise<Answered>): Promise<Answered> => {
    const { status, text, json } = await sent;
    expect({ status, text }).toMatchObject({
      status: expect.toSatisfy((code: number) => code < 300) as number,
    });
    return { status, text, json } as Answered;
  };
  return { caller, tenant, people, good, visits: `/v4/data/resources/${workspace}/visit` };
}

/** The traces of a text once the work in the background has ended. */
async function tracesLeft(the: TestPlatform, text: string): Promise<void> {
  await eventually(async () => {
    await the.platform.services.erasures.idle();
    expect(await tracesOf(the, text)).toEqual([]);
  });
}

/** The trash keeps a record for one minute. */
const trashDays = 1 / (24 * 60);

describePlatform(
  "an erasure",
  (the) => {
    test("leaves nothing of a record, its history, files, words, answers and paths", async () => {
      const { caller, tenant, people, visits, good } = scene(the());
      for (const type of [person, visit]) {
        await good(caller.post("/v4/data/resources/object-types", type, { headers: tenant }));
      }
      const marker = "zqerasedwhim";
      const kept = await good(caller.post(people, { name: "zqkeptwhim", code: "kept" }));
      const headers = { "idempotency-key": `person-${marker.slice(2)}` };
      const made = await good(
        caller.post(people, { name: `${marker} zqkeptwhim`, code: `${marker}-1` }, { headers }),
      );
      const id = idOf(made);
      await good(caller.put(`${people}/by/code/${marker}-1`, { data: { name: `${marker} two` } }));
      const photo = { headers: { "content-type": "text/plain" }, rawBody: `A photo of ${marker}` };
      await good(caller.call("POST", `${people}/${id}/files/photo?filename=${marker}.txt`, photo));
      await good(caller.post(visits, { notes: `${marker} was here`, person: id }));
      expect(await tracesOf(the(), marker)).not.toEqual([]);

      const refused = await the().as("tenant-builder").delete(`${people}/${id}?permanent=true`);
      expect(refused.status).toBe(403);
      expect((await caller.delete(`${people}/${id}?permanent=true`)).status).toBe(204);
      await tracesLeft(the(), marker);
      expect((await caller.get(`${people}/${id}/history`)).status).toBe(404);
      expect((await caller.get(`${people}/deleted`)).json).toMatchObject({ items: [] });
      expect((await caller.get(`${visits}/deleted`)).json).toMatchObject({ items: [] });
      expect((await caller.delete(`${people}/${id}?permanent=true`)).status).toBe(404);
      // The words of other records still correct misspelt queries.
      expect(await tracesOf(the(), "zqkeptwhim")).toContain("rows of search_words");
      expect((await caller.get(`${people}/${idOf(kept)}`)).status).toBe(200);
    });

    test("removes the archives that may have the record, and no later one", async () => {
      const { caller, people, good } = scene(the());
      const { tenant } = the().workspaces;
      const made = await good(caller.post(people, { name: "In an archive", code: "archived" }));
      const before = await takenArchive(the(), tenant, { groups: ["records"] });
      await good(caller.delete(`${people}/${idOf(made)}?permanent=true`));
      const after = await takenArchive(the(), tenant, { groups: ["records"] });
      the().advance(2 * minuteMs);
      await the().platform.services.erasures.settle();
      const path = archivesPath(tenant);
      for (const place of [before.id, `${before.id}/content`]) {
        expect((await caller.get(`${path}/${place}`)).status).toBe(404);
      }
      expect((await caller.get(`${path}/${after.id}`)).status).toBe(200);
    });

    test("takes what is in the trash, and what is no longer in it", async () => {
      const { caller, people } = scene(the());
      for (const [marker, waitMs] of [
        ["zqtrashedwhim", 0],
        ["zqformerwhim", 2 * minuteMs],
      ] as const) {
        const id = idOf(await caller.post(people, { name: marker, code: marker }));
        expect((await caller.delete(`${people}/${id}`)).status).toBe(204);
        the().advance(waitMs);
        expect(await tracesOf(the(), marker)).not.toEqual([]);
        expect((await caller.delete(`${people}/${id}?permanent=true`)).status).toBe(204);
        await tracesLeft(the(), marker);
      }
    });

    test("removes the values of audit entries, whose digests stay in the chain", async () => {
      const { caller, people, good } = scene(the());
      const marker = "zqauditwhim";
      const path = `${people}/by/code/${marker}`;
      const id = idOf(await good(caller.put(path, { data: { name: "someone" } })));
      expect((await caller.put(path, { data: { unknown: 1 } })).status).toBe(422);
      expect((await caller.delete(`${people}/${id}?permanent=true`)).status).toBe(204);
      const log = `/v4/platform/tenants/${the().workspaces.tenant}/audit`;
      const { json } = await caller.get(`${log}?order=asc&limit=200`);
      const items = field(json, "items") as Record<string, unknown>[];
      const changed = items.flatMap((entry, at) => {
        const before = at === 0 ? "" : String(items[at - 1]?.["digest"]);
        return auditDigest(before, entry) === entry["digest"] ? [] : [entry];
      });
      expect(changed.length).toBeGreaterThanOrEqual(2);
      const erasures = items.filter(({ action }) => action === "resources.erase");
      const named = erasures.flatMap(({ changes }) =>
        field(field(changes, "after"), "erasedEntries"),
      );
      expect(changed.map(({ sequence }) => sequence)).toEqual(
        named.map(Number).toSorted((one, other) => one - other),
      );
      expect(erasures.at(-1)).toMatchObject({
        actor: the().users["tenant-admin"].oid,
        changes: { target: { ids: [id] } },
      });
      expect((await caller.get(`${log}/head`)).json).toMatchObject({ seal: "valid" });
    });

    test("leaves nothing of a document, also of one in the trash", async () => {
      const { caller, tenant, good } = scene(the());
      const context = await makeContext(the());
      for (const inTrash of [false, true]) {
        const marker = inTrash ? "zqpapertrash" : "zqpaperwhim";
        const content = `The letter of ${marker}.\n\n`.repeat(40);
        const body = form(
          the(),
          ["planning_application_id", context.application],
          ["files", file(`${marker}.txt`, content, "text/plain")],
        );
        const key = { "idempotency-key": `letter-${String(inTrash)}` };
        const sent = await good(send(the(), body, "tenant-admin", key));
        await untilDone(the(), String(field(sent.json, "jobId")));
        const path = `/v4/data/documents/records/${String(field(sent.json, "documentId"))}`;
        const asked = { message: "Show the letter" };
        const chat = `/v4/ai/chat/${the().workspaces.tenant}`;
        const said = await good(caller.post(`${chat}/planning-assistant/chat`, asked));
        expect(said.text).toContain(`The letter of ${marker}`);
        if (inTrash) await good(caller.delete(`${path}?trash=true`, { headers: tenant }));
        expect(await tracesOf(the(), marker)).not.toEqual([]);
        const both = await caller.delete(`${path}?trash=true&permanent=true`, { headers: tenant });
        expect(both.status).toBe(422);
        const builder = the().as("tenant-builder");
        const refused = await builder.delete(`${path}?permanent=true`, { headers: tenant });
        expect(refused.status).toBe(403);
        const receipt = await good(caller.delete(`${path}?permanent=true`, { headers: tenant }));
        expect(receipt.json).toMatchObject({ removed: { file: true }, complete: true });
        await tracesLeft(the(), marker);
        const conversation = String(field(said.json, "conversation_id"));
        const stored = await good(caller.get(`${chat}/conversations/${conversation}`));
        expect(stored.text).toContain("quoted what has been erased since");
        expect(stored.text).toContain("Show the letter");
      }
    });

    test("removes a kept answer that was written after it", async () => {
      const { caller, people } = scene(the());
      const id = idOf(await caller.post(people, { name: "zqlatewhim" }));
      expect((await caller.delete(`${people}/${id}?permanent=true`)).status).toBe(204);
      const headers = { "idempotency-key": "late-answer" };
      const late = await caller.post(people, { name: `about ${id}` }, { headers });
      await caller.delete(`${people}/${idOf(late)}?permanent=true`);
      const again = await caller.post(people, { name: `about ${id}` }, { headers });
      expect(idOf(again)).not.toBe(idOf(late));
      the().advance(2 * minuteMs);
      await the().platform.services.erasures.settle();
      const last = await caller.post(people, { name: `about ${id}` }, { headers });
      expect(idOf(last)).not.toBe(idOf(again));
    });
  },
  { limits: { trashDays } },
);

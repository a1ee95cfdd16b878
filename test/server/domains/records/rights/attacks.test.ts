import { expect, test } from "vitest";
import { describePlatform, field, type Answered, type Caller } from "#test/support/platform.ts";
import { furnished, good, secretName, type World } from "./world.ts";

const idOf = ({ json }: Answered): string => String(field(json, "id"));

const searched = { type: "string", searchable: true };

/** The rows of an answer in their order, with their scores. */
function rowsOf({ json }: Answered, title = "title"): unknown[] {
  const items = field(json, "items") ?? field(json, "results");
  return (Array.isArray(items) ? items : []).map((item) => [
    field(field(item, "data"), title),
    field(item, "score"),
    field(item, "scores"),
  ]);
}

/** A body with neither ids of this request nor times. */
function plain({ status, text }: Answered): unknown {
  return [status, text.replaceAll(/"(?:requestId|instance|updated_at)":"[^"]*"/g, "")];
}

function expectNothingOf(world: World, ...answers: readonly Answered[]): void {
  for (const { text } of answers) {
    expect(text).not.toContain(secretName);
    expect(text).not.toContain(world.secretWord);
  }
}

/** A record next to the world's own, with the same readable fields but without the secret. */
async function twin(world: World): Promise<string> {
  const admin = world.the.as("tenant-admin");
  return idOf(good(await admin.post(world.path, { title: "Ash" })));
}

describePlatform("attacks on hidden fields", (platform) => {
  const hidden = () => furnished(platform(), { readRoles: ["tenant-admin"] });

  test("the order and the scores of a search do not tell what a hidden field has", async () => {
    const world = await hidden();
    await twin(world);
    const search = (query: string, mode: string) =>
      world.the.as("tenant-viewer").post(`/v4/data/resources/${world.workspace}/search`, {
        query,
        mode,
        types: [world.slug],
      });
    for (const mode of ["fulltext", "vector", "hybrid"]) {
      const of = async (word: string) => rowsOf(good(await search(`Ash ${word}`, mode)));
      const without = "qqvwzkxj".repeat(4);
      expect([mode, await of(world.secretWord)]).toEqual([mode, await of(without)]);
    }
  });

  test("a correction of a word does not depend on a hidden text that has it", async () => {
    const rights = { readRoles: ["tenant-admin"] };
    for (const world of [await hidden(), await furnished(platform(), {}, rights)]) {
      const with5th = (letter: string) => world.secretWord.replace(/(?<=^.{4})./, letter);
      const slug = `open-${world.slug}`;
      const admin = world.the.as("tenant-admin");
      const type = { name: `T${slug.replaceAll("-", "")}`, slug, properties: { title: searched } };
      const { headers, workspace } = world;
      good(await admin.post("/v4/data/resources/object-types", type, { headers }));
      const path = `/v4/data/resources/${workspace}`;
      good(await admin.post(`${path}/${slug}`, { title: with5th("q") }));
      const of = async (caller: Caller, query: string) => {
        const asked = { query, types: [slug], mode: "hybrid" };
        const { json } = good(await caller.post(`${path}/search`, asked));
        return field(field(field(field(json, "results"), "0"), "scores"), "fulltext");
      };
      const viewer = world.the.as("tenant-viewer");
      expect(await of(viewer, world.secretWord)).toBe(await of(viewer, with5th("z")));
      // An administrator reads both words: one is right, the other is corrected.
      expect(await of(admin, world.secretWord)).toBeNull();
      expect(await of(admin, with5th("z"))).toBeGreaterThan(0);
    }
  });

  test("a cursor of a role that sorts by a hidden field serves no lower one", async () => {
    const world = await hidden();
    await twin(world);
    const list = (caller: Caller, query: string) => caller.get(`${world.path}?limit=1&${query}`);
    const admin = good(await list(world.the.as("tenant-admin"), `sort=${secretName}`));
    const cursor = encodeURIComponent(String(field(admin.json, "nextCursor")));
    const viewer = world.the.as("tenant-viewer");
    for (const sort of [secretName, "title", "created_at"]) {
      const refused = await list(viewer, `sort=${sort}&cursor=${cursor}`);
      expect([sort, refused.status]).toEqual([sort, 422]);
      expect(refused.text).not.toContain(world.secretWord);
    }
    const own = good(await list(viewer, "sort=title"));
    const decoded = Buffer.from(String(field(own.json, "nextCursor")), "base64url").toString();
    expect(decoded).not.toContain(world.secretWord);
  });

  test("a conditional request and an ETag tell no value", async () => {
    const world = await hidden();
    const viewer = world.the.as("tenant-viewer");
    const path = `${world.path}/${world.id}`;
    const one = good(await viewer.get(`${world.path}?fields=title&sort=title`));
    const admin = world.the.as("tenant-admin");
    const [before, id] = [one.headers.get("etag"), await twin(world)];
    good(await admin.delete(`${world.path}/${id}`));
    const again = good(await viewer.get(`${world.path}?fields=title&sort=title`));
    expect(again.headers.get("etag")).toBe(before);
    const of = good(await viewer.get(`${path}?fields=title`));
    expect(of.headers.get("etag") ?? "").not.toContain(world.secretWord);
  });

  test("the preview of a deletion and its refusal count, and name no hidden reference", async () => {
    const world = await hidden();
    const { the, slug, headers, workspace, id } = world;
    const of = {
      type: "reference",
      targetObjectType: slug,
      onDelete: "restrict",
      readRoles: ["tenant-admin"],
    };
    const name = `Hold${slug.replaceAll("-", "")}`;
    const type = { name, slug: `hold-${slug}`, properties: { [secretName]: of } };
    const admin = the.as("tenant-admin");
    good(await admin.post("/v4/data/resources/object-types", type, { headers }));
    const holds = `/v4/data/resources/${workspace}/${type.slug}`;
    const hold = idOf(good(await admin.post(holds, { [secretName]: id })));
    const staff = the.as("tenant-staff");
    const preview = good(await staff.get(`${world.path}/${id}/deletion`));
    const refused = await staff.delete(`${world.path}/${id}`);
    const batch = await staff.post(`${world.path}/batch/delete`, { items: [{ id }] });
    expect(field(preview.json, "allowed")).toBe(false);
    expect(field(field(preview.json, "blockedBy"), "total")).toBe(2);
    expect([refused.status, field(refused.json, "total")]).toEqual([409, 2]);
    expectNothingOf(world, preview, refused, batch);
    for (const { text } of [preview, refused, batch]) expect(text).not.toContain(hold);
    expect((await admin.get(`${world.path}/${id}/deletion`)).text).toContain(hold);
  });

  test("a restore that a hidden field prevents shows neither name nor value", async () => {
    const rights = { readRoles: ["tenant-admin"], writeRoles: ["tenant-staff"] };
    const world = await furnished(platform(), rights);
    const { the, path, id, secretWord } = world;
    const admin = the.as("tenant-admin");
    good(await admin.patch(`${path}/${id}`, { data: { [secretName]: "other" } }));
    good(await admin.post(path, { title: "Holder", [secretName]: `a ${secretWord}` }));
    const staff = the.as("tenant-staff");
    const state = await staff.post(`${path}/${id}/restore`, { version: 2 });
    const made = idOf(good(await admin.post(path, { title: "Gone", [secretName]: "gone" })));
    good(await admin.delete(`${path}/${made}`));
    good(await admin.post(path, { title: "Next", [secretName]: "gone" }));
    const deleted = await staff.post(`${path}/${made}/restore`, {});
    expect([state.status, deleted.status]).toEqual([409, 409]);
    expectNothingOf(world, state, deleted);
    expect((await admin.post(`${path}/${made}/restore`, {})).text).toContain(secretName);
  });

  test("a restored state leaves no value of a hidden field that the caller may not write", async () => {
    const world = await hidden();
    const { the, path, id } = world;
    good(await the.as("tenant-admin").patch(`${path}/${id}`, { data: { [secretName]: "later" } }));
    const refused = await the.as("tenant-staff").post(`${path}/${id}/restore`, { version: 2 });
    expect(refused.status).toBe(403);
    expectNothingOf(world, refused);
  });

  test("counts and groups are those of records that a filter of readable fields finds", async () => {
    const world = await hidden();
    const { the, path } = world;
    const viewer = the.as("tenant-viewer");
    const metrics = { n: { op: "count" } };
    const by = (name: string) =>
      viewer.post(`${path}/aggregate`, { groupBy: [], metrics, where: { [name]: null } });
    const of = async (name: string) =>
      String(JSON.stringify(plain(await by(name)))).replaceAll(name, "NAME");
    expect(await of(secretName)).toBe(await of("nosuchfieldx"));
    const min = (name: string) =>
      viewer.post(`${path}/aggregate`, {
        groupBy: ["title"],
        metrics: { n: { op: "min", field: name } },
      });
    const least = await min(secretName);
    expect(least.status).toBe(422);
    expect(least.text).not.toContain(world.secretWord);
  });
});

import { expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import { raw, statement } from "#server/database/statement.ts";
import { Doctor } from "#server/domains/storage/doctor.ts";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices } from "#test/support/records.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const officer = definition({ name: "Officer", slug: "officer", properties: {} });
const site = definition({
  name: "Site",
  slug: "site",
  properties: { officer: { type: "reference", targetObjectType: "officer" } },
  linkTypes: [{ name: "helpers", targetObjectType: "officer", cardinality: "many" }],
});

describeOnEachDatabase("links that differ from the records", (open) => {
  test("the doctor names lost and left links, and makes them equal to the records", async () => {
    const database = await open();
    const { work, objectTypes, resources } = recordServices(database);
    const workspace = newWorkspace();
    await objectTypes.createAll(work, workspace, [officer, site]);
    const make = async (slug: string, data: JsonObject): Promise<string> =>
      (await resources.create(work, workspace, slug, data)).id;
    const [ada, bo] = [await make("officer", {}), await make("officer", {})];
    const data = { officer: ada, helpers: [ada, bo] };
    // More than a page of links, so that the check and the repair read several.
    const sites = await Promise.all(Array.from({ length: 260 }, () => make("site", data)));
    const gone = Bun.randomUUIDv7();
    const [first = "", second = "", third = ""] = sites;
    const links = async () =>
      database.read.all(statement`select path, target_id, source_id from record_links
        where workspace_id = ${workspace} order by path, target_id, source_id`);
    const sound = await links();
    const examine = async (fix: boolean) => {
      const blobs = createDiskBlobStore(await temporaryDirectory("blobs"));
      const doctor = new Doctor({ work, reader: work.read, blobs, fix, withDigests: false });
      await doctor.checkWorkspace(workspace);
      return { findings: doctor.findings, fixed: doctor.fixed.size };
    };
    expect(await examine(false)).toEqual({ findings: [], fixed: 0 });

    const lost = (source: string, path: string) => statement`delete from record_links
      where workspace_id = ${workspace} and source_id = ${source} and path = ${path}`;
    const left = (source: string, target: string) => statement`insert into record_links
      select workspace_id, type_number, path, ${target}, ${source} from record_links
      where workspace_id = ${workspace} and path = ${raw("'officer'")} limit 1`;
    await database.write(async (tx) => {
      await tx.run(lost(first, "officer"));
      await tx.run(lost(second, "helpers"));
      await tx.run(left(third, bo));
      await tx.run(left(gone, ada));
    });
    const { findings } = await examine(false);
    expect(findings).toMatchObject([
      { code: "links-out-of-step", subject: "site", severity: "error", count: 5 },
    ]);
    expect(findings[0]?.examples.toSorted()).toEqual(
      [
        `${first} officer ${ada}`,
        `${second} helpers ${ada}`,
        `${second} helpers ${bo}`,
        `${third} officer ${bo}`,
        `${gone} officer ${ada}`,
      ].toSorted(),
    );
    expect(await examine(true)).toMatchObject({ fixed: 1 });
    expect(await links()).toEqual(sound);
    expect(await examine(false)).toEqual({ findings: [], fixed: 0 });
  });
});

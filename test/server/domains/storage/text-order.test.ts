import { expect, test } from "vitest";
import { raw } from "#server/database/statement.ts";
import { Doctor } from "#server/domains/storage/doctor.ts";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, typedWorkspace } from "#test/support/records.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const tree = definition({ properties: { name: { type: "string", indexed: true } } });

describeOnEachDatabase("folded texts that differ from the records", (open) => {
  test("are named by the doctor and made again, so that texts sort as before", async () => {
    const database = await open();
    const { work, resources, workspace } = await typedWorkspace(database, tree);
    const ids: string[] = [];
    for (const name of ["Zar", "Äpfel", "apfel", "Öl"]) {
      ids.push((await resources.create(work, workspace, "thing", { name })).id);
    }
    const names = async (): Promise<unknown[]> =>
      (await resources.list(work, workspace, "thing", { limit: 10, sort: "name" })).items.map(
        ({ data }) => data["name"],
      );
    const sound = ["apfel", "Äpfel", "Öl", "Zar"];
    expect(await names()).toEqual(sound);
    const blobs = createDiskBlobStore(await temporaryDirectory("blobs"));
    const examine = async (fix: boolean) => {
      const doctor = new Doctor({ work, reader: work.read, blobs, fix, withDigests: false });
      await doctor.checkWorkspace(workspace);
      return { findings: doctor.findings, fixed: doctor.fixed.size };
    };
    expect(await examine(false)).toEqual({ findings: [], fixed: 0 });

    // A build that does not know the folded texts writes records without them.
    await database.write((tx) => tx.run(raw("update resources set folds = null")));
    expect(await names()).not.toEqual(sound);
    const { findings } = await examine(false);
    expect(findings).toMatchObject([
      { code: "order-out-of-step", subject: "thing", severity: "error", count: 2, fixable: true },
    ]);
    expect(findings[0]?.examples).toEqual([ids[1], ids[3]]);
    expect(await examine(true)).toMatchObject({ fixed: 1 });
    expect(await names()).toEqual(sound);
    expect(await examine(false)).toEqual({ findings: [], fixed: 0 });
  });
});

import { expect, test } from "vitest";
import { raw } from "#server/database/statement.ts";
import { describePlatform } from "#test/support/platform.ts";
import { eventually } from "#test/support/eventually.ts";
import { addNote, addPlan, fill } from "../../move/moved-platforms.ts";
import { backupPlace, checkOf, flipBit, namesOf, takeOf } from "../stored-backups.ts";

describePlatform("the check of a backup", (the) => {
  test("finds a flipped bit in any of its objects, and an object that is missing", async () => {
    const stored = await backupPlace();
    await fill(the());
    await addPlan(the(), await addNote(the(), 1_000));
    const { name } = await takeOf(the(), stored);
    const objects = [
      ...(await namesOf(stored.place, "sets")),
      ...(await namesOf(stored.place, "blobs")),
    ];
    expect(objects).toHaveLength(6);
    for (const object of objects) {
      const whole = (await stored.place.read(object)) ?? new Uint8Array();
      for (const at of [0, 0.5, 0.999]) {
        await flipBit(stored.place, object, at);
        expect(await checkOf(the(), stored, name)).toMatchObject({ ok: false });
        await stored.place.put(object, whole);
      }
      await stored.place.remove(object);
      const gone = await checkOf(the(), stored, name).catch((error: unknown) => error);
      expect(gone).not.toMatchObject({ ok: true });
      await stored.place.put(object, whole);
    }
    expect(await checkOf(the(), stored, name)).toMatchObject({ ok: true, faults: [] });
  });

  test("finds an audit log that was cut before the backup", async () => {
    const stored = await backupPlace();
    const { platform } = the();
    const work = platform.platformWork("a test that alters the log");
    await eventually(() =>
      work.write((tx) =>
        tx.run(raw("update audit_heads set digest = 'x' where workspace_id <> ''")),
      ),
    );
    const { name } = await takeOf(the(), stored);
    const { ok, faults } = await checkOf(the(), stored, name);
    expect(ok).toBe(false);
    expect(faults.join("\n")).toContain("audit log");
  });
});

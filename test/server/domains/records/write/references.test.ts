import { beforeAll, expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { testWorks } from "#test/support/work.ts";
import { ensureLedger, makeRecord, unknownId } from "../routes/ledger.ts";

describePlatform("a record that others refer to, of a type older than onDelete", (the) => {
  beforeAll(async () => {
    await ensureLedger(the());
    const database = await openPlatformDatabase({ url: the().databaseUrl, isExclusive: false });
    await testWorks(database).work.write((tx) =>
      tx.run(statement`update object_types set on_delete = 'keep'`),
    );
    await database.close();
    const headers = { "x-tenant-id": the().workspaces.tenant };
    const builder = the().as("tenant-builder");
    const { json } = await builder.get("/v4/data/resources/object-types", { headers });
    const id = String(field(field(field(json, "items"), "0"), "id"));
    const change = { description: "The platform reads it again" };
    await builder.patch(`/v4/data/resources/object-types/${id}`, change, { headers });
  });

  const place = (id: string): string =>
    `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}`;

  /** A record whose parent was deleted. */
  async function orphan(): Promise<{ id: string; reference: string; parent: string }> {
    const parent = (await makeRecord(the())).id;
    const child = await makeRecord(the(), { parent, title: "child" });
    const deleted = await the().as("tenant-staff").delete(place(parent));
    expect(deleted.status).toBe(204);
    return { id: child.id, reference: child.reference, parent };
  }

  test("can be deleted, and records that refer to it can still be changed", async () => {
    const { id, reference, parent } = await orphan();
    const staff = the().as("tenant-staff");
    const kept = { reference, parent, title: "renamed", status: "open" };
    const renamed = await staff.put(place(id), { data: kept, version: 1 });
    expect(renamed.json).toMatchObject({ version: 2, data: { parent, title: "renamed" } });
    const batch = `/v4/data/resources/${the().workspaces.tenant}/ledger/batch/update`;
    const again = await staff.post(batch, [{ id, data: kept, version: 2 }]);
    expect(again.json).toMatchObject({ succeeded: 1, results: [{ version: 3 }] });
    const by = { parameters: { by: "Ann" } };
    const closed = await staff.post(`${place(id)}/actions/close`, by);
    expect(closed.json).toMatchObject({ version: 4, data: { parent, status: "closed" } });
    const removed = await staff.put(place(id), { data: { reference }, version: 4 });
    expect(removed.status).toBe(200);
    // It is new again, and its target is missing.
    const back = await staff.put(place(id), { data: { reference, parent }, version: 5 });
    expect(back.json).toMatchObject({ status: 422, errors: [{ pointer: "#/data/parent" }] });
  });

  test("does not allow another reference to a missing record", async () => {
    const { id, reference } = await orphan();
    const data = { reference, parent: unknownId };
    const answered = await the().as("tenant-staff").put(place(id), { data, version: 1 });
    expect(answered.json).toMatchObject({ status: 422, errors: [{ pointer: "#/data/parent" }] });
  });

  test("leaves references that the doctor reports", async () => {
    const { id, parent } = await orphan();
    const path = `/v4/data/resources/${the().workspaces.tenant}/storage/doctor`;
    const { json } = await the().as("tenant-builder").get(path);
    const findings = field(json, "findings");
    expect(json).toMatchObject({
      ok: false,
      findings: [
        {
          code: "reference-dangling",
          subject: "ledger",
          severity: "warning",
          mend: "Remove or replace the references with `svc resources update`",
        },
      ],
    });
    expect(field(field(findings, "0"), "examples")).toContain(`${id} #/parent ledger ${parent}`);
  });
});

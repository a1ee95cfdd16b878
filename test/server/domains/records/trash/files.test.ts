import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { makeRecord } from "../routes/ledger.ts";

describePlatform(
  "files in the trash",
  (the) => {
    async function place() {
      const { id } = await makeRecord(the());
      const record = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}`;
      const file = `${record}/files/attachment`;
      const staff = the().as("tenant-staff");
      const put = async (text: string): Promise<void> => {
        const headers = { "content-type": "text/plain" };
        const options = { rawBody: text, headers };
        expect((await staff.post(`${file}?filename=a.txt`, undefined, options)).status).toBe(201);
      };
      return { staff, record, file, put };
    }

    test("a replaced file comes back with its version, and the newer one is kept in turn", async () => {
      const { staff, record, file, put } = await place();
      await put("first");
      await put("second");
      const restored = await staff.post(`${record}/restore`, { version: 2 });
      expect(restored.json).toMatchObject({ version: 4, data: { attachment: { size: 5 } } });
      expect((await staff.get(file)).text).toBe("first");
      expect((await staff.post(`${record}/restore`, { version: 3 })).status).toBe(200);
      expect((await staff.get(file)).text).toBe("second");
      expect((await staff.post(`${record}/restore`, { version: 1 })).status).toBe(200);
      expect((await staff.get(file)).status).toBe(404);
    });

    test("a deleted record comes back with its file, which no link reads in between", async () => {
      const { staff, record, file, put } = await place();
      await put("kept");
      expect((await staff.delete(record)).status).toBe(204);
      expect((await staff.get(file)).status).toBe(404);
      expect((await staff.get(`${file}@2`)).status).toBe(404);
      expect((await staff.post(`${record}/restore`)).status).toBe(200);
      expect((await staff.get(file)).text).toBe("kept");
    });

    test("a file is gone after the time of the trash", async () => {
      const { staff, record, put } = await place();
      await put("old");
      await put("new");
      the().advance(31 * 60 * 1000);
      const { json } = await staff.post(`${record}/restore`, { version: 2 });
      expect(json).toMatchObject({ code: "not-restorable" });
      expect(field(field(field(json, "conflicts"), "0"), "reason")).toBe("file-missing");
    });
  },
  { options: { limits: { trashDays: 1 / 48 } } },
);

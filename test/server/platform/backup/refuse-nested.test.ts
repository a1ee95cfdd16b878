import { expect, test } from "vitest";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import {
  isInside,
  refuseInsideBackup,
  refuseInsideData,
} from "#server/platform/backup/refuse-nested.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a folder is inside another one also by a link, and before it exists", async () => {
  const root = await temporaryDirectory();
  const data = join(root, "data");
  await mkdir(join(data, "sub"), { recursive: true });
  await symlink(join(data, "sub"), join(root, "link"));
  const cases = [
    data,
    join(data, "new/deep"),
    join(root, "link/x"),
    join(root, "data2"),
    root,
    join(root, "..data"),
  ];
  expect(await Promise.all(cases.map((path) => isInside(path, data)))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  await expect(refuseInsideData(join(data, "b"), data)).rejects.toMatchObject({ code: "E305" });
  await expect(refuseInsideBackup(join(data, "b"), data)).rejects.toThrow("is inside the backup");
  await refuseInsideData(join(root, "b"), data);
  await refuseInsideBackup(join(root, "b"), data);
});

import { expect, test } from "vitest";
import {
  isBucket,
  notInPlace,
  openBackupPlace,
} from "#server/platform/backup/place/backup-place.ts";

test("a place is a folder, or a bucket with credentials", async () => {
  expect(["s3://b/x", "S3://b", "/s3/b", "s3"].map(isBucket)).toEqual([true, true, false, false]);
  await expect(openBackupPlace("s3://b/x", undefined)).rejects.toThrow("no credentials");
  expect(notInPlace("Backup x")).toMatchObject({ code: "E202" });
});

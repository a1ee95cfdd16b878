import { expect, test } from "vitest";
import { openBucketPlace } from "#server/platform/backup/place/bucket-place.ts";
import { parseFilesUrl } from "#server/files/s3/files-url.ts";
import { StorageError } from "#server/kit/storage-errors.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { namesOf } from "../stored-backups.ts";

test("a bucket keeps objects under its prefix, and says when it is away", async () => {
  await using server = S3Server.start({ directory: await temporaryDirectory("s3"), pageKeys: 2 });
  const { accessKeyId, secretAccessKey, endpoint, region } = server;
  const location = parseFilesUrl(`s3://files/some/prefix?endpoint=${endpoint}&region=${region}`);
  const place = openBucketPlace(
    location,
    { accessKeyId, secretAccessKey },
    { firstPauseMs: 1, longestPauseMs: 2, attempts: 2 },
  );
  for (const name of ["sets/a.1", "sets/b.1", "sets/c.1", "other/d.1"]) {
    await place.put(name, Buffer.from(name));
  }
  expect(await namesOf(place, "sets")).toEqual(["sets/a.1", "sets/b.1", "sets/c.1"]);
  expect(Buffer.from((await place.read("sets/b.1")) ?? "").toString()).toBe("sets/b.1");
  await place.remove("sets/b.1");
  expect(await place.read("sets/b.1")).toBeUndefined();
  await server.down();
  await expect(place.put("sets/e.1", Buffer.from("e"))).rejects.toThrow(StorageError);
  await expect(place.read("sets/a.1")).rejects.toThrow(StorageError);
});

import { S3Bucket } from "../../../files/s3/bucket.ts";
import { defaultS3Limits, S3Connection, type S3Limits } from "../../../files/s3/s3-connection.ts";
import { urlOf, type FilesCredentials, type S3Location } from "../../../files/s3/files-url.ts";
import type { BackupPlace } from "./placed-objects.ts";

/** Keeps backups in an S3-compatible store, under the prefix of its URL. */
export function openBucketPlace(
  location: S3Location,
  credentials: FilesCredentials,
  limits: Partial<S3Limits> = {},
): BackupPlace {
  const connection = new S3Connection(location, credentials, { ...defaultS3Limits, ...limits });
  const bucket = new S3Bucket(connection);
  const start = location.prefix === "" ? "" : `${location.prefix}/`;
  return {
    name: `s3://${location.bucket}/${location.prefix} at ${new URL(urlOf(location, "")).host}`,
    put: (name, bytes, signal) =>
      bucket.put(
        start + name,
        {
          size: bytes.byteLength,
          sha256: Bun.CryptoHasher.hash("sha256", bytes, "hex"),
          async *open() {
            yield bytes;
          },
        },
        signal,
      ),
    async read(name) {
      const size = await bucket.size(start + name);
      if (size === undefined) return undefined;
      const bytes = new Uint8Array(size);
      let filled = 0;
      for await (const chunk of bucket.read(start + name, 0, size)) {
        bytes.set(chunk, filled);
        filled += chunk.byteLength;
      }
      return bytes;
    },
    async *list(folder) {
      for await (const { key, size } of bucket.listAll(`${start}${folder}/`)) {
        yield { name: key.slice(start.length), size };
      }
    },
    remove: (name) => bucket.remove(start + name),
  };
}

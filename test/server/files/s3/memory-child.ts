/**
 * Stores and reads a large file in a separate process: prints the most additional memory in bytes,
 * as one line of JSON.
 */
import { parseFilesUrl } from "#server/files/s3/files-url.ts";
import { createS3BlobStore } from "#server/files/s3/s3-blob-store.ts";

const [filesUrl = "", accessKeyId = "", secretAccessKey = "", directory = "", mebibytes = ""] =
  process.argv.slice(2);
const mebibyte = 1024 * 1024;
const workspaceId = "0192f000-0000-7000-8000-000000000001";
const blobs = createS3BlobStore({
  location: parseFilesUrl(filesUrl),
  credentials: { accessKeyId, secretAccessKey },
  directory,
});

/** Different chunks in one buffer. */
async function* content(count: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(64 * 1024).fill(7);
  const view = new DataView(piece.buffer);
  for (let index = 0; index < count * 16; index += 1) {
    view.setUint32(0, index);
    yield piece;
  }
}

async function roundTrip(count: number): Promise<{ sha256: string; read: string; lent: number }> {
  const staged = await blobs.stage(workspaceId, content(count), { limitBytes: 1e12 });
  await staged.publish();
  await staged.discard();
  const { address } = staged;
  const hasher = new Bun.CryptoHasher("sha256");
  const opened = await blobs.open(address);
  for await (const chunk of opened?.stream() ?? []) hasher.update(chunk);
  const lent = await blobs.withFile(address, async (path) => Bun.file(path).size);
  return { sha256: address.sha256, read: hasher.digest("hex"), lent };
}

// Memory that the first request needs once is not counted.
await roundTrip(1);
Bun.gc(true);
await Bun.write("/proc/self/clear_refs", "5");
const before = await memory("VmRSS");
const { sha256, read, lent } = await roundTrip(Number(mebibytes));
const extraMebibytes = Math.round(((await memory("VmHWM")) - before) / mebibyte);
console.log(JSON.stringify({ extraMebibytes, isSame: sha256 === read, lent }));

/** Bytes: `VmRSS` is the current memory, `VmHWM` the most since `clear_refs`. */
async function memory(name: string): Promise<number> {
  const status = await Bun.file("/proc/self/status").text();
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
}

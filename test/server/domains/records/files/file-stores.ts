import { mkdtempSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import {
  describePlatform,
  type Answered,
  type Caller,
  type TestPlatform,
} from "#test/support/platform.ts";
import { S3Server } from "#test/support/s3/server.ts";
import { eventually } from "#test/support/eventually.ts";
import { makeRecord } from "../routes/ledger.ts";

export const digestOf = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");

/** A record, and where the file of a property of it is. */
export interface FilePlace {
  readonly id: string;
  readonly reference: string;
  readonly record: string;
  readonly path: string;
}

/** One platform with one kind of file store, and what tests of files ask of it. */
export interface FileWorld {
  readonly platform: TestPlatform;
  readonly staff: Caller;
  readonly viewer: Caller;
  /** A new record, by default with the property that takes any file. */
  place(property?: string): Promise<FilePlace>;
  /** Uploads a file as staff. */
  put(
    path: string,
    bytes: string,
    filename?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
  isStored(text: string): Promise<boolean>;
  /** Waits until the store no longer has these bytes. */
  isGone(text: string): Promise<void>;
}

/** No trash: the bytes are removed at once. */
const limits = { trashDays: 0 };

/** The same tests on both databases and with both kinds of file store. */
export function describeEachStore(name: string, body: (the: () => FileWorld) => void): void {
  describePlatform(
    `${name}, kept on a disk,`,
    (the) => {
      const stored = async (): Promise<string[]> => {
        const root = join(the().dataDirectory, "blobs", the().workspaces.tenant);
        const names = await readdir(root, { recursive: true }).catch(() => []);
        return names.flatMap((path) => /[0-9a-f]{64}$/.exec(path) ?? []);
      };
      body(() => worldOf(the(), stored));
    },
    { options: { limits } },
  );

  // Each file has its own: a directory of this module would be removed after the first file.
  const directory = mkdtempSync(join(tmpdir(), "svc-s3-"));
  const server = S3Server.start({ directory });
  afterAll(async () => {
    await server.down();
    await rm(directory, { recursive: true, force: true });
  });
  const { endpoint, region, accessKeyId, secretAccessKey } = server;
  const options = {
    limits,
    filesUrl: `s3://files/svc?endpoint=${endpoint}&region=${region}`,
    filesCredentials: { accessKeyId, secretAccessKey },
  };
  describePlatform(
    `${name}, kept in an S3-compatible store,`,
    (the) => {
      const stored = async (): Promise<string[]> =>
        [...server.bucket().objects.keys()]
          .filter((key) => key.startsWith(`svc/${the().workspaces.tenant}/`))
          .map((key) => key.slice(-64));
      body(() => worldOf(the(), stored));
    },
    { options },
  );
}

function worldOf(platform: TestPlatform, stored: () => Promise<string[]>): FileWorld {
  const staff = platform.as("tenant-staff");
  const isStored: FileWorld["isStored"] = async (text) => (await stored()).includes(digestOf(text));
  return {
    platform,
    staff,
    viewer: platform.as("tenant-viewer"),
    async place(property = "attachment") {
      const { id, reference } = await makeRecord(platform);
      const record = `/v4/data/resources/${platform.workspaces.tenant}/ledger/${id}`;
      return { id, reference, record, path: `${record}/files/${property}` };
    },
    put: (path, bytes, filename = "a.txt", headers = {}) =>
      staff.post(`${path}?filename=${encodeURIComponent(filename)}`, undefined, {
        rawBody: bytes,
        headers: { "content-type": "text/plain", ...headers },
      }),
    isStored,
    isGone: (text) => eventually(async () => expect(await isStored(text)).toBe(false)),
  };
}

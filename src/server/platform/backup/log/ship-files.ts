import { rm } from "node:fs/promises";
import type { Reader } from "../../../database/database.ts";
import type { BlobStore } from "../../../files/blob-store.ts";
import type { PublishedFile } from "../../../files/published-files.ts";
import { keptPromise } from "../../../kit/background.ts";
import { blobReferences, isFileOwned } from "../../../files/reference-store.ts";
import { openPlatformDatabase } from "../../../schema/platform-database.ts";
import { maintenanceWork } from "../../../work/works.ts";
import { databaseUrlOf, openBlobs, type StorageLocation } from "../../storage-location.ts";
import type { BackupKeys } from "../place/backup-keys.ts";
import type { SealedObjects } from "../place/sealed-objects.ts";
import type { SetBlob, SetFile } from "../sets/backup-set.ts";
import {
  addNewestBlobs,
  namesOfBlobs,
  newObjectOf,
  placeFile,
  type NamesOfBlobs,
} from "../sets/placed-blobs.ts";
import { ScratchList, workFolder } from "../sets/scratch-list.ts";
import { filesSince, journalIn } from "./file-journal.ts";
import { newListName, openFileList, placedLists, storeFileList, timeOfList } from "./file-lists.ts";

export interface FileShipment extends StorageLocation {
  /** The folder of the journal of published files. */
  readonly filesFrom: string;
  /** How long lists of files are kept, in milliseconds. */
  readonly keptMs: number;
}

interface ShipperParts {
  readonly location: FileShipment;
  readonly objects: SealedObjects;
  readonly keys: BackupKeys;
  readonly signal: AbortSignal;
  /** A file that a record or document needs can't be read. */
  readonly onLost: (file: PublishedFile) => unknown;
}

interface OpenFiles {
  readonly source: BlobStore;
  readonly nameOf: NamesOfBlobs;
}

const listFiles = 200;
const listBytes = 64 * 1024 * 1024;

/**
 * Stores the files that a platform publishes, before the pieces of its log that name them. It finds
 * new ones in the journal, and at its start those that the newest backup lacks.
 */
export class FileShipper {
  #journal: { readonly path: string; offset: number } | undefined;
  #isCompared = false;

  #opened: Promise<OpenFiles> | undefined;

  private constructor(
    private readonly parts: ShipperParts,
    private readonly folder: string,
    /** The times of lists by the names of their contents. */
    private readonly listed: ScratchList,
  ) {}

  static async open(parts: ShipperParts): Promise<FileShipper> {
    const { location, objects } = parts;
    const folder = await workFolder(location.dataDirectory);
    const shipper = new FileShipper(parts, folder, ScratchList.in(folder));
    try {
      const lists = await placedLists(objects.place);
      for (const name of lists.names) {
        const { blobs } = await lists.read(name);
        for (const { blob } of blobs) shipper.listed.set(blob, String(timeOfList(name)));
      }
      return shipper;
    } catch (error) {
      await shipper.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.listed.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Stores all files that were published before the call; returns how many were new. */
  async ship(): Promise<number> {
    const path = await journalIn(this.parts.location.filesFrom);
    let shipped = 0;
    if (!this.#isCompared || path !== this.#journal?.path) {
      // The journal comes first, so that a file is in it or in the database.
      this.#journal = path === undefined ? undefined : { path, offset: 0 };
      shipped += await this.#shipMissing();
      this.#isCompared = true;
    }
    const journal = this.#journal;
    if (journal === undefined || Bun.file(journal.path).size <= journal.offset) return shipped;
    let [group, read]: [PublishedFile[], number] = [[], journal.offset];
    for await (const { file, end } of filesSince(journal.path, journal.offset)) {
      group.push(file);
      read = end;
      if (!isFull(group)) continue;
      shipped += await this.#store(group);
      [group, journal.offset] = [[], read];
    }
    shipped += await this.#store(group);
    journal.offset = read;
    return shipped;
  }

  /** A platform without files needs neither the file store nor the database. */
  #files(): Promise<OpenFiles> {
    const { location, keys } = this.parts;
    const { dataDirectory, keyFile } = location;
    return (this.#opened ??= keptPromise(
      withLive(location, async (read) => ({
        nameOf: await namesOfBlobs(read, { dataDirectory, keyFile, keys }),
        source: await openBlobs(location),
      })),
    ));
  }

  /** Stores the files that the database names and the newest backup lacks. */
  async #shipMissing(): Promise<number> {
    const { location, objects, signal } = this.parts;
    const placed = ScratchList.in(this.folder);
    try {
      // The first backup has all files of its time, and no piece is of use before it.
      if ((await addNewestBlobs(objects, placed)) === undefined) return 0;
      const { nameOf } = await this.#files();
      return await withLive(location, async (read) => {
        let [group, shipped]: [PublishedFile[], number] = [[], 0];
        for await (const file of blobReferences(read)) {
          signal.throwIfAborted();
          if (!file.isNeeded || placed.get(nameOf(file)) !== undefined) continue;
          group.push(file);
          if (!isFull(group)) continue;
          shipped += await this.#store(group);
          group = [];
        }
        return shipped + (await this.#store(group));
      });
    } finally {
      await placed.close();
    }
  }

  /** Stores the files that no list has, with a list of them; returns how many. */
  async #store(files: readonly PublishedFile[]): Promise<number> {
    if (files.length === 0) return 0;
    const { objects, signal } = this.parts;
    const { nameOf, source } = await this.#files();
    const isListed = (blob: string): boolean => {
      // The lists of the older half may be removed before the pieces that name the file.
      const listedMs = Number(this.listed.get(blob) ?? 0);
      return Date.now() - listedMs < this.parts.location.keptMs / 2;
    };
    const due = new Map<string, PublishedFile>();
    for (const file of files) {
      const blob = nameOf(file);
      if (!isListed(blob)) due.set(blob, file);
    }
    if (due.size === 0) return 0;
    const nowMs = Date.now();
    const name = newListName(nowMs);
    const named = [...due].map(([blob, file]) => ({ blob, file, object: newObjectOf(blob) }));
    await openFileList(
      objects.place,
      name,
      named.map(({ object }) => object),
    );
    const [stored, contents]: [SetFile[], SetBlob[]] = [[], []];
    for (const { blob, file, object } of named) {
      signal.throwIfAborted();
      const content = await placeFile(objects, source, file, { blob, object });
      if (content === undefined) {
        await this.#noteMissing(file);
        continue;
      }
      contents.push(content);
      const { workspaceId, sha256, size } = file;
      stored.push({ workspaceId, sha256, size, blob });
    }
    await storeFileList(objects, name, { files: stored, blobs: contents });
    for (const { blob } of contents) this.listed.set(blob, String(nowMs));
    return stored.length;
  }

  /** A file whose document was deleted since is not lost, nor one of an upload that failed. */
  async #noteMissing(file: PublishedFile): Promise<void> {
    const isOwned = await withLive(this.parts.location, (read) => isFileOwned(read, file));
    if (isOwned) await this.parts.onLost(file);
  }
}

function isFull(group: readonly PublishedFile[]): boolean {
  return group.length >= listFiles || group.reduce((sum, { size }) => sum + size, 0) >= listBytes;
}

/** Runs work on the database of the platform that serves meanwhile. */
async function withLive<Result>(
  location: StorageLocation,
  work: (read: Reader) => Promise<Result>,
): Promise<Result> {
  const url = databaseUrlOf(location);
  const live = await openPlatformDatabase({ url, isExclusive: false, poolSize: 1 });
  try {
    return await work(maintenanceWork(live, "the files of the log").read);
  } finally {
    await live.close();
  }
}

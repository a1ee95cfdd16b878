import { chmod, open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { given } from "#lib/given.ts";
import { parsedJson } from "#lib/json/value.ts";
import { version } from "#lib/version.ts";
import type { Reader } from "../../../database/database.ts";
import { ExecutingReader } from "../../../database/reader.ts";
import { inPostgresqlSnapshot } from "../../move/postgresql-side.ts";
import { copyState } from "../../../database/sqlite/log/copy-state.ts";
import { SqliteConnection } from "../../../database/sqlite/sqlite-connection.ts";
import { identifier, raw, statement } from "../../../database/statement.ts";
import { neededKeyId } from "../../../domains/secrets/service.ts";
import { blobReferences, isFileOwned } from "../../../files/reference-store.ts";
import {
  databaseUrlOf,
  openBlobs,
  requireData,
  sqliteFileOf,
  type StorageLocation,
} from "../../storage-location.ts";
import { openPlatformDatabase } from "../../../schema/platform-database.ts";
import { maintenanceWork } from "../../../work/works.ts";
import { readErasureList } from "../erasure-lists.ts";
import type { BackupKeys } from "../place/backup-keys.ts";
import { linesOf, type SealedObjects } from "../place/sealed-objects.ts";
import {
  newSetName,
  partName,
  setBlob,
  setFile,
  writeManifest,
  type SetBlob,
  type SetFile,
  type SetManifest,
} from "./backup-set.ts";
import { storePosition } from "../log/placed-log.ts";
import {
  earlierBlobs,
  namesOfBlobs,
  newObjectOf,
  placeFile,
  type NamesOfBlobs,
} from "./placed-blobs.ts";
import { workFolder, type ScratchList } from "./scratch-list.ts";
import { dumpedRows, type TableFacts } from "./row-dump.ts";

export interface TakeSetOptions extends StorageLocation {
  readonly objects: SealedObjects;
  readonly keys: BackupKeys;
  /** True if the log of SQLite continues the backup; the process must serve no platform. */
  readonly hasLog?: boolean | undefined;
  readonly now?: (() => Date) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onFile?: ((files: number) => void) | undefined;
}

/**
 * Takes a backup into a place while the platform runs: one state of the database, and the files
 * that it names and that no earlier backup of the same keys has. It exists with its last object.
 */
export async function takeSet(options: TakeSetOptions): Promise<SetManifest> {
  requireData(options);
  const work = await workFolder(options.dataDirectory);
  try {
    return await new Taking(options, work).run();
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const listedFile = setFile
  .pick({ workspaceId: true, sha256: true, size: true })
  .extend({ isNeeded: z.boolean() });

interface TakenDatabase {
  readonly stateAt: string;
  readonly engine: SetManifest["engine"];
  readonly database: SetManifest["parts"]["database"];
  readonly tables: TableFacts;
  readonly migrations: string[];
}

class Taking {
  readonly #name: string;
  readonly #createdAt: string;
  readonly #now: () => Date;

  constructor(
    private readonly options: TakeSetOptions,
    private readonly work: string,
  ) {
    this.#now = options.now ?? (() => new Date());
    const now = this.#now();
    this.#name = newSetName(now);
    this.#createdAt = now.toISOString();
  }

  async run(): Promise<SetManifest> {
    const { objects, keys, dataDirectory } = this.options;
    const taken = await this.#takeDatabase();
    const url = databaseUrlOf(this.options);
    const live = await openPlatformDatabase({ url, isExclusive: false, poolSize: 1 });
    try {
      const { read } = maintenanceWork(live, "the files of a backup");
      const [keyId, nameOf] = [await neededKeyId(read), await namesOfBlobs(read, this.options)];
      const earlier = await earlierBlobs(objects, this.work);
      const copied = await this.#copyFiles(read, nameOf, earlier);
      await earlier.close();
      const erasures = await this.#put("erasures", linesIn(await readErasureList(dataDirectory)));
      return await writeManifest(objects.place, {
        format: "svc-backup-set",
        formatVersion: 1,
        name: this.#name,
        createdAt: this.#createdAt,
        stateAt: taken.stateAt,
        svcVersion: version,
        engine: taken.engine,
        migrations: taken.migrations,
        ...given({ keyId }),
        recipients: [...keys.recipients],
        parts: {
          database: taken.database,
          files: await this.#put("files", Bun.file(this.#fileList).stream()),
          blobs: await this.#put("blobs", Bun.file(this.#blobList).stream()),
          erasures,
        },
        tables: taken.tables,
        files: copied,
      });
    } finally {
      await live.close();
    }
  }

  /** Stores the database, and leaves the list of its files in the work folder. */
  async #takeDatabase(): Promise<TakenDatabase> {
    const path = sqliteFileOf(this.options);
    if (path !== undefined) return this.#takeSqlite(path);
    return inPostgresqlSnapshot(databaseUrlOf(this.options), async (snapshot) => {
      const stateAt = this.#now().toISOString();
      const tables: TableFacts = {};
      const database = await this.#put("database", dumpedRows(snapshot, tables));
      await this.#listFiles(snapshot.reader);
      const migrations = await migrationsOf(snapshot.reader);
      return { stateAt, engine: "postgresql", database, tables, migrations };
    });
  }

  async #takeSqlite(path: string): Promise<TakenDatabase> {
    const target = join(this.work, "svc.db");
    let readAt: Date | undefined;
    if (this.options.hasLog === true) {
      const copied = await copyState(path, target, this.#now);
      const { place } = this.options.objects;
      if (copied !== undefined) {
        const { salt, frame } = copied;
        await storePosition(place, this.#name, { salt, frame });
        ({ readAt } = copied);
      }
    } else {
      const live = new SqliteConnection(path, { readonly: true });
      try {
        live.execute("pragma busy_timeout = 5000");
        live.run("vacuum into ?", [target]);
      } finally {
        live.close();
      }
      await chmod(target, 0o600);
    }
    const stateAt = (readAt ?? this.#now()).toISOString();
    const copy = new SqliteConnection(target, { readonly: true });
    try {
      const reader = new ExecutingReader("sqlite", (text, parameters) =>
        Promise.resolve(copy.run(text, parameters)),
      );
      await this.#listFiles(reader);
      const [tables, migrations] = [await countedTables(reader), await migrationsOf(reader)];
      const database = await this.#put("database", Bun.file(target).stream());
      return { stateAt, engine: "sqlite", database, tables, migrations };
    } finally {
      copy.close();
    }
  }

  #put(part: keyof SetManifest["parts"], content: AsyncIterable<Uint8Array>) {
    const isSealed = part !== "blobs";
    const form = { isSealed, isCompressed: part === "database" };
    return this.options.objects.put(partName(this.#name, part), content, form);
  }

  get #list(): string {
    return join(this.work, "references.ndjson");
  }

  get #fileList(): string {
    return join(this.work, "files.ndjson");
  }

  get #blobList(): string {
    return join(this.work, "blobs.ndjson");
  }

  async #listFiles(reader: Reader): Promise<void> {
    const list = await open(this.#list, "w", 0o600);
    try {
      for await (const each of blobReferences(reader)) {
        await list.writeFile(`${JSON.stringify(each)}\n`);
      }
    } finally {
      await list.close();
    }
  }

  /** Copies the files, and leaves the lists of files and contents in the work folder. */
  async #copyFiles(
    live: Reader,
    nameOf: NamesOfBlobs,
    earlier: ScratchList,
  ): Promise<SetManifest["files"]> {
    const files = await open(this.#fileList, "w", 0o600);
    const blobs = await open(this.#blobList, "w", 0o600);
    try {
      const note = (to: FileHandle, content: object): Promise<void> =>
        to.writeFile(`${JSON.stringify(content)}\n`);
      return await this.#copyListed(
        live,
        { nameOf, earlier },
        {
          file: (content) => note(files, content),
          blob: (content) => note(blobs, content),
        },
      );
    } finally {
      await Promise.all([files.close(), blobs.close()]);
    }
  }

  async #copyListed(
    live: Reader,
    known: { readonly nameOf: NamesOfBlobs; readonly earlier: ScratchList },
    note: {
      readonly file: (content: SetFile) => Promise<void>;
      readonly blob: (content: SetBlob) => Promise<void>;
    },
  ): Promise<SetManifest["files"]> {
    const { objects, signal, onFile } = this.options;
    const source = await openBlobs(this.options);
    const counts = { count: 0, bytes: 0, added: 0, addedBytes: 0, lost: 0 };
    for await (const text of linesOf(Bun.file(this.#list).stream())) {
      signal?.throwIfAborted();
      const file = listedFile.parse(parsedJson(text));
      const { workspaceId, sha256, size } = file;
      const blob = known.nameOf(file);
      const line = known.earlier.get(blob);
      const kept = line === undefined ? undefined : setBlob.parse(parsedJson(line));
      const stored =
        kept ?? (await placeFile(objects, source, file, { blob, object: newObjectOf(blob) }));
      if (stored === undefined) {
        // A file whose document was deleted after the snapshot is not lost.
        const isLost = file.isNeeded && (await isFileOwned(live, file));
        if (file.isNeeded) await note.file({ workspaceId, sha256, size, ...given({ isLost }) });
        counts.lost += isLost ? 1 : 0;
        continue;
      }
      await note.blob(stored);
      await note.file({ workspaceId, sha256, size, blob });
      counts.count += 1;
      counts.bytes += size;
      if (kept === undefined) {
        counts.added += 1;
        counts.addedBytes += size;
      }
      onFile?.(counts.count);
    }
    return counts;
  }
}

async function* linesIn(items: Iterable<object>): AsyncGenerator<Uint8Array, void, undefined> {
  for (const item of items) yield Buffer.from(`${JSON.stringify(item)}\n`);
}

async function migrationsOf(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ name: string }>(
    statement`select name from svc_migrations order by name`,
  );
  return rows.map(({ name }) => name);
}

async function countedTables(reader: Reader): Promise<TableFacts> {
  const tables: TableFacts = {};
  for (const { name } of await reader.all<{ name: string }>(raw(sqliteTables))) {
    const row = await reader.first<{ rows: number }>(
      statement`select count(*) as rows from ${identifier(name)}`,
    );
    tables[name] = { rows: Number(row?.rows) };
  }
  return tables;
}

const sqliteTables = `select name from pragma_table_list
  where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'`;

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shown } from "#cli/shown.ts";
import { usageError } from "#cli/errors.ts";
import { mayLackRoute } from "#client/failures.ts";
import { exportObjectTypes } from "#client/records/object-types-export.ts";
import type { Client } from "#client/surface.ts";
import { catalogError, CatalogError } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import type { ArchiveManifest } from "#contract/workspaces/archives.ts";
import {
  archiveBytes,
  archiveMark,
  type ArchivedItem,
  type WrittenParts,
} from "#lib/archive/write-archive.ts";
import { counted } from "#lib/text/counted.ts";
import { version } from "#lib/version.ts";
import type { CommandContext } from "../../../kit/context.ts";
import { everyWorkspace } from "../../../kit/workspaces/find.ts";
import { archivableType } from "./archived-type.ts";
import { archivedTime, recordLineOf, unknownTime, type ArchivedFileValue } from "./record-line.ts";
import { SpooledLines } from "./spooled-lines.ts";
import { standInId } from "./stand-in-ids.ts";

/** The groups that the public routes of the interface reach. */
const publicGroups: ReadonlySet<ArchiveGroup> = new Set(["types", "records"]);
const recordsAtOnce = 100;
/** Names of values that no type has; the values of further ones are counted together. */
const lostNamesAtMost = 1_000;

interface LeftOut {
  readonly part: string;
  readonly reason: string;
}

/** Throws the failure of a request for an archive, unless the platform lacks archives. */
export function requireLackOfArchives(
  failure: unknown,
  groups: readonly ArchiveGroup[] | undefined,
) {
  if (!(failure instanceof CatalogError) || !mayLackRoute(failure)) throw failure;
  const others = (groups ?? []).filter((group) => !publicGroups.has(group));
  if (others.length === 0) return;
  throw usageError(
    `The platform has no archives, and its public routes do not reach ${others.join(", ")}`,
    `Name groups that they reach: ${[...publicGroups].join(", ")}`,
  );
}

/**
 * An archive of a workspace whose platform makes none, written from its public routes: Object
 * Types, records and their files. The records are not those of one moment.
 */
export class PublicArchive {
  manifest: ArchiveManifest | undefined;
  readonly #leftOut: LeftOut[] = [];
  /** The number of values that no type has, by their types and names. */
  readonly #lost = new Map<string, number>();
  readonly #at = new Date().toISOString();
  readonly #groups: ReadonlySet<ArchiveGroup>;

  constructor(
    private readonly context: CommandContext,
    private readonly client: Client,
    groups: readonly ArchiveGroup[] | undefined,
  ) {
    this.#groups = new Set(groups ?? publicGroups);
  }

  /** Everything that the archive does not have, when its bytes are read. */
  get leftOut(): readonly LeftOut[] {
    const named = new Set(this.#leftOut.map(({ part }) => part));
    const lost = [...this.#lost].filter(([part]) => !named.has(part));
    const values = lost.map(([part, count]): LeftOut => {
      return {
        part,
        reason: `${counted(count, "value")} of a property that its type does not name`,
      };
    });
    return [...this.#leftOut, ...values];
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    const { client, context } = this;
    const { tenantId: id = "" } = client;
    const all = await everyWorkspace(await context.clientWithoutWorkspace(), {
      signal: context.signal,
    });
    const { slug = id, displayName = id } = all.find((each) => each.id === id) ?? {};
    const workspace = { id, slug, displayName };
    const folder = await mkdtemp(join(tmpdir(), "svc-archive-"));
    const spool = new SpooledLines(folder);
    try {
      yield* archiveBytes(this.#items(folder, spool), ({ parts, files }: WrittenParts) => {
        const groups = [...this.#groups];
        const written = parts.map((part) => ({ ...part }));
        const own = { ...archiveMark, createdAt: this.#at, svcVersion: version, workspace, groups };
        return (this.manifest = { ...own, parts: written, files, missing: [] });
      });
    } finally {
      spool.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async *#items(
    folder: string,
    spool: SpooledLines,
  ): AsyncGenerator<ArchivedItem, void, undefined> {
    const { client, context } = this;
    const { signal } = context;
    const all = await exportObjectTypes(client, { signal });
    const types = all.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
    const made = types.flatMap((type) => {
      const archivable = archivableType(type);
      return archivable === undefined ? [] : [{ type, archivable }];
    });
    for (const { slug, partial } of types) {
      if (!made.some(({ type }) => type.slug === slug)) {
        this.#leftOut.push({ part: slug, reason: "is not a type that can be made here" });
      }
      if (partial !== true) continue;
      await context.output.note(shown`${slug} has only the properties that you may read`);
    }
    this.#leftOut.push(...made.flatMap(({ archivable }) => archivable.leftOut));
    if (this.#groups.has("types")) {
      const lines = made.map(({ type, archivable }) => this.#typeLine(type, archivable));
      yield { kind: "rows", part: "object-types", lines };
    }
    if (!this.#groups.has("records")) return;
    const files = new SpooledFiles(client, spool, { path: join(folder, "file"), signal });
    for (const { type, archivable } of made) {
      const { properties } = archivable.definition as Pick<ObjectType, "properties">;
      yield* this.#recordItems({ ...type, properties }, files, spool);
    }
    yield { kind: "rows", part: "record-files", lines: [] };
    for (const lines of spool.sorted("record-file")) {
      yield { kind: "rows", part: "record-files", lines };
    }
  }

  #typeLine(
    type: ObjectType,
    { name, definition }: NonNullable<ReturnType<typeof archivableType>>,
  ): string {
    const created = archivedTime(type.created_at, unknownTime);
    return JSON.stringify({
      id: this.#idOf(type.id),
      slug: type.slug,
      name,
      status: "published",
      version: Math.max(1, type.version ?? 1),
      created_by: "",
      created_at: created,
      updated_by: "",
      updated_at: archivedTime(type.updated_at, created),
      definition,
    });
  }

  async *#recordItems(
    type: ObjectType,
    spooled: SpooledFiles,
    spool: SpooledLines,
  ): AsyncGenerator<ArchivedItem, void, undefined> {
    const { signal } = this.context;
    const part = `records/${type.slug}`;
    yield { kind: "rows", part, lines: [] };
    const fileNames = Object.entries(type.properties)
      .filter(([, definition]) => definition.type === "file")
      .map(([name]) => name);
    let count = 0;
    const options = { sort: "id", pageSize: recordsAtOnce, readAhead: true, signal };
    const pages = this.client.useResources(type.slug).pages(options);
    for await (const { items } of pages) {
      const lines: string[] = [];
      for (const record of items) {
        if (!spool.add(part, record.id)) continue;
        count += 1;
        const files = new Map<string, ArchivedFileValue>();
        for (const name of fileNames) {
          if ((record.data[name] ?? null) === null) continue;
          const { file, item } = await spooled.next(type.slug, record, name, this.#idOf);
          files.set(name, file);
          if (item !== undefined) yield item;
        }
        const lost = (name: string): void => this.#lose(type.slug, name);
        lines.push(recordLineOf(record, type, { idOf: this.#idOf, files, lost }));
      }
      yield { kind: "rows", part, lines };
      await this.context.output.progress(`${type.slug}: ${count.toLocaleString("en")} records`);
    }
  }

  #lose(slug: string, name: string): void {
    const isKnown = this.#lost.has(`${slug}.${name}`) || this.#lost.size < lostNamesAtMost;
    const value = isKnown ? `${slug}.${name}` : "further values";
    this.#lost.set(value, (this.#lost.get(value) ?? 0) + 1);
  }

  readonly #idOf = (id: string): string => standInId(this.client.tenantId ?? "", id);
}

/** Files that are read whole before they are written: an entry begins with its size. */
class SpooledFiles {
  constructor(
    private readonly client: Client,
    /** Takes the lines of the part with the files of records. */
    private readonly spool: SpooledLines,
    private readonly place: { readonly path: string; readonly signal: AbortSignal },
  ) {}

  /** A file of a record, and its item the first time that its bytes come. */
  async next(
    type: string,
    record: Resource,
    property: string,
    idOf: (id: string) => string,
  ): Promise<{ readonly file: ArchivedFileValue; readonly item: ArchivedItem | undefined }> {
    const { client, spool } = this;
    const { path, signal } = this.place;
    const content = await client.useResources(type).downloadFile(record.id, property, { signal });
    const hasher = new Bun.CryptoHasher("sha256");
    const writer = Bun.file(path).writer();
    let size = 0;
    for await (const chunk of content.chunks()) {
      hasher.update(chunk);
      size += chunk.byteLength;
      await writer.write(chunk);
    }
    await writer.end();
    const sha256 = hasher.digest("hex");
    const filename = (content.filename ?? property).slice(0, 255);
    const contentType = /^[\x20-\x7e]{1,255}$/.test(content.contentType)
      ? content.contentType
      : "application/octet-stream";
    const file = { filename, contentType, size, sha256 };
    const row = { resource_id: idOf(record.id), property, type };
    const line = { ...row, filename, content_type: contentType, size, sha256 };
    spool.add("record-file", JSON.stringify(line));
    if (!spool.add("file", sha256)) return { file, item: undefined };
    return { file, item: { kind: "file", sha256, size, content: Bun.file(path).stream() } };
  }
}

/** The manifest of a workspace whose platform makes no archives; the bytes are dropped. */
export async function publicManifest(
  context: CommandContext,
  client: Client,
): Promise<ArchiveManifest> {
  const archive = new PublicArchive(context, client, undefined);
  for await (const _bytes of archive.bytes()) context.signal.throwIfAborted();
  if (archive.manifest !== undefined) return archive.manifest;
  throw catalogError("E203", { details: "the archive has no manifest" });
}

import { pointer, Refusal } from "#contract/problems.ts";
import type { FileLink, FileValue, UploadedFile } from "#contract/resources/files.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { contentMissing, type StoredContent } from "../../../files/content-response.ts";
import type { StagedBlob } from "../../../files/blob-store.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { ChangeDetails } from "../../../work/change-event.ts";
import type { Facts, Transaction, Work } from "../../../work/work.ts";
import type { PlatformBase } from "../../base.ts";
import type { Reader } from "../../../database/database.ts";
import { recordById } from "../store/records.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { updateRecords } from "../store/write/write-records.ts";
import { putResourceFile, resourceFile, type ResourceFile } from "../store/record-files.ts";
import type { CompiledType, ObjectTypeService, ReadableType } from "../../object-types/service.ts";
import { acceptBlobs } from "../../../files/accept-blobs.ts";
import { Overtaken, readableIn, readUnderType, underType } from "../current-type.ts";
import type { Promisable } from "../../../kit/promisable.ts";
import { FileLinks, type FilePlace } from "./file-links.ts";
import { dataOf } from "../record.ts";
import { deniedAt, requireWritable } from "../rights/permitted-data.ts";
import { restorableUntil } from "../../../kit/limits.ts";
import { nextVersion } from "../write/update-records.ts";

export interface FileUpload {
  readonly filename: string;
  /** The media type as the client has declared it, with its parameters. */
  readonly contentType: string;
  /** The media type that the property must accept. */
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly ifMatch: VersionMatch | undefined;
  /** The request has an idempotency key: it may be a retry, made from an older version. */
  readonly isKeyed: boolean;
  readonly signal: AbortSignal;
  /** Refuses bytes with another digest than the announced one. */
  readonly verify: (staged: StagedBlob) => void;
  /** Claims the idempotency key for this content (see `UploadContext.claim`). */
  readonly claim: (fingerprint: string) => Promise<void>;
  readonly remember: (uploaded: UploadedFile, facts: Facts) => void;
}

/** Files of records (spec 2.4, 4.2): the file store has the bytes before a record names them. */
export class ResourceFiles {
  readonly limitBytes: number;
  readonly #links: FileLinks;

  constructor(
    private readonly base: PlatformBase,
    private readonly objectTypes: ObjectTypeService,
    /** True if a workspace exists and is not deleted, for requests without a caller. */
    private readonly isLiving: (workspaceId: string) => Promisable<boolean>,
  ) {
    this.limitBytes = base.limits.uploadBytes;
    this.#links = new FileLinks(base.secrets.for("file links"), base.now);
  }

  /**
   * Puts a file on a property, and replaces an older one. 404 without such a record or property,
   * 412 for a stale `If-Match`, 413, 415 for a media type that the property does not accept, 507
   * without space.
   */
  async upload(work: Work, place: FilePlace, upload: FileUpload): Promise<UploadedFile> {
    const { filename, contentType, signal } = upload;
    const type = await this.#requireProperty(work, place);
    requireWritableFile(work, type, place.property);
    requireAccepted(type.properties[place.property]?.accept, upload.mediaType);
    // This only spares a useless upload: the transaction checks again.
    const ifMatch = upload.isKeyed ? undefined : upload.ifMatch;
    await requireCurrent(work.read, type, place.id, ifMatch);
    const staged = await this.base.blobs.stage(place.workspaceId, upload.content, {
      limitBytes: this.limitBytes,
      signal,
    });
    try {
      upload.verify(staged);
      const { sha256 } = staged.address;
      await upload.claim(JSON.stringify([contentType, sha256]));
      const file = { filename, contentType, size: staged.size, sha256 };
      const uploaded = await this.#accept(work, place, upload, { staged, file });
      await staged.discard();
      return uploaded;
    } catch (error) {
      await this.base.removals.takeBack([staged]);
      throw error;
    } finally {
      // The bytes of a replaced file may be removed.
      this.base.removals.wake();
    }
  }

  /** The file of a property; 404 without one. */
  async open(work: Work, place: FilePlace): Promise<StoredContent> {
    return this.#stored(work, place, () => {});
  }

  /** A signed link that reads the file without a token until it expires. */
  async link(work: Work, place: FilePlace, baseUrl: string): Promise<FileLink> {
    const { sha256 } = await this.#require(work, place);
    return this.#links.make(baseUrl, { place, sha256 });
  }

  /** The file of a signed link: 403 for an invalid or expired link, 404 when the file is gone. */
  async openSigned(token: string): Promise<StoredContent> {
    const { place, sha256 } = this.#links.read(token);
    if (!(await this.isLiving(place.workspaceId))) throw new Refusal("not-found");
    const work = this.base.platformWork("the file of a signed link").within(place.workspaceId);
    return this.#stored(work, place, (file) => {
      if (file.sha256 === sha256) return;
      throw new Refusal("not-found", { detail: "The file of this link was replaced" });
    });
  }

  /** Removes the file from its property, as a new version of the record. */
  async delete(work: Work, place: FilePlace, ifMatch: VersionMatch | undefined): Promise<void> {
    const { slug, id, property, workspaceId } = place;
    await underType(work, this.objectTypes, workspaceId, slug, async (type) => {
      requireFileProperty(readableIn(work, type), property);
      requireWritableFile(work, type, property);
      return work.write(async (tx) => {
        const current = await requireCurrent(tx, type, id, ifMatch);
        if ((await resourceFile(tx, type, id, property)) === undefined) throw noFile(property);
        const stored = dataOf(type, current);
        const { [property]: _removed, ...data } = stored;
        const next = { stored, data, oid: work.scope.caller };
        const version = await this.#write(tx, type, current, next);
        reportFile(tx, place, { op: "deleted", version });
        tx.afterCommit(() => this.base.removals.wake());
      });
    });
  }

  async #accept(
    work: Work,
    place: FilePlace,
    upload: FileUpload,
    { staged, file }: { readonly staged: StagedBlob; readonly file: ResourceFile },
  ): Promise<UploadedFile> {
    const { workspaceId, slug, id, property } = place;
    const onWait = (): void => this.base.removals.wake();
    return acceptBlobs({ database: work, staged: [staged], onWait }, (requireStored) =>
      underType(work, this.objectTypes, workspaceId, slug, async (type) => {
        requireFileProperty(readableIn(work, type), property);
        requireWritableFile(work, type, property);
        return work.write(async (tx) => {
          await requireStored(tx);
          const current = await requireCurrent(tx, type, id, upload.ifMatch);
          const stored = dataOf(type, current);
          const data = withFile(type, stored, property, { ...file });
          const next = { stored, data, oid: work.scope.caller };
          const isNew = !Object.hasOwn(stored, property);
          const version = await this.#write(tx, type, current, next);
          reportFile(tx, place, { op: isNew ? "created" : "updated", version });
          const kept = { until: this.#keepUntil(), version: current.version };
          await putResourceFile(tx, type, { id, property }, file, kept);
          const uploaded = { property, ...file, version };
          upload.remember(uploaded, tx);
          return uploaded;
        });
      }),
    );
  }

  /** Writes the record's next version; returns its number. */
  async #write(
    tx: Transaction,
    type: CompiledType,
    current: StoredRecord,
    next: { readonly stored: JsonObject; readonly data: JsonObject; readonly oid: string },
  ): Promise<number> {
    const { stored, data, oid } = next;
    const checked = { data, faults: [], references: [] };
    const at = this.base.now().toISOString();
    const keepUntil = this.#keepUntil();
    const base = ["data"];
    const change = nextVersion(type, { current, stored, checked, base, at, oid, keepUntil });
    if ((await updateRecords(tx, type, [change], () => tx)).size === 0) throw new Overtaken();
    return change.record.version;
  }

  #keepUntil(): string | undefined {
    return restorableUntil(this.base.now(), this.base.limits.trashDays);
  }

  #requireProperty(work: Work, { workspaceId, slug, property }: FilePlace): Promise<ReadableType> {
    return readUnderType(work, this.objectTypes, workspaceId, slug, async (type) => {
      requireFileProperty(type, property);
      return type;
    });
  }

  async #require(work: Work, place: FilePlace): Promise<ResourceFile> {
    const type = await this.#requireProperty(work, place);
    const file = await resourceFile(work.read, type, place.id, place.property);
    if (file === undefined) throw noFile(place.property);
    return file;
  }

  async #stored(
    work: Work,
    place: FilePlace,
    requireExpected: (file: ResourceFile) => void,
  ): Promise<StoredContent> {
    for (let missing: string | undefined; ;) {
      const file = await this.#require(work, place);
      requireExpected(file);
      const { filename, contentType, size, sha256 } = file;
      const bytes = await this.base.blobs.open({ workspaceId: place.workspaceId, sha256 });
      if (bytes !== undefined) return { bytes, size, sha256, mediaType: contentType, filename };
      // Another file may have replaced it since it was read.
      if (sha256 === missing) throw contentMissing(`The file of ${place.property}`);
      missing = sha256;
    }
  }
}

/** The file's own event, next to that of its record. */
function reportFile(
  tx: Transaction,
  { workspaceId, slug, id, property }: FilePlace,
  details: Pick<ChangeDetails, "op" | "version">,
): void {
  tx.event("file", id, workspaceId, { type: slug, changed: [property], ...details });
}

async function requireCurrent(
  reader: Reader,
  type: CompiledType,
  id: string,
  ifMatch: VersionMatch | undefined,
): Promise<StoredRecord> {
  const current = await recordById(reader, type, id);
  if (current === undefined) throw new Refusal("not-found");
  requireMatch(ifMatch, current.version);
  return current;
}

/** 415 for a media type that its property does not accept (`image/png`, `image/*`). */
function requireAccepted(accepted: readonly string[] | undefined, mediaType: string): void {
  if (accepted === undefined || accepted.length === 0) return;
  const isAccepted = accepted.some((entry) => {
    const pattern = entry.trim().toLowerCase();
    if (pattern === "*/*" || pattern === mediaType) return true;
    return pattern.endsWith("/*") && mediaType.startsWith(pattern.slice(0, -1));
  });
  if (isAccepted) return;
  throw new Refusal("unsupported-media-type", {
    detail: `This property accepts ${accepted.join(", ")}, not ${mediaType}`,
    members: { accept: [...accepted] },
  });
}

/** 403 where the caller may not write the type's records or this property. */
function requireWritableFile(work: Work, type: CompiledType, property: string): void {
  if (requireWritable(work, type)?.mayWrite(property) === false) {
    throw deniedAt(type, ["data"], [property]);
  }
}

function requireFileProperty(type: ReadableType, property: string): void {
  if (ownMember(type.properties, property)?.type === "file") return;
  const fault = {
    pointer: pointer("path", "propertyName"),
    detail: "is not a file property of this type",
  };
  throw new Refusal("not-found", {
    detail: `${JSON.stringify(property)} ${fault.detail}`,
    errors: [fault],
  });
}

function noFile(property: string): Refusal {
  return new Refusal("not-found", { detail: `There is no file under ${property} here` });
}

/** The data with the file in the definition's order, which SQLite keeps. */
function withFile(
  type: CompiledType,
  data: JsonObject,
  property: string,
  value: FileValue,
): JsonObject {
  const placed: JsonObject = {};
  for (const name of Object.keys(type.properties)) {
    if (name === property) placed[name] = value;
    else if (Object.hasOwn(data, name)) placed[name] = data[name];
  }
  return { ...placed, ...data, [property]: value };
}

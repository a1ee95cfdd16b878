import { pointer, Refusal } from "#contract/problems.ts";
import type { FileLink, FileValue, UploadedFile } from "#contract/resources/files.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { contentMissing, type StoredContent } from "../../../files/content-response.ts";
import type { BlobStore, StagedBlob } from "../../../files/blob-store.ts";
import { requireMatch, type VersionMatch } from "../../../http/handler.ts";
import type { PlatformBase } from "../../base.ts";
import type { Database, Writer } from "../../../database/database.ts";
import { recordById, updateRecord, type StoredRecord } from "../store/records.ts";
import { putResourceFile, resourceFile } from "../store/record-files.ts";
import type { ResourceFile } from "../store/record-files.ts";
import { difference } from "../store/patch.ts";
import { keysOf, type ObjectTypeService, type CompiledType } from "../../object-types/service.ts";
import { acceptBlobs } from "../../../files/accept-blobs.ts";
import type { BlobRemovals } from "../../../files/blob-removals.ts";
import { Overtaken, readUnderType, underType } from "../under-type.ts";
import { FileLinks, type FilePlace } from "./file-links.ts";
import { requireAccepted } from "./media-types.ts";
import { dataOf, textOf } from "../record.ts";

export interface FileUpload {
  readonly oid: string;
  readonly filename: string;
  /** As the sender said; see `media-types.ts`. */
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly ifMatch: VersionMatch | undefined;
  /** The request has a key, so it may be one that was carried out already, by another version. */
  readonly isKeyed: boolean;
  readonly signal: AbortSignal;
  /** Looks at the bytes before they count: refuses where they are not what was announced. */
  readonly verify: (staged: StagedBlob) => void;
  /** Claims the request's key for this content, once it is known (see `UploadContext.claim`). */
  readonly claim: (fingerprint: string) => Promise<void>;
  readonly remember: (uploaded: UploadedFile) => void;
}

/**
 * Files on records' properties (spec 2.4, 4.2). Bytes are durable in the file store before the
 * record names them; record, history and file row are one unit.
 */
export class ResourceFiles {
  readonly #database: Database;
  readonly #objectTypes: ObjectTypeService;
  readonly #blobs: BlobStore;
  readonly #removals: BlobRemovals;
  readonly #now: () => Date;
  /** Bytes of one file. */
  readonly limitBytes: number;
  readonly #links: FileLinks;

  constructor(base: PlatformBase, objectTypes: ObjectTypeService) {
    this.#database = base.database;
    this.#objectTypes = objectTypes;
    this.#blobs = base.blobs;
    this.#removals = base.removals;
    this.#now = base.now;
    this.limitBytes = base.limits.uploadBytes;
    this.#links = new FileLinks(base.secrets.for("file links"), base.now);
  }

  /**
   * Puts a file on a property, in place of the one before it. 404 without such a record or
   * property, 412 when `If-Match` names another version, 413, 415 for a media type that the
   * property does not accept, 507 when there is no space.
   */
  async upload(place: FilePlace, upload: FileUpload): Promise<UploadedFile> {
    const { filename, contentType, signal } = upload;
    const type = await this.#requireProperty(place);
    requireAccepted(type.properties[place.property]?.accept, upload);
    // The unit will look again, and then nothing has been taken for nothing.
    const ifMatch = upload.isKeyed ? undefined : upload.ifMatch;
    await requireCurrent(this.#database.read, type, place.id, ifMatch);
    const staged = await this.#blobs.stage(place.workspaceId, upload.content, {
      limitBytes: this.limitBytes,
      signal,
    });
    try {
      upload.verify(staged);
      const { sha256 } = staged.address;
      await upload.claim(JSON.stringify([contentType, sha256]));
      const file = { filename, contentType, size: staged.size, sha256 };
      const uploaded = await this.#accept(place, upload, staged, file);
      await staged.discard();
      return uploaded;
    } catch (error) {
      await this.#removals.takeBack([staged]);
      throw error;
    } finally {
      // The file before it has given its bytes up.
      this.#removals.wake();
    }
  }

  /** The bytes that a property has; 404 without any. */
  async open(place: FilePlace): Promise<StoredContent> {
    return this.#stored(place, () => {});
  }

  /** A link that reads these bytes without a token, for a while. */
  async link(place: FilePlace, baseUrl: string): Promise<FileLink> {
    const { sha256 } = await this.#require(place);
    return this.#links.make(baseUrl, { place, sha256 });
  }

  /** What a signed link leads to: 403 for one that is not ours or too old, 404 when it is gone. */
  async openSigned(token: string): Promise<StoredContent> {
    const { place, sha256 } = this.#links.read(token);
    return this.#stored(place, (file) => {
      if (file.sha256 === sha256) return;
      throw new Refusal("not-found", { detail: "The file of this link was replaced" });
    });
  }

  /** Takes the file off its property, as a new version of the record. */
  async delete(
    place: FilePlace,
    { oid, ifMatch }: { readonly oid: string; readonly ifMatch: VersionMatch | undefined },
  ): Promise<void> {
    const { slug, id, property, workspaceId } = place;
    await underType(this.#objectTypes, workspaceId, slug, async (type) => {
      requireFileProperty(type, property);
      return this.#database.write(async (writer) => {
        const current = await requireCurrent(writer, type, id, ifMatch);
        if ((await resourceFile(writer, type, id, property)) === undefined) throw noFile(property);
        const { [property]: _removed, ...data } = dataOf(type, current);
        return this.#write(writer, type, current, { data, oid });
      });
    });
    this.#removals.wake();
  }

  async #accept(
    place: FilePlace,
    upload: FileUpload,
    staged: StagedBlob,
    file: ResourceFile,
  ): Promise<UploadedFile> {
    const { workspaceId, slug, id, property } = place;
    const onWait = (): void => this.#removals.wake();
    return acceptBlobs({ database: this.#database, staged: [staged], onWait }, (requireStored) =>
      underType(this.#objectTypes, workspaceId, slug, async (type) => {
        requireFileProperty(type, property);
        return this.#database.write(async (writer) => {
          await requireStored(writer);
          const current = await requireCurrent(writer, type, id, upload.ifMatch);
          const data = withFile(type, dataOf(type, current), property, { ...file });
          const version = await this.#write(writer, type, current, { data, oid: upload.oid });
          await putResourceFile(writer, type, { id, property }, file);
          const uploaded = { property, ...file, version };
          upload.remember(uploaded);
          return uploaded;
        });
      }),
    );
  }

  /** Writes the record's next version, and says which that is. */
  async #write(
    writer: Writer,
    type: CompiledType,
    current: StoredRecord,
    { data, oid }: { readonly data: JsonObject; readonly oid: string },
  ): Promise<number> {
    const record: StoredRecord = {
      ...current,
      version: current.version + 1,
      data: textOf({ data, faults: [], references: [] }, ["data"]),
      updated_at: this.#now().toISOString(),
      updated_by: oid,
    };
    // A file is no text that is searched.
    const write = { record, keys: keysOf(type.columns, data), entry: undefined };
    const changes = difference(dataOf(type, current), data);
    if (!(await updateRecord(writer, type, { ...write, changes }))) throw new Overtaken();
    return record.version;
  }

  #requireProperty({ workspaceId, slug, property }: FilePlace): Promise<CompiledType> {
    return readUnderType(this.#objectTypes, workspaceId, slug, async (type) => {
      requireFileProperty(type, property);
      return type;
    });
  }

  async #require(place: FilePlace): Promise<ResourceFile> {
    const type = await this.#requireProperty(place);
    const file = await resourceFile(this.#database.read, type, place.id, place.property);
    if (file === undefined) throw noFile(place.property);
    return file;
  }

  async #stored(
    place: FilePlace,
    requireWanted: (file: ResourceFile) => void,
  ): Promise<StoredContent> {
    for (let missing: string | undefined; ;) {
      const file = await this.#require(place);
      requireWanted(file);
      const { filename, contentType, size, sha256 } = file;
      const bytes = await this.#blobs.open({ workspaceId: place.workspaceId, sha256 });
      if (bytes !== undefined) return { bytes, size, sha256, mediaType: contentType, filename };
      // Another file may have come in its place since it was looked up.
      if (sha256 === missing) throw contentMissing(`The file of ${place.property}`);
      missing = sha256;
    }
  }
}

async function requireCurrent(
  reader: Parameters<typeof recordById>[0],
  type: CompiledType,
  id: string,
  ifMatch: VersionMatch | undefined,
): Promise<StoredRecord> {
  const current = await recordById(reader, type, id);
  if (current === undefined) throw new Refusal("not-found");
  requireMatch(ifMatch, current.version);
  return current;
}

function requireFileProperty(type: CompiledType, property: string): void {
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

/** The data with the file in its place: SQLite gives the names back in the order they came in. */
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

/** The file of one property of one record; the record's data shows the same. */
export interface ResourceFileRow {
  workspace_id: string;
  resource_id: string;
  property: string;
  /** `object_types.number`. */
  type_number: number;
  /** As the sender wrote it: data, never a path. */
  filename: string;
  content_type: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** Bytes that a row gave up: removed from the file store unless another row names them. */
export interface BlobRemovalRow {
  workspace_id: string;
  sha256: string;
  size: number;
  /** The platform that takes the bytes away; null while nobody does. */
  claimed_by: string | null;
  /** Until when it may still do so. */
  claimed_until: string | null;
  /** When it ended; the row stays for a while, for uploads that began before. */
  removed_at: string | null;
  /** How often these bytes were taken away. */
  removals: number;
}

export interface ResourceFileTables {
  resource_files: ResourceFileRow;
  blob_removals: BlobRemovalRow;
}

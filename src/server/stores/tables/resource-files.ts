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
  /** While somebody takes the bytes away, or may still do so; null before that. */
  claimed_until: string | null;
}

export interface ResourceFileTables {
  resource_files: ResourceFileRow;
  blob_removals: BlobRemovalRow;
}

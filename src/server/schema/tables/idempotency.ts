/** An `Idempotency-Key` that had an effect. */
export interface IdempotencyKeyRow {
  /** Empty for a route with no workspace. */
  workspace_id: string;
  /** The caller's oid: a key is only the caller's own. */
  oid: string;
  key: string;
  /** Digest of what was asked. */
  fingerprint: string;
  /** Null while the effect stands and its answer is not known (or was lost). */
  status: number | null;
  /** JSON object of the answer's own header fields, as text. */
  headers: string | null;
  body: string | null;
  created_at: string;
  expires_at: string;
}

export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow;
}

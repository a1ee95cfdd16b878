import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { ArchiveManifest } from "#contract/workspaces/archives.ts";
import type { Reader } from "../../../database/database.ts";
import { statement } from "../../../database/statement.ts";

export type SignedAudit = NonNullable<ArchiveManifest["audit"]>;

/** The bytes of an Ed25519 key in PKCS #8 before its 32 bytes (RFC 8410, 7). */
const keyPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

export interface AuditEnd {
  readonly sequence: number;
  readonly digest: string;
}

/** The last entry of the log in a snapshot; 0 and "" without one. */
export async function auditEnd(reader: Reader, workspaceId: string): Promise<AuditEnd> {
  const row = await reader.first<AuditEnd>(statement`select sequence, digest from audit_heads
    where workspace_id = ${workspaceId}`);
  return row === undefined
    ? { sequence: 0, digest: "" }
    : { sequence: Number(row.sequence), digest: row.digest };
}

/**
 * Signs the part with the audit log. `seed` is 32 bytes that only the platform has; its public key
 * is the same in all of its archives.
 */
export function signedAudit(
  seed: Uint8Array,
  workspaceId: string,
  { sequence, digest }: AuditEnd,
  sha256: string,
): SignedAudit {
  const key = createPrivateKey({
    key: Buffer.concat([keyPrefix, seed]),
    format: "der",
    type: "pkcs8",
  });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" });
  const text = signedText(workspaceId, { sequence, digest, sha256 });
  return {
    sequence,
    digest,
    sha256,
    publicKey: publicKey.toString("base64"),
    signature: sign(null, Buffer.from(text), key).toString("base64"),
  };
}

/** True if the signature fits the public key that the manifest names. */
export function isSignedBy(workspaceId: string, audit: SignedAudit): boolean {
  const { publicKey, signature, ...signed } = audit;
  const key = createPublicKey({
    key: Buffer.from(publicKey, "base64"),
    format: "der",
    type: "spki",
  });
  const text = Buffer.from(signedText(workspaceId, signed));
  return verify(null, text, key, Buffer.from(signature, "base64"));
}

function signedText(
  workspaceId: string,
  { sequence, digest, sha256 }: AuditEnd & { readonly sha256: string },
): string {
  return ["svc-archive-audit", workspaceId, sequence, digest, sha256].join("\n");
}

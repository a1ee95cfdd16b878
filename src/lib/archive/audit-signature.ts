import { createPublicKey, verify } from "node:crypto";
import { ArchiveDamagedError, type ProvenParts } from "./read-archive.ts";

/** The end of an audit log, and the digest of the part that has its entries. */
export interface AuditEnd {
  readonly sequence: number;
  readonly digest: string;
  readonly sha256: string;
}

/** The end of an audit log with the signature of its platform; keys and signatures are base64. */
export interface SignedAudit extends AuditEnd {
  readonly publicKey: string;
  readonly signature: string;
}

/** The text that a platform signs. */
export function auditText(workspaceId: string, { sequence, digest, sha256 }: AuditEnd): string {
  return ["svc-archive-audit", workspaceId, sequence, digest, sha256].join("\n");
}

/** True if the signature fits the public key that the manifest names. */
export function isSignedBy(workspaceId: string, audit: SignedAudit): boolean {
  const { publicKey, signature, ...signed } = audit;
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, "base64"),
      format: "der",
      type: "spki",
    });
    const text = Buffer.from(auditText(workspaceId, signed));
    return verify(null, text, key, Buffer.from(signature, "base64"));
  } catch {
    // The text is no public key.
    return false;
  }
}

/** Throws {@link ArchiveDamagedError} for an audit log that its platform did not sign. */
export function requireSignedAudit({
  workspace,
  parts,
  audit,
}: ProvenParts & {
  readonly workspace: { readonly id: string };
  readonly audit?: SignedAudit | undefined;
}): void {
  const part = parts.find(({ name }) => name === "audit");
  if (part === undefined) return;
  if (audit !== undefined && audit.sha256 === part.sha256 && isSignedBy(workspace.id, audit))
    return;
  throw new ArchiveDamagedError("its audit log does not have the signature of its platform");
}

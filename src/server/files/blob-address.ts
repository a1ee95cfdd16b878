import { uuidPattern } from "#lib/uuid.ts";
import type { BlobAddress } from "./blob-store.ts";

const digestPattern = /^[0-9a-f]{64}$/;

/** Names in a store come from digests and UUIDs only, never from a caller: anything else throws. */
export function requireAddress({ workspaceId, sha256 }: BlobAddress): void {
  requireWorkspaceId(workspaceId);
  if (!isDigest(sha256)) throw new TypeError("Cannot address a blob: wanted a SHA-256 digest");
}

export function requireWorkspaceId(workspaceId: string): void {
  if (!uuidPattern.test(workspaceId)) {
    throw new TypeError("Cannot address a blob: wanted a workspace's UUID");
  }
}

/** 64 hexadecimal digits in lower case. */
export function isDigest(text: string): boolean {
  return digestPattern.test(text);
}

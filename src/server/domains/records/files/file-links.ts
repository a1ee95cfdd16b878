import { createHmac } from "node:crypto";
import { Refusal } from "#contract/problems.ts";
import { fileLinkMinutes, type FileLink } from "#contract/resources/files.ts";
import { equalSecrets } from "../../secrets/service.ts";

export interface FilePlace {
  readonly workspaceId: string;
  readonly slug: string;
  readonly id: string;
  readonly property: string;
}

export interface LinkedFile {
  readonly place: FilePlace;
  readonly sha256: string;
}

type Claims = readonly [
  workspaceId: string,
  slug: string,
  id: string,
  property: string,
  sha256: string,
  expires: number,
];

/**
 * Signed links to files: place, digest and expiry, signed with the platform's key. They lead to a
 * route of the platform, so that the file store stays private.
 */
export class FileLinks {
  constructor(
    private readonly key: Uint8Array,
    private readonly now: () => Date,
  ) {}

  /** `baseUrl` has no trailing slash. */
  make(baseUrl: string, { place, sha256 }: LinkedFile): FileLink {
    const expires = Math.floor(this.now().getTime() / 1000) + fileLinkMinutes * 60;
    const { workspaceId, slug, id, property } = place;
    const claims = [workspaceId, slug, id, property, sha256, expires];
    const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
    return {
      url: `${baseUrl}/v4/data/files/${text}.${this.#signature(text)}`,
      expiresAt: new Date(expires * 1000).toISOString(),
    };
  }

  /** Refuses 403: link-invalid for a wrong signature, link-expired after the expiry. */
  read(token: string): LinkedFile {
    const [text = "", signature = "", more] = token.split(".");
    if (more !== undefined || !equalSecrets(signature, this.#signature(text))) {
      throw new Refusal("link-invalid", {
        detail: "This link is not valid on this platform: request a new one",
      });
    }
    // The signature is ours, so `make` wrote these claims.
    const claims = JSON.parse(Buffer.from(text, "base64url").toString()) as Claims;
    const [workspaceId, slug, id, property, sha256, expires] = claims;
    if (expires * 1000 <= this.now().getTime()) {
      throw new Refusal("link-expired", {
        detail: "This link has expired: request a new one",
      });
    }
    return { place: { workspaceId, slug, id, property }, sha256 };
  }

  #signature(text: string): string {
    return createHmac("sha256", this.key).update(text).digest("base64url");
  }
}

export function pathOf({ workspaceId, slug, id, property }: FilePlace): string {
  return `/v4/data/resources/${workspaceId}/${encodeURIComponent(slug)}/${id}/files/${property}`;
}

import { Refusal } from "#contract/problems.ts";
import { fileTypeHeader } from "#contract/resources/file-type-header.ts";
import { claimedMediaType } from "../../../http/body/claimed-media-type.ts";

const token = String.raw`[\w!#$%&'*+.^\`|~-]+`;
const parameter = String.raw`\s*;\s*${token}=(?:${token}|"(?:[^"\\]|\\[\x20-\x7e])*")`;
const fieldPattern = new RegExp(`^${token}/${token}(?:${parameter})*$`);
const longestField = 255;

/**
 * The media type of an upload: its own header, or the Content-Type (RFC 9110, 8.3). 415 for an
 * invalid one, and for a form (`curl -F`), whose boundaries would become a part of the file.
 */
export function uploadMediaType(headers: Headers, fallback: string): string {
  const body = headers.get("content-type")?.trim() ?? fallback;
  const type = headers.get(fileTypeHeader)?.trim() ?? body;
  if (/^multipart\/form-data\s*(?:;|$)/i.test(body)) {
    throw new Refusal("unsupported-media-type", {
      detail: "Cannot take a file from a form here: send its bytes as the body",
      headers: { accept: fallback },
    });
  }
  if (type.length <= longestField && /^[\x20-\x7e]*$/.test(type) && fieldPattern.test(type)) {
    return type;
  }
  throw new Refusal("unsupported-media-type", {
    detail: `Cannot use this media type: it must be a media type of at most ${longestField} characters`,
  });
}

/**
 * 415 for an upload that its property does not accept (`image/png`, `image/*`). For
 * `application/octet-stream` (spec 4.2) the extension of the file name decides.
 */
export function requireAccepted(
  accepted: readonly string[] | undefined,
  { contentType, filename }: { readonly contentType: string; readonly filename: string },
): void {
  if (accepted === undefined || accepted.length === 0) return;
  const type = claimedMediaType(contentType, filename);
  const isAccepted = accepted.some((entry) => {
    const pattern = entry.trim().toLowerCase();
    if (pattern === "*/*" || pattern === type) return true;
    return pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1));
  });
  if (isAccepted) return;
  throw new Refusal("unsupported-media-type", {
    detail: `This property accepts ${accepted.join(", ")}, not ${type}`,
    members: { accept: [...accepted] },
  });
}

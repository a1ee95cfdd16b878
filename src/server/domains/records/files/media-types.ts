import { Refusal } from "#contract/problems.ts";
import { claimedMediaType } from "../../../http/body/claimed-media-type.ts";

const token = String.raw`[\w!#$%&'*+.^\`|~-]+`;
const parameter = String.raw`\s*;\s*${token}=(?:${token}|"(?:[^"\\]|\\[\x20-\x7e])*")`;
const fieldPattern = new RegExp(`^${token}/${token}(?:${parameter})*$`);
const longestField = 255;

/**
 * The Content-Type of an upload as it is kept (RFC 9110, 8.3); 415 for what is none, and for a form:
 * its boundaries would be kept as a part of the file (`curl -F`).
 */
export function uploadMediaType(field: string | null, fallback: string): string {
  if (field === null) return fallback;
  const type = field.trim();
  if (/^multipart\/form-data\s*(?:;|$)/i.test(type)) {
    throw new Refusal("unsupported-media-type", {
      detail: "Cannot take a file from a form here: send its bytes as the body",
      headers: { accept: fallback },
    });
  }
  if (type.length <= longestField && /^[\x20-\x7e]*$/.test(type) && fieldPattern.test(type)) {
    return type;
  }
  throw new Refusal("unsupported-media-type", {
    detail: `Cannot use this Content-Type: wanted a media type of at most ${longestField} characters`,
  });
}

/**
 * Holds an upload to what its property accepts: `image/png` or `image/*`. Where the sender knows no
 * type (spec 4.2: `application/octet-stream`) the name's ending speaks for it.
 */
export function requireAccepted(
  accepted: readonly string[] | undefined,
  { contentType, filename }: { readonly contentType: string; readonly filename: string },
): void {
  if (accepted === undefined || accepted.length === 0) return;
  const type = claimedMediaType(contentType, filename);
  const isAccepted = accepted.some((entry) => {
    const wanted = entry.trim().toLowerCase();
    if (wanted === "*/*" || wanted === type) return true;
    return wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1));
  });
  if (isAccepted) return;
  throw new Refusal("unsupported-media-type", {
    detail: `This property takes ${accepted.join(", ")}, and not ${type}`,
    members: { accept: [...accepted] },
  });
}

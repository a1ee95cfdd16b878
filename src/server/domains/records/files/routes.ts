import { pointer, Refusal } from "#contract/problems.ts";
import { fileTypeHeader } from "#contract/shared-names.ts";
import type { UploadedFile } from "#contract/resources/files.ts";
import { bytes } from "#contract/route.ts";
import { contentResponse } from "../../../files/content-response.ts";
import { Answer, type BytesContext, type DomainHandlers } from "../../../http/handler.ts";
import { ContentDigests } from "../../../http/body/content-digests.ts";
import { bodyStream } from "../../../http/body/body-stream.ts";
import { claimedMediaType } from "../../../http/body/claimed-media-type.ts";
import { pathOf, type FilePlace } from "./file-links.ts";
import type { ResourceFiles } from "./files.ts";

type FileRoutes = "uploadFile" | "downloadFile" | "deleteFile" | "signedFile";

/** The file routes of records (spec 4.2). */
export function fileHandlers(files: ResourceFiles): Pick<DomainHandlers<"resources">, FileRoutes> {
  return {
    uploadFile: ({ params, query, request }, context) =>
      upload(files, placeOf(params), query.filename, request, context),
    downloadFile: async ({ params, query }, context) => {
      const { work, headers, baseUrl } = context;
      if (query.access === "url") return files.link(work, placeOf(params), baseUrl);
      context.mayTakeLong();
      return contentResponse(await files.open(work, placeOf(params)), headers);
    },
    deleteFile: async ({ params }, { work, ifMatch }) => {
      await files.delete(work, placeOf(params), ifMatch);
      return undefined;
    },
    signedFile: async ({ params }, context) => {
      context.mayTakeLong();
      return contentResponse(await files.openSigned(params.token), context.headers);
    },
  };
}

interface FileParams {
  readonly tenantId: string;
  readonly objectType: string;
  readonly id: string;
  readonly propertyName: string;
}

function placeOf({ tenantId, objectType, id, propertyName }: FileParams): FilePlace {
  return { workspaceId: tenantId, slug: objectType, id, property: propertyName };
}

/** A refusal comes before the body is read where possible. */
async function upload(
  files: ResourceFiles,
  place: FilePlace,
  filename: string,
  request: Request,
  context: BytesContext,
): Promise<Answer<UploadedFile>> {
  const options = { headers: { location: pathOf(place) } };
  const { headers } = context;
  const digests = new ContentDigests(headers);
  const stored = storable(filename);
  const contentType = uploadMediaType(headers, bytes.contentType);
  const uploaded = await files.upload(context.work, place, {
    filename: stored,
    contentType,
    // The extension of the file name decides for `application/octet-stream` (spec 4.2).
    mediaType: claimedMediaType(contentType, stored),
    content: digests.watch(bodyStream(request, files.limitBytes)),
    ifMatch: context.ifMatch,
    isKeyed: headers.has("idempotency-key"),
    signal: context.signal,
    verify: ({ address }) => digests.verify(address.sha256),
    claim: (fingerprint) => context.claim(fingerprint),
    remember: (answer, facts) => facts.remember(answer, options),
  });
  return new Answer(uploaded, options);
}

/** 422 for a blank name. */
function storable(filename: string): string {
  if (filename.trim() !== "") return filename;
  const detail = "is blank";
  throw new Refusal("validation-failed", {
    detail: `filename ${detail}`,
    errors: [{ pointer: pointer("query", "filename"), detail }],
  });
}

const token = String.raw`[\w!#$%&'*+.^\`|~-]+`;
const parameter = String.raw`\s*;\s*${token}=(?:${token}|"(?:[^"\\]|\\[\x20-\x7e])*")`;
const fieldPattern = new RegExp(`^${token}/${token}(?:${parameter})*$`);
const longestField = 255;

/**
 * The media type of an upload: its own header, or the Content-Type (RFC 9110, 8.3). 415 for an
 * invalid one, and for a form (`curl -F`), whose boundaries would become a part of the file.
 */
function uploadMediaType(headers: Headers, fallback: string): string {
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

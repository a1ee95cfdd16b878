import { pointer, Refusal } from "#contract/problems.ts";
import type { UploadedFile } from "#contract/resources/files.ts";
import { bytes } from "#contract/route.ts";
import { contentResponse } from "../../../files/content-response.ts";
import { Answer, type BytesContext, type DomainHandlers } from "../../../http/handler.ts";
import { ContentDigests } from "../../../http/body/content-digests.ts";
import { bodyStream } from "../../../http/body/body-stream.ts";
import { pathOf, type FilePlace } from "./file-links.ts";
import type { ResourceFiles } from "./files.ts";
import { uploadMediaType } from "./media-types.ts";

type FileRoutes = "uploadFile" | "downloadFile" | "deleteFile" | "signedFile";

/** The file routes of records (spec 4.2). */
export function fileHandlers(files: ResourceFiles): Pick<DomainHandlers<"resources">, FileRoutes> {
  return {
    uploadFile: ({ params, query, request }, context) =>
      upload(files, placeOf(params), query.filename, request, context),
    downloadFile: async ({ params, query }, context) => {
      if (query.access === "url") return files.link(placeOf(params), context.baseUrl);
      context.mayTakeLong();
      return contentResponse(await files.open(placeOf(params)), context.headers);
    },
    deleteFile: async ({ params }, { principal, ifMatch }) => {
      await files.delete(placeOf(params), { oid: principal.oid, ifMatch });
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
  const uploaded = await files.upload(place, {
    oid: context.principal.oid,
    filename: storable(filename),
    contentType: uploadMediaType(headers, bytes.contentType),
    content: digests.watch(bodyStream(request, files.limitBytes)),
    ifMatch: context.ifMatch,
    isKeyed: headers.has("idempotency-key"),
    signal: context.signal,
    verify: ({ address }) => digests.verify(address.sha256),
    claim: (fingerprint) => context.claim(fingerprint),
    remember: (answer) => context.remember(answer, options),
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

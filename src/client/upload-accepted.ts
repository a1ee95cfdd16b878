import type { UploadAccepted } from "#contract/documents/upload.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { readBoundedText } from "#lib/bounded-body.ts";
import { parsedJson } from "#lib/json-value.ts";
import { bodyFailure } from "./connection.ts";
import { errorFromResponse } from "./failures.ts";

const maximumBytes = 1024 * 1024;
const limitMs = 30_000;

/**
 * The job payload of an upload's 202, read from a copy so that the response stays as it came (spec
 * 4.1 rule 10). Throws the error of an answer that is no success, and E203 of one that breaks off or
 * names no job: the file may have been accepted then, and is not to be sent again.
 */
export async function readAccepted(response: Response, tenantId: string): Promise<UploadAccepted> {
  const copy = response.clone();
  // Whatever else is missing is pointed at; the address itself names nothing but the workspace.
  if (!response.ok) {
    const subject = `Workspace ${tenantId}`;
    throw await errorFromResponse(copy, { subject, unexplained: acceptedPerhaps });
  }
  const { uploadAccepted } = await import("#contract/documents/upload.ts");
  let text: string;
  try {
    text = await readBoundedText(copy, maximumBytes, { limitMs });
  } catch (error) {
    const reason = bodyFailure(error);
    throw unread(`the upload's answer can't be read: ${reason}`, response);
  }
  const result = uploadAccepted.safeParse(parsedJson(text));
  if (result.success) return result.data;
  throw unread("the upload's answer names no job", response);
}

const acceptedPerhaps =
  "The upload may have been accepted. Look before you send it again: " +
  "`svc publicapi get /v4/data/documents/records --param sort=-created_at`";

function unread(details: string, { status }: Response): CatalogError {
  return catalogError("E203", { details }, { status, hint: acceptedPerhaps });
}

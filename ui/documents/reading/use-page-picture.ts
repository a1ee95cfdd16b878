import { useEffect, useState } from "react";
import type { StoredContent } from "#client/files/content.ts";
import { failureOf, isAbort, type Failure } from "../../kit/answers/failure.ts";
import { usePlatform } from "../../shell/platform/use-platform.ts";

/** The platform's own limit of a picture is lower; another deployment may have none. */
const bytesAtMost = 4_000_000;
/** Pages that are only passed by are not drawn. */
const restMs = 150;

export interface PagePictureAnswer {
  /** The page, and the PNG or the failure of it; undefined until it came. */
  readonly page: string;
  readonly png?: Uint8Array;
  readonly failure?: Failure;
}

async function bytesOf(content: StoredContent): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content.chunks()) {
    length += chunk.length;
    if (length > bytesAtMost) throw new RangeError("the picture has more than 4 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The picture of a page of a document, which is asked for once it is shown for a moment. */
export function usePagePicture(
  documentId: string,
  number: number,
  width: number | undefined,
): Omit<PagePictureAnswer, "page"> & { readonly fail: (error: unknown) => void } {
  const { client, tenantId } = usePlatform();
  const page = `${documentId} ${number} ${width}`;
  const [answer, setAnswer] = useState<PagePictureAnswer>({ page: "" });
  useEffect(() => {
    if (client === undefined || width === undefined) return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    const timer = setTimeout(() => {
      client
        .useDocuments(tenantId)
        .picture(documentId, number, { width, signal })
        .then(bytesOf)
        .then(
          (png) => signal.aborted || setAnswer({ page, png }),
          (error: unknown) =>
            signal.aborted || isAbort(error) || setAnswer({ page, failure: failureOf(error) }),
        );
    }, restMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [client, tenantId, documentId, number, width, page]);
  const [fail] = useState(
    () => (error: unknown) => setAnswer((now) => ({ page: now.page, failure: failureOf(error) })),
  );
  const shown = answer.page === page ? answer : {};
  return { ...shown, fail };
}

import { createHash } from "node:crypto";
import { pictureWidths } from "#contract/documents/documents.ts";
import { Refusal } from "#contract/problems.ts";
import { counted } from "#lib/text/counted.ts";
import { BlobMissingError, type BlobContent } from "../../../files/blob-store.ts";
import { contentMissing, type StoredContent } from "../../../files/content-response.ts";
import { Permits } from "../../../kit/turns/permits.ts";
import { drawPage, type DrawnPage } from "../../../text/extraction/child/draw-page.ts";
import { ExtractionError } from "../../../text/extraction/extraction-error.ts";
import type { PlatformBase } from "../../base.ts";
import type { Document } from "../store/documents.ts";

/** Each takes a process and up to 960 MiB; one workspace leaves others half of them. */
const turns = {
  count: 2,
  countPerShare: 1,
  queueLimit: 64,
  queueLimitPerShare: 16,
  waitLimitMs: 20_000,
} as const;

/** The page that a request wants, and the width of its picture in dots. */
export interface WantedPicture {
  readonly page: number;
  readonly width?: number | undefined;
}

/** Draws pages of documents that are pictures; no picture is kept. */
export class PagePictures {
  readonly #permits = new Permits(turns);

  constructor(private readonly base: Pick<PlatformBase, "blobs" | "extractionCommand">) {}

  /** 404 for a page that the document does not have, and 422 for one that can't be drawn. */
  async draw(
    document: Document,
    { page, width = pictureWidths.usual }: WantedPicture,
    { caller, signal }: { readonly caller: string; readonly signal: AbortSignal },
  ): Promise<StoredContent> {
    if (document.pages !== null && page > document.pages) throw noSuchPage(document);
    const draw = () => this.#drawn(document, { page, width }, signal);
    const drawn = await this.#permits.hold(draw, document.workspaceId, signal, caller);
    if (drawn === undefined) throw noSuchPage(document);
    if (drawn.kind !== "picture") throw withoutPicture(document, page, drawn.kind);
    const { bytes, mediaType } = drawn;
    return {
      bytes: inMemory(bytes),
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      mediaType,
      filename: `${document.number}-page-${page}.png`,
    };
  }

  async #drawn(
    document: Document,
    wanted: { readonly page: number; readonly width: number },
    signal: AbortSignal,
  ): Promise<DrawnPage | undefined> {
    const { filename, mediaType, number } = document;
    const { blobs, extractionCommand: command } = this.base;
    try {
      return await blobs.withFile(document, (path) =>
        drawPage({ path, filename, mediaType }, wanted, { command, signal }),
      );
    } catch (error) {
      if (error instanceof BlobMissingError) throw contentMissing(`The file of ${number}`);
      if (!(error instanceof ExtractionError)) throw error;
      const detail = `Page ${wanted.page} of ${number} was not drawn. ${error.message} ${original}`;
      throw new Refusal("no-page-picture", { detail, cause: error });
    }
  }
}

function inMemory(bytes: Uint8Array): BlobContent {
  return {
    size: bytes.length,
    slice: (start, end) => inMemory(bytes.subarray(start, end)),
    stream: () => new Blob([new Uint8Array(bytes)]).stream(),
  };
}

function noSuchPage({ number, pages }: Document): Refusal {
  const detail =
    pages === null ? `${number} has no such page` : `${number} has ${counted(pages, "page")}`;
  return new Refusal("not-found", { detail });
}

const original = "Fetch the original file instead.";
const reasons = {
  text: "has text, lines or areas, which are not drawn: only pages that are pictures have one",
  blank: "shows nothing",
} as const;

function withoutPicture({ number }: Document, page: number, kind: keyof typeof reasons): Refusal {
  const next = kind === "text" ? `Read its text, or fetch the original file.` : original;
  return new Refusal("no-page-picture", {
    detail: `Page ${page} of ${number} ${reasons[kind]}. ${next}`,
  });
}

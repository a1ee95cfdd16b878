import type { Site, SitePage } from "#lib/site-page.ts";
import { keptPromise } from "../../kit/background.ts";

/** A page as it is sent. */
export interface PackedPage {
  readonly contentType: string;
  /** The strong entity tag of the text. */
  readonly tag: string;
  readonly text: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

/** The reference. It is computed with the first request, and each page is compressed once. */
export class DocsService {
  readonly #packed = new Map<string, PackedPage>();
  #site: Promise<Site> | undefined;

  /** The platform has no reference without `build`. */
  constructor(private readonly build: (() => Promise<Site>) | undefined) {}

  get exists(): boolean {
    return this.build !== undefined;
  }

  async page(path: string): Promise<PackedPage | undefined> {
    if (this.build === undefined) return undefined;
    const known = this.#packed.get(path);
    if (known !== undefined) return known;
    const page = (await (this.#site ??= keptPromise(this.build()))).get(path);
    if (page === undefined) return undefined;
    const packed = packedPage(page);
    this.#packed.set(path, packed);
    return packed;
  }
}

function packedPage({ contentType, text }: SitePage): PackedPage {
  return {
    contentType,
    text,
    tag: `"${Bun.hash(text).toString(36)}"`,
    gzip: new Uint8Array(Bun.gzipSync(new TextEncoder().encode(text))),
  };
}

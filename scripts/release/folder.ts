import { join } from "node:path";
import type { Subject } from "./provenance.ts";

/** The files of a release, with their digests. */
export class ReleaseFolder {
  readonly path: string;
  readonly #digests = new Map<string, string>();

  constructor(path: string) {
    this.path = path;
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    await Bun.write(join(this.path, name), content);
    this.#digests.set(name, Bun.SHA256.hash(content, "hex"));
  }

  /** The files so far, by name. */
  subjects(): readonly Subject[] {
    return Array.from(this.#digests, ([name, sha256]) => ({ name, sha256 })).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  /** The digests of the files as `sha256sum` prints them. */
  sums(select: (name: string) => boolean = () => true): string {
    const lines = this.subjects().filter(({ name }) => select(name));
    return lines.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
  }
}

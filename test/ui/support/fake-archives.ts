import { createHash } from "node:crypto";
import type { Wish } from "./open-fake.ts";

/** Archives of the workspace and their imports, as the fake platform answers them. */

const at = "2026-11-20T10:00:00.000Z";
const ends = "2099-11-21T10:00:00.000Z";
const workspace = { id: "planning", slug: "planning", displayName: "Planning" };
const sha256 = "a".repeat(64);

export const archiveContent = "The bytes of an archive, which break once on their way.";
/** The first connection of a download ends after so many bytes. */
const brokenAt = 20;

const part = (name: string, count: number) => ({ name, count, bytes: 10 * count, sha256 });
const manifest = (groups: readonly string[]) => ({
  format: "svc-archive",
  formatVersion: 1,
  createdAt: at,
  svcVersion: "1",
  workspace,
  groups,
  parts: [part("object-types", 3), part("records/licence", 42)],
  files: { count: 2, bytes: 2_100 },
  missing: [],
});

interface Row {
  readonly id: string;
  groups: string[];
  percent: number;
  readonly error?: object;
}

export class FakeArchives {
  #rows: Row[];
  #looks = 0;

  constructor(wish: Wish) {
    const error = { code: "disk-full", message: "The platform has no room for the archive" };
    this.#rows =
      wish.noEvents === true
        ? []
        : [
            { id: "a-2", groups: ["types", "records"], percent: 100 },
            { id: "a-1", groups: ["members"], percent: 100, error },
          ];
  }

  /** The answer, and undefined for every other request. */
  async answer(request: Request, path: string): Promise<object | undefined> {
    const [, kind, id, end] =
      /^\/v4\/platform\/tenants\/[^/]+\/(archives|archive-imports)(?:\/([\w-]+))?(\/content)?$/.exec(
        path,
      ) ?? [];
    if (kind === undefined) return undefined;
    if (kind === "archive-imports") return await this.#import(request, id);
    if (id === undefined && request.method === "GET") {
      return { items: this.#rows.map((row) => shownRow(row, false)), hasNextPage: false };
    }
    if (id === undefined) {
      const { groups = ["types", "records"] } = (await request.json()) as { groups?: string[] };
      const row = { id: `a-${this.#rows.length + 1}`, groups, percent: 42 };
      this.#rows.unshift(row);
      return shownRow(row, true);
    }
    const row = this.#rows.find((one) => one.id === id);
    if (request.method === "DELETE") {
      this.#rows = this.#rows.filter((one) => one !== row);
      return new Response(null, { status: 204 });
    }
    if (row === undefined) return undefined;
    if (end !== undefined) return content(request);
    if (row.percent < 100) row.percent = 100;
    return shownRow(row, true);
  }

  async #import(request: Request, id: string | undefined): Promise<object> {
    if (id === undefined) await request.arrayBuffer();
    this.#looks += 1;
    const isEnd = id !== undefined && this.#looks > 2;
    return {
      id: "i-1",
      status: isEnd ? "completed_with_errors" : "running",
      percentCompleted: isEnd ? 100 : 50,
      created_at: at,
      ...(isEnd && {
        parts: [{ name: "records/licence", stored: 2, leftOut: 1, refused: 1 }],
        refused: [{ part: "records/licence", id: "r-9", reason: "status is required" }],
        renamed: [{ archived: "r-1", stored: "r-7" }],
        renamedCount: 1,
        error: { code: "conflict", message: "1 lines were refused" },
      }),
    };
  }
}

function shownRow({ id, groups, percent, error }: Row, isWhole: boolean): object {
  const isEnded = percent >= 100;
  const status = isEnded ? (error === undefined ? "succeeded" : "failed") : "running";
  const isComplete = status === "succeeded";
  return {
    id,
    status,
    groups,
    percentCompleted: percent,
    created_at: at,
    expiresAt: ends,
    error: error ?? null,
    ...(isComplete && { size: archiveContent.length, sha256 }),
    ...(isComplete && isWhole && { manifest: manifest(groups) }),
  };
}

/** The content, which breaks unless a range is asked for. */
function content(request: Request): Response {
  const bytes = new TextEncoder().encode(archiveContent);
  const digest = createHash("sha256").update(bytes).digest("base64");
  const headers = { etag: '"a"', "repr-digest": `sha-256=:${digest}:` };
  const from = /^bytes=(\d+)-$/.exec(request.headers.get("range") ?? "")?.[1];
  if (from !== undefined) {
    const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
    return new Response(bytes.slice(Number(from)), {
      status: 206,
      headers: { ...headers, "content-range": range },
    });
  }
  const length = { "content-length": String(bytes.length) };
  return new Response(bytes.slice(0, brokenAt), { headers: { ...headers, ...length } });
}

import type { Outgoing } from "./outgoing.ts";
import type { ClientRoute } from "../route.ts";

interface KeptAnswer {
  readonly tag: string;
  readonly value: unknown;
  readonly size: number;
}

/** The largest sum of all kept answers, in characters of JSON. */
const maximumSize = 16 * 1024 * 1024;

/**
 * The latest answers of reads that had an entity tag, so that the next request for the same is
 * conditional (RFC 9110, 13.1.2). Without tags nothing is kept.
 */
export class KeptAnswers {
  readonly #answers = new Map<string, KeptAnswer>();
  readonly #limit: number;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Makes a read conditional; returns the kept answer, which a 304 stands for. */
  condition(route: ClientRoute, outgoing: Outgoing): KeptAnswer | undefined {
    if (!isKept(route) || outgoing.headers.has("if-none-match")) return undefined;
    const kept = this.#answers.get(keyOf(outgoing));
    if (kept !== undefined) outgoing.headers.set("if-none-match", kept.tag);
    return kept;
  }

  keep(route: ClientRoute, outgoing: Outgoing, answer: KeptAnswer): void {
    if (!isKept(route) || answer.tag === "" || answer.size > maximumSize) return;
    const key = keyOf(outgoing);
    this.#remove(key);
    this.#answers.set(key, answer);
    this.#size += answer.size;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limit && this.#size <= maximumSize) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#size -= this.#answers.get(key)?.size ?? 0;
    this.#answers.delete(key);
  }
}

function isKept({ method, reply }: ClientRoute): boolean {
  return method === "GET" && reply.type === "json";
}

function keyOf({ url, headers }: Outgoing): string {
  return `${headers.get("x-tenant-id") ?? ""} ${url}`;
}

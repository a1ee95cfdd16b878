import { testWorks } from "#test/support/work.ts";
import type { Database } from "../../../src/server/database/database.ts";
import { EmbeddingWork } from "../../../src/server/domains/documents/embedding/embedding-work.ts";
import { LifetimeOwner } from "../../../src/server/kit/lifetime.ts";
import type { Models } from "../../../src/server/models/models.ts";
import { findTerms } from "../../../src/server/text/terms/terms.ts";

const dimensions = 256;
/** Places of the vector that a term counts in, each with a sign. */
const placesOfTerm = 8;

/** A model endpoint on this machine, with the same vectors on every run. */
export interface LocalEmbeddings extends AsyncDisposable {
  readonly url: string;
}

/**
 * Serves vectors of terms: each term counts in a few places of 256, by its rarity among the texts.
 * It has no knowledge of meanings, so that the figures are a floor for a real model.
 */
export function startLocalEmbeddings(texts: readonly string[]): LocalEmbeddings {
  const having = new Map<string, number>();
  for (const text of texts) {
    for (const term of new Set(termsOf(text))) having.set(term, (having.get(term) ?? 0) + 1);
  }
  const embed = (text: string): number[] => {
    const vector: number[] = Array.from({ length: dimensions }, () => 0);
    const counts = new Map<string, number>();
    for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const rarity = Math.log((texts.length + 1) / ((having.get(term) ?? 0) + 0.5));
      const weight = (1 + Math.log(count)) * rarity;
      for (let place = 0; place < placesOfTerm; place += 1) {
        const hash = Bun.hash.xxHash32(term, place);
        const at = hash % dimensions;
        vector[at] = (vector[at] ?? 0) + (hash & 0x10000 ? weight : -weight);
      }
    }
    return vector.some((value) => value !== 0) ? vector : vector.fill(1);
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      // Only the bench asks it, by the provider's own format.
      const { input } = (await request.json()) as { readonly input: readonly string[] };
      const data = input.map((text, index) => ({ index, embedding: embed(text) }));
      return Response.json({ object: "list", model: "local", data });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Embeds all passages; throws unless those of this workspace then have vectors. */
export async function embedAll(
  database: Database,
  workspaceId: string,
  models: Models,
): Promise<void> {
  const { embedding } = models;
  if (embedding === undefined) throw new Error("the bench has no embedding model");
  const lifetime = new LifetimeOwner(silent);
  const platformWork = testWorks(database).works.forPlatform;
  const base = { platformWork, models, lifetime, logger: silent };
  const work = new EmbeddingWork({ ...base, now: () => new Date() });
  await work.work(embedding);
  const { embedded, documents, error } = (await work.progress(workspaceId)) ?? { documents: 0 };
  if (embedded !== documents) throw new Error(`the passages are not embedded: ${error}`);
}

function termsOf(text: string): string[] {
  return findTerms(text).map(({ term }) => term);
}

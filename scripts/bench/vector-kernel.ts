import { quantized } from "#server/text/vectors/quantize.ts";
import {
  VectorIndex,
  VectorMemory,
  type PassageVector,
} from "#server/text/vectors/vector-index.ts";
import { gainRow, took, type Row } from "./figures.ts";

const passages = 200_000;
const dimensions = 384;
const scans = 30;
const passagesPerDocument = 100;
const found = 50;

/** A scan of all vectors by the platform's index, next to a loop over the same bytes. */
export function vectorKernelRow(): Row {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const vectors = Array.from({ length: passages }, () =>
    quantized(Float32Array.from({ length: dimensions }, random)),
  );
  const index = new VectorIndex(new VectorMemory(2 * passages * dimensions), dimensions);
  index.put(
    vectors.map((vector, place): PassageVector => ({
      documentId: `document-${Math.floor(place / passagesPerDocument)}`,
      ordinal: place % passagesPerDocument,
      vector,
    })),
  );
  const bytes = new Int8Array(passages * dimensions);
  for (const [place, { values }] of vectors.entries()) bytes.set(values, place * dimensions);
  const scores = new Float64Array(passages);
  const loop = (query: Int8Array): void => {
    for (let place = 0; place < passages; place += 1) {
      const start = place * dimensions;
      let sum = 0;
      for (let at = 0; at < dimensions; at += 1) sum += (query[at] ?? 0) * (bytes[start + at] ?? 0);
      scores[place] = sum * (vectors[place]?.scale ?? 0);
    }
  };
  const [on, off] = [[] as number[], [] as number[]];
  for (const query of vectors.slice(0, scans)) {
    on.push(took(() => index.search(query, found)));
    off.push(took(() => loop(query.values)));
  }
  return gainRow(`vector kernel: scan of ${passages.toLocaleString("en")} passages`, on, off);
}

import type { Chunks, SourceFeature } from "#server/domains/geo/datasets/formats/source.ts";

/** The bytes of a text, so many at a time. */
export async function* chunked(text: string, size: number): Chunks & AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    // One buffer is used again and again, as a stream may do.
    yield Uint8Array.from(bytes.subarray(at, at + size));
  }
}

export async function allOf(features: AsyncIterable<SourceFeature>): Promise<SourceFeature[]> {
  const all: SourceFeature[] = [];
  for await (const feature of features) all.push(feature);
  return all;
}

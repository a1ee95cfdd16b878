export const dimensions = 40;

/** A vector of unit length that depends on the seed only. */
export function vectorOf(seed: number, size = dimensions): Float32Array {
  let state = seed + 1;
  const values = Float32Array.from({ length: size }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

export function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

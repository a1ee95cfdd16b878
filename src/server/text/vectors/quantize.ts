/** Numbers of a stored vector, padded to a multiple of this many: the scan reads 16 at a time. */
export const lanes = 16;

/** A vector of whole numbers from -127 to 127: `values[i] * scale` is about its number. */
export interface QuantizedVector {
  readonly scale: number;
  readonly values: Int8Array;
}

const largest = 127;
const scaleBytes = 4;

/** A vector with one byte per number. The cosine of two such vectors is off by less than 0.01. */
export function quantized(vector: Float32Array): QuantizedVector {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = most / largest;
  const values = Int8Array.from(vector, (value) => (scale === 0 ? 0 : Math.round(value / scale)));
  return { scale, values };
}

/** The stored form: the scale as a little-endian float, then one byte per number. */
export function bytesOfVector(vector: Float32Array): Uint8Array<ArrayBuffer> {
  const { scale, values } = quantized(vector);
  const bytes = new Uint8Array(scaleBytes + values.length);
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  bytes.set(new Uint8Array(values.buffer), scaleBytes);
  return bytes;
}

/** Undefined for bytes that are no vector, such as the empty ones of a passage without one. */
export function vectorOfBytes(bytes: Uint8Array): QuantizedVector | undefined {
  if (bytes.length <= scaleBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Int8Array(bytes.slice(scaleBytes).buffer);
  return { scale: view.getFloat32(0, true), values };
}

/** The number of bytes of a vector in the scan. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / lanes) * lanes;
}

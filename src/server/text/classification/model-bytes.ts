import * as z from "zod";
import type { TextModel } from "./text-model.ts";

const calibration = z.object({ slope: z.number(), offset: z.number() });
const header = z.object({
  format: z.union([z.literal(1), z.literal(2)]),
  labels: z.array(z.string()),
  features: z.int().nonnegative(),
  scales: z.array(z.number()),
  biases: z.array(z.number()),
  labelCalibration: calibration,
  bestCalibration: calibration,
});

const largest = 32_767;

/** The model as bytes: a length, a JSON header, the features, their rarities, 16-bit weights. */
export function bytesOfModel(model: TextModel): Uint8Array<ArrayBuffer> {
  const { form, labels, features, rarities, weights } = model;
  const { labelCalibration, bestCalibration } = model;
  const count = features.length;
  const scales = weights.map(
    (row) => row.subarray(0, count).reduce((most, each) => Math.max(most, Math.abs(each)), 0) || 1,
  );
  const biases = weights.map((row) => row[count] ?? 0);
  const facts = { format: form, labels, features: count, scales, biases };
  const text = JSON.stringify({ ...facts, labelCalibration, bestCalibration });
  // A multiple of four, so that the arrays after it are aligned.
  const head = new TextEncoder().encode(text.padEnd(text.length + 4, " "));
  const headLength = head.length - (head.length % 4);
  const bytes = new Uint8Array(
    4 + headLength + count * 4 + (count + 1) * 4 + count * 2 * labels.length,
  );
  new DataView(bytes.buffer).setUint32(0, headLength, true);
  bytes.set(head.subarray(0, headLength), 4);
  let at = 4 + headLength;
  const put = (array: Uint32Array | Float32Array | Int16Array): void => {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  };
  put(features);
  put(rarities);
  weights.forEach((row, label) => {
    const scale = largest / (scales[label] ?? 1);
    put(Int16Array.from(row.subarray(0, count), (each) => Math.round(each * scale)));
  });
  return bytes;
}

/** Throws for bytes that {@link bytesOfModel} has not made. */
export function modelOfBytes(given: Uint8Array): TextModel {
  // A copy, whose offset fits all arrays.
  const bytes = given.slice();
  const headLength = new DataView(bytes.buffer).getUint32(0, true);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + headLength));
  const head = header.parse(JSON.parse(text));
  const { format: form, labels, features: count, scales, biases, ...calibrations } = head;
  let at = 4 + headLength;
  const features = new Uint32Array(bytes.buffer, at, count);
  at += count * 4;
  const rarities = new Float32Array(bytes.buffer, at, count + 1);
  at += (count + 1) * 4;
  const weights = labels.map((_label, label) => {
    const stored = new Int16Array(bytes.buffer, at + label * count * 2, count);
    const row = new Float32Array(count + 1);
    const scale = (scales[label] ?? 1) / largest;
    stored.forEach((each, index) => {
      row[index] = each * scale;
    });
    row[count] = biases[label] ?? 0;
    return row;
  });
  return { form, labels, features, rarities, weights, ...calibrations };
}

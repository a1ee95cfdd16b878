import type { Place, RecordRun } from "./record-run.ts";

/** Levels of a record's data; the data itself is level 1. */
const maximumRecordDepth = 32;

/** Larger magnitudes are refused: their sums could overflow a double. */
const maximumMagnitude = 1e308;

/** A copy of any JSON without -0, numbers beyond a double, and `__proto__`. */
export function freeJson(value: unknown, place: Place, run: RecordRun): unknown {
  if (typeof value === "number") return freeNumber(value, place, run);
  if (typeof value !== "object" || value === null) {
    return value === undefined ? run.fault(place, "must be JSON") : value;
  }
  if (depthOf(place) > maximumRecordDepth) {
    return run.fault(place, `nests deeper than ${maximumRecordDepth} levels`);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => freeJson(item, { parent: place, key: index }, run));
  }
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (run.isFull) break;
    const here = { parent: place, key };
    if (key === "__proto__") run.fault(here, "is not a usable name");
    else copy[key] = freeJson(member, here, run);
  }
  return copy;
}

/** A number as it is stored: never -0; a magnitude above 1e308 is a fault. */
export function freeNumber(value: number, place: Place, run: RecordRun): number | undefined {
  if (Math.abs(value) <= maximumMagnitude) return value === 0 ? 0 : value;
  return run.fault(place, "is a number out of range");
}

function depthOf(place: Place): number {
  let depth = 1;
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) depth += 1;
  return depth;
}

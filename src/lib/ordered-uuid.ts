const counterLimit = 2 ** 26;
const seedLimit = 2 ** 25;

/**
 * Makes UUIDv7 whose order is the order of the calls, also within one millisecond (RFC 9562, 6.2
 * method 1: a counter of 26 bits, newly and randomly begun for each later millisecond). The
 * runtime's own generator shares its counter with every thread and every other caller, whose
 * clocks begin it anew in between.
 */
export function orderedUuids(): (at: Date) => string {
  let lastMs = -1;
  let counter = 0;
  return (at) => {
    const random = crypto.getRandomValues(new Uint32Array(3));
    const [seed = 0, high = 0, low = 0] = random;
    const ms = at.getTime();
    if (ms > lastMs) {
      lastMs = ms;
      counter = seed % seedLimit;
    } else {
      counter = (counter + 1) % counterLimit;
    }
    const time = hex(ms, 12);
    const first = hex(0x7000 + (counter >>> 14), 4);
    const second = hex(0x8000 + (counter & 0x3fff), 4);
    const rest = `${hex(high & 0xffff, 4)}${hex(low, 8)}`;
    return `${time.slice(0, 8)}-${time.slice(8)}-${first}-${second}-${rest}`;
  };
}

/** The generator that this thread's records share, single ones and batches alike. */
export const orderedUuid: (at: Date) => string = orderedUuids();

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

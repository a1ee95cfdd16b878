import type { Dialect } from "./dialects.ts";

/** Fixed, so that a failed test shows the same ids when it is repeated. */
export interface IdSource {
  /** The next id of a record, job, type or member. */
  next(): string;
  /** The next id of a document, and its number. */
  nextDocument(): string;
  nextWorkspace(): string;
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function createIds({ ids, documentIds }: Dialect): IdSource {
  // Numbers of two and of three digits.
  let count = 94;
  const one = (): number => (count += 1);
  return {
    next() {
      const number = one();
      switch (ids) {
        case "integer":
          return String(number);
        case "prefixed":
          return `rec:${number}`;
        case "colons":
          return ["R:", "usr|2", "ot:00", "job-"][number % 4] + String(number);
        case "bars":
          return `${number % 2 === 0 ? "cl." : "inv|"}${number}`;
        case "upper":
          return (0xa1_b2_c3 + number).toString(16).toUpperCase();
        case "hex":
          return (0xa1_b2_c3 + number).toString(16);
        case "ulid":
          return `01JA${"0".repeat(18)}${base32(number)}`.slice(0, 26);
      }
    },
    nextDocument() {
      const number = one();
      if (documentIds === "number") return `DOC-${number}`;
      const uuid = uuidOf(0x4d, number);
      return documentIds === "uuid" ? uuid : uuid.replaceAll("-", "");
    },
    nextWorkspace: () => uuidOf(0x77, one()),
  };
}

function uuidOf(kind: number, number: number): string {
  const tail = number.toString(16).padStart(12, "0");
  return `${kind.toString(16).padStart(8, "0")}-1c2d-4e5f-8a9b-${tail}`;
}

function base32(number: number): string {
  const digits = [number >> 15, number >> 10, number >> 5, number].map(
    (part) => crockford[part & 31] ?? "",
  );
  return digits.join("");
}

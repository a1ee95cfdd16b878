import { fromBER, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { inflateSync } from "node:zlib";
import type { ExtractionLimits } from "../../extraction-limits.ts";

const signedData = "1.2.840.113549.1.7.2";
const compressedData = "1.2.840.113549.1.9.16.1.9";
const encryptedTypes: ReadonlySet<string> = new Set([
  "1.2.840.113549.1.7.3",
  "1.2.840.113549.1.7.6",
  "1.2.840.113549.1.9.16.1.23",
]);

export type Envelope = { kind: "open"; content: Uint8Array } | { kind: "encrypted" };

/**
 * Opens an S/MIME part (CMS, RFC 5652): the content that was signed or compressed, whose signature
 * is not verified. Returns undefined for other bytes and for a signature without content.
 */
export function openEnvelope(bytes: Uint8Array, limits: ExtractionLimits): Envelope | undefined {
  const [type, wrapped] = membersOf(fromBER(bytes).result);
  if (!(type instanceof ObjectIdentifier)) return undefined;
  const name = type.getValue();
  if (encryptedTypes.has(name)) return { kind: "encrypted" };
  if (name !== signedData && name !== compressedData) return undefined;
  const members = membersOf(membersOf(wrapped)[0]);
  const inner = membersOf(members.find((each) => isContentInfo(each)));
  const content = membersOf(inner[1])[0];
  if (!(content instanceof OctetString)) return undefined;
  const value = new Uint8Array(content.getValue());
  if (name === signedData) return { kind: "open", content: value };
  return { kind: "open", content: inflateSync(value, { maxOutputLength: limits.zipEntryBytes }) };
}

/** A sequence that begins with the type of its content, unlike one of algorithms. */
function isContentInfo(value: unknown): boolean {
  const [type, content] = membersOf(value);
  return (
    value instanceof Sequence &&
    type instanceof ObjectIdentifier &&
    membersOf(content)[0] instanceof OctetString
  );
}

function membersOf(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null || !("valueBlock" in value)) return [];
  const block = value.valueBlock;
  if (typeof block !== "object" || block === null || !("value" in block)) return [];
  return Array.isArray(block.value) ? block.value : [];
}

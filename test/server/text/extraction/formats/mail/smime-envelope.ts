import { Constructed, Integer, ObjectIdentifier, OctetString, Sequence, Set as Der } from "asn1js";

export const oid = (value: string): ObjectIdentifier => new ObjectIdentifier({ value });
const tagged = (...value: (Sequence | OctetString)[]): Constructed =>
  new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value });
export const bytes = (value: Sequence): Uint8Array => new Uint8Array(value.toBER());

/** A CMS message of this type around content, with the fields before it. */
export function envelope(
  type: string,
  content: Uint8Array,
  hasAlgorithms: "one" | "several",
): Uint8Array {
  const algorithm = new Sequence({ value: [oid("2.16.840.1.101.3.4.2.1")] });
  const algorithms = hasAlgorithms === "one" ? algorithm : new Der({ value: [algorithm] });
  const octets = new OctetString({ valueHex: Uint8Array.from(content).buffer });
  const inner = new Sequence({ value: [oid("1.2.840.113549.1.7.1"), tagged(octets)] });
  const members = new Sequence({ value: [new Integer({ value: 1 }), algorithms, inner] });
  return bytes(new Sequence({ value: [oid(type), tagged(members)] }));
}

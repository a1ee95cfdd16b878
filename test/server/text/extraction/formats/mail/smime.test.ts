import { Constructed, Integer, ObjectIdentifier, OctetString, Sequence, Set as Der } from "asn1js";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "#server/text/extraction/extraction-limits.ts";
import { openEnvelope } from "#server/text/extraction/formats/mail/smime.ts";

const oid = (value: string): ObjectIdentifier => new ObjectIdentifier({ value });
const tagged = (...value: (Sequence | OctetString)[]): Constructed =>
  new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value });
const bytes = (value: Sequence): Uint8Array => new Uint8Array(value.toBER());

/** A CMS message of this type around content, with the fields before it. */
function envelope(type: string, content: Uint8Array, hasAlgorithms: "one" | "several"): Uint8Array {
  const algorithm = new Sequence({ value: [oid("2.16.840.1.101.3.4.2.1")] });
  const algorithms = hasAlgorithms === "one" ? algorithm : new Der({ value: [algorithm] });
  const octets = new OctetString({ valueHex: Uint8Array.from(content).buffer });
  const inner = new Sequence({ value: [oid("1.2.840.113549.1.7.1"), tagged(octets)] });
  const members = new Sequence({ value: [new Integer({ value: 1 }), algorithms, inner] });
  return bytes(new Sequence({ value: [oid(type), tagged(members)] }));
}

const opened = (content: Uint8Array): string | undefined => {
  const found = openEnvelope(content, defaultLimits);
  return found?.kind === "open" ? Buffer.from(found.content).toString() : found?.kind;
};

describe("S/MIME", () => {
  test("the content of a signed and of a compressed message", () => {
    const text = Buffer.from("Content-Type: text/plain\r\n\r\nSigned words");
    expect(opened(envelope("1.2.840.113549.1.7.2", text, "several"))).toBe(text.toString());
    const packed = envelope("1.2.840.113549.1.9.16.1.9", deflateSync(text), "one");
    expect(opened(packed)).toBe(text.toString());
  });

  test("encrypted content is named, other bytes are not taken for a message", () => {
    expect(opened(envelope("1.2.840.113549.1.7.3", Buffer.from("x"), "one"))).toBe("encrypted");
    expect(opened(Buffer.from("MIME-Version: 1.0"))).toBeUndefined();
    expect(opened(bytes(new Sequence({ value: [oid("1.2.840.113549.1.7.2")] })))).toBeUndefined();
  });
});

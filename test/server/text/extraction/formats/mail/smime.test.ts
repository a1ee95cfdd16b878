import { Sequence } from "asn1js";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "#server/text/extraction/extraction-limits.ts";
import { openEnvelope } from "#server/text/extraction/formats/mail/smime.ts";
import { bytes, envelope, oid } from "./smime-envelope.ts";

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

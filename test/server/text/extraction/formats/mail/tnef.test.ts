import { describe, expect, test } from "vitest";
import { isTnef, readTnef } from "#server/text/extraction/formats/mail/tnef.ts";
import { attachmentProperties, attribute, ids, properties, tnef } from "./tnef-stream.ts";

const shown = (stream: Uint8Array): string[] =>
  readTnef(stream).map(({ filename, bytes }) => `${filename}: ${Buffer.from(bytes).toString()}`);

describe("winmail.dat", () => {
  test("the HTML body before the plain one, and attachments by their long names", () => {
    const stream = tnef(
      attribute(
        ids.properties,
        properties(
          [0x1e, 0x1000, Buffer.from("Plain\0")],
          [0x102, 0x1013, Buffer.from("<p>Rich</p>")],
        ),
      ),
      attribute(ids.attachment, Buffer.alloc(14)),
      attribute(ids.title, Buffer.from("PRUEFB~1.TXT\0")),
      attribute(ids.data, Buffer.from("412 vehicles")),
      attribute(
        attachmentProperties,
        properties([0x1f, 0x3707, Buffer.from("Prüfbericht.txt\0", "utf16le")]),
      ),
      attribute(ids.attachment, Buffer.alloc(14)),
      attribute(ids.title, Buffer.from("b.txt\0")),
      attribute(ids.data, Buffer.from("second")),
    );
    expect(isTnef(stream)).toBe(true);
    expect(shown(stream)).toEqual([
      "body.html: <p>Rich</p>",
      "Prüfbericht.txt: 412 vehicles",
      "b.txt: second",
    ]);
  });

  test("a body in the message's code page, and a message within it", () => {
    const inner = tnef(attribute(0x2800c, Buffer.from("Inner\0")));
    const stream = tnef(
      attribute(0x69007, Buffer.from("e304000000000000", "hex")),
      attribute(ids.properties, properties([0x1e, 0x1000, Buffer.from("cfebe0f2e0", "hex")])),
      attribute(ids.attachment, Buffer.alloc(14)),
      attribute(
        attachmentProperties,
        properties([0x0d, 0x3701, Buffer.concat([Buffer.alloc(16), inner])]),
      ),
    );
    const [body, message] = readTnef(stream);
    expect(Buffer.from(body?.bytes ?? []).toString()).toBe("Плата");
    expect(shown(message?.bytes ?? inner)).toEqual(["body.txt: Inner"]);
  });

  test("a stream that is cut off", () => {
    const stream = tnef(attribute(ids.properties, properties([0x1e, 0x1000, Buffer.from("Hi\0")])));
    expect(() => readTnef(stream.subarray(0, -6))).toThrow(RangeError);
    expect(isTnef(Buffer.from("x"))).toBe(false);
  });
});

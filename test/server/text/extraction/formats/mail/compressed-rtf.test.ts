import { expect, test } from "vitest";
import { decompressRtf } from "#server/text/extraction/formats/mail/compressed-rtf.ts";

const text = (hex: string): string =>
  Buffer.from(decompressRtf(Buffer.from(hex, "hex"))).toString();

test("the body of the format's specification, and one that repeats itself", () => {
  expect(
    text(
      "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af320" +
        "68656c090020627705b06c647d0a800fa0",
    ),
  ).toBe("{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
  expect(text("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")).toBe(
    "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}",
  );
});

test("a body that is not compressed, and one that is cut short", () => {
  expect(text(`0000000003000000${Buffer.from("MELA").toString("hex")}00000000414243`)).toBe("ABC");
  expect(text("2d0000002b0000004c5a4675f1c5c7a703000a0072637067")).toBe("{\\rtf1\\ansi\\ansicpg");
  expect(text("0102")).toBe("\u0001\u0002");
});

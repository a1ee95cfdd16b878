import { expect, test } from "vitest";
import { absentPart, uuencodedFiles } from "#server/text/extraction/formats/mail/absent-content.ts";

test("a part whose content is elsewhere is named, any other part is not", () => {
  expect(absentPart("message/external-body", "plan.pdf")).toContain("plan.pdf was not read");
  expect(absentPart("message/partial", "attachment")).toContain("other parts were not read");
  expect(absentPart("message/rfc822", "message.eml")).toBeUndefined();
});

test("files in the encoding of uuencode are named, words that begin a line are not", () => {
  const text = 'see below\nbegin 644 note one.txt\n+=&5X="!I;B!U=0\n \nend\nregards\nbegin 644 x\n';
  expect([...uuencodedFiles(text)]).toEqual([expect.stringContaining("The file note one.txt")]);
  expect([...uuencodedFiles("begin 644 reasons\n\nend\n")]).toEqual([]);
});

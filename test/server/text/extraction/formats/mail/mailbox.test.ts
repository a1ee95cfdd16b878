import { expect, test } from "vitest";
import { messagesOf } from "#server/text/extraction/formats/mail/mailbox.ts";

const split = (text: string): string[] =>
  [...messagesOf(Buffer.from(text))].map((message) => Buffer.from(message).toString());

const line = "From a@b.example Mon Mar  2 10:00:00 2026";

test("messages are divided at their first lines, which end with the year", () => {
  expect(split(`${line}\nSubject: One\n\n1\n\n${line} +0100\r\nSubject: Two\n\n2\n`)).toEqual([
    "Subject: One\n\n1\n\n",
    "Subject: Two\n\n2\n",
  ]);
});

test("text that begins with From is no message, and a quoted line is restored", () => {
  const body = "From my point of view in 2026\nit holds.\n>From here\n>>From there";
  expect(split(`${line}\nSubject: One\n\n${body}`)).toEqual([
    "Subject: One\n\nFrom my point of view in 2026\nit holds.\nFrom here\n>From there",
  ]);
});

test("a message without such a line stays as it is", () => {
  expect(split(`Subject: One\n\n${line}\nSubject: quoted`)).toEqual([
    `Subject: One\n\n${line}\nSubject: quoted`,
  ]);
});

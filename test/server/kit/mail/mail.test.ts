import { expect, test } from "vitest";
import { letter, oneLine } from "#server/kit/mail/mail.ts";

test("a letter is text and HTML, and its header has no line breaks", () => {
  const mail = letter({
    to: "a@b.test",
    subject: "Hello\r\nBcc: x@y.test",
    firstName: "Zoë\n<b>",
    content: [
      "Two < three",
      { label: "Open", link: "https://a.test/?a=1&b=2" },
      { command: "svc" },
    ],
  });
  expect(mail.subject).toBe("Hello Bcc: x@y.test");
  expect(mail.text).toBe(
    "Hello Zoë <b>,\n\nTwo < three\n\nOpen:\n\n  https://a.test/?a=1&b=2\n\n  svc\n",
  );
  expect(mail.html).toContain("Hello Zoë &lt;b&gt;,");
  expect(mail.html).toContain('<a href="https://a.test/?a=1&amp;b=2"');
  expect(mail.html).toContain("<code>svc</code>");
});

test("a letter without a name greets without one", () => {
  const parts = { to: "a@b.test", subject: "s", content: [] };
  expect(letter({ ...parts, firstName: " \u200b" }).text).toBe("Hello,\n");
  expect(oneLine(" a\t\nb\u0000c ")).toBe("a b c");
});

import { describe, expect, test } from "vitest";
import { letter } from "#server/kit/mail/mail.ts";
import { smtpServerOf } from "#server/kit/mail/smtp-mailer.ts";

describe("an SMTP URL", () => {
  test("names server, login and sender", () => {
    expect(smtpServerOf("smtps://a%40b:p%2Fw@mail.example.org?from=svc@example.org")).toEqual({
      host: "mail.example.org",
      port: 465,
      isSecure: true,
      login: { user: "a@b", pass: "p/w" },
      from: "svc@example.org",
    });
    expect(smtpServerOf("smtp://[::1]:25?from=a@b")).toMatchObject({ host: "::1", port: 25 });
  });

  test.each([
    ["Svc <svc@example.org>", "Svc"],
    ['"Planning, north" <svc@example.org>', "Planning, north"],
    ["Bürgerbüro <svc@example.org>", "Bürgerbüro"],
    ["<svc@example.org>", undefined],
    ["svc@example.org", undefined],
  ])("names the sender %j", (from, fromName) => {
    const url = `smtp://mail.example.org?from=${encodeURIComponent(from)}`;
    expect(smtpServerOf(url)).toMatchObject({ from: "svc@example.org", fromName });
  });

  test.each([
    "mail.example.org",
    "http://mail.example.org?from=a@b",
    "smtp://user:hidden-word@mail.example.org",
    "smtp://user:hidden-word@mail.example.org?from=nothing",
    "smtp://user:hidden-word@mail.example.org?from=Two <a@b> <c@d>",
    "smtp://user:hidden-word@mail.example.org?from=Line%0ABcc: <a@b>",
  ])("is refused without its password: %s", (url) => {
    expect(() => smtpServerOf(url)).toThrow(TypeError);
    try {
      smtpServerOf(url);
    } catch (error) {
      expect(String(error)).not.toContain("hidden-word");
    }
  });
});

describe("a mail", () => {
  const content = ["One & two", { label: "Open", link: "https://a.test/?b=1&c=2" }];
  const parts = { to: "ada@example.org", subject: "A\nsubject", content };

  test("says the same as text and as HTML, and greets by the first name", () => {
    const { subject, text, html } = letter({ ...parts, firstName: "Ada\r\nBcc: <all>" });
    expect(subject).toBe("A subject");
    expect(text).toBe("Hello Ada Bcc: <all>,\n\nOne & two\n\nOpen:\n\n  https://a.test/?b=1&c=2\n");
    expect(html).toContain("Hello Ada Bcc: &lt;all&gt;,");
    expect(html).toContain("One &amp; two");
    expect(html).toContain('href="https://a.test/?b=1&amp;c=2"');
  });

  test("greets a person without a first name", () => {
    expect(letter({ ...parts, firstName: undefined }).text).toMatch(/^Hello,\n\n/);
  });
});

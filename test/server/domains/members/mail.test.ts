import { describe, expect, test } from "vitest";
import { smtpServerOf } from "#server/domains/members/smtp-mailer.ts";

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
    "mail.example.org",
    "http://mail.example.org?from=a@b",
    "smtp://user:hidden-word@mail.example.org",
    "smtp://user:hidden-word@mail.example.org?from=nothing",
  ])("is refused without its password: %s", (url) => {
    expect(() => smtpServerOf(url)).toThrow(TypeError);
    try {
      smtpServerOf(url);
    } catch (error) {
      expect(String(error)).not.toContain("hidden-word");
    }
  });
});

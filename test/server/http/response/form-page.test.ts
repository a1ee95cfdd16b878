import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import { html } from "#lib/text/html.ts";
import { formPages } from "#server/http/response/form-page.ts";

test("a page allows its own style only, and no script, frame or cache", async () => {
  const response = formPages("em { color: red }")("Sign in", html`<p>a</p>`);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(policy).not.toContain("script-src");
  expect(policy).toContain("frame-ancestors 'none'");
  const [, style = ""] = /<style>([^]*?)<\/style>/.exec(await response.text()) ?? [];
  const digest = createHash("sha256").update(style).digest("base64");
  expect(policy).toContain(`'sha256-${digest}'`);
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("a page may have one script, a form's target and its own status", () => {
  const options = { status: 403, script: "'sha256-x'", formOrigin: "https://a.test" };
  const response = formPages()("No", html``, { ...options, headers: { "retry-after": "5" } });
  const policy = response.headers.get("content-security-policy");
  expect(policy).toContain("script-src 'sha256-x'; form-action 'self' https://a.test");
  expect([response.status, response.headers.get("retry-after")]).toEqual([403, "5"]);
});

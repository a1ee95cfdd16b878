import { expect, test } from "vitest";
import { environmentRedactor } from "#commands/support/secrets.ts";

test("values of secret variables, and passwords of addresses, are removed", () => {
  const redactor = environmentRedactor(
    {
      API_TOKEN: "opaque-value-1",
      PROXY: "http://user:pa%24sword1@proxy.test",
      SVC_APP_KEY: "planning-app",
      HOME_PAGE: "https://a.test/plain",
      EMPTY_SECRET: undefined,
    },
    "/home/ada",
  );
  const text = "opaque-value-1 pa%24sword1 pa$sword1 planning-app https://a.test/plain";
  const clean = redactor.redact(text);
  for (const secret of ["opaque-value-1", "pa%24sword1", "pa$sword1"]) {
    expect(clean).not.toContain(secret);
  }
  expect(clean).toContain("planning-app");
  expect(clean).toContain("https://a.test/plain");
});

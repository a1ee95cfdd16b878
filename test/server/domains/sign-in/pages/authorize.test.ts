import { describe, expect, test } from "vitest";
import { describePlatform, testBaseUrl } from "#test/support/platform.ts";
import { authorizeAddress, FormBrowser } from "../form-browser.ts";

describePlatform("the sign-in page", (the) => {
  const newBrowser = (): FormBrowser =>
    new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));

  describe("with a request that could send a code elsewhere", () => {
    test.each([
      "http://evil.example/callback",
      "https://127.0.0.1:49152/callback",
      "http://127.0.0.1:49152/other",
      "http://127.0.0.1:49152/callback/",
      "http://127.0.0.1:49152/callback?next=http://evil.example",
      "http://127.0.0.1:49152/callback#x",
      "http://127.0.0.1:49152@evil.example/callback",
      "http://user:secret@127.0.0.1:49152/callback",
      "http://localhost:49152/callback",
      "http://127.0.0.2:49152/callback",
      "http://127.0.0.1.evil.example/callback",
      "javascript:alert(1)",
      "/callback",
      "",
    ])("never redirects to %s", async (uri) => {
      const page = await newBrowser().visit(authorizeAddress({ redirect_uri: uri }));
      expect(page.status).toBe(400);
      expect(page.left).toBeUndefined();
      expect(page.text).toContain("The redirect address is not allowed.");
    });

    test("never redirects for an unknown application", async () => {
      const page = await newBrowser().visit(authorizeAddress({ client_id: "other" }));
      expect(page.status).toBe(400);
      expect(page.left).toBeUndefined();
    });

    test("refuses a repeated parameter", async () => {
      const address = `${authorizeAddress()}&redirect_uri=http%3A%2F%2Fevil.example`;
      const page = await newBrowser().visit(address);
      expect(page.status).toBe(400);
      expect(page.left).toBeUndefined();
    });
  });

  describe("with an invalid request of a known client", () => {
    test.each([
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_mode: "fragment" }, "invalid_request"],
      [{ code_challenge: undefined }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge_method: undefined }, "invalid_request"],
      [{ code_challenge: "short" }, "invalid_request"],
      [{ scope: "openid admin" }, "invalid_scope"],
      [{ request: "x.y.z" }, "request_not_supported"],
      [{ request_uri: "http://evil.example" }, "request_uri_not_supported"],
    ])("%j, informs the client: %s", async (change, error) => {
      const page = await newBrowser().visit(authorizeAddress(change));
      expect(page.left?.origin).toBe("http://127.0.0.1:49152");
      expect(page.left?.searchParams.get("error")).toBe(error);
      expect(page.left?.searchParams.get("state")).toBe("a-state");
    });
  });
});

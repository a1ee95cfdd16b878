import { expect, test } from "vitest";
import { createClient } from "#client/client.ts";

/** No machine has this address (RFC 5737), and no request reaches it within the limit. */
const baseUrl = "http://192.0.2.1";

test("a token is not sent over plain http to another machine", async () => {
  let asked = 0;
  const client = createClient({ baseUrl, token: async () => `token-${(asked += 1)}` });
  await expect(client.identity.me()).rejects.toMatchObject({
    code: "E104",
    message: expect.stringContaining(`${baseUrl} is not https`),
    hint: expect.stringContaining("--insecure-http"),
  });
  expect(asked).toBe(0);
});

test.each([
  ["with the option", baseUrl, true],
  ["to this machine", "http://127.0.0.1:1", false],
])("a token is sent %s", async (_name, address, insecureHttp) => {
  let asked = 0;
  const token = async () => `token-${(asked += 1)}`;
  const client = createClient({
    baseUrl: address,
    token,
    insecureHttp,
    timeoutMs: 50,
    retry: false,
  });
  await expect(client.identity.me()).rejects.toMatchObject({ code: "E201" });
  expect(asked).toBe(1);
});

import { describe, expect, test } from "vitest";
import { checkedEndpoint } from "#server/models/endpoint.ts";

describe("the address of an endpoint", () => {
  const key = { chatModel: "m", apiKey: "sk-secret" };
  test.each([
    ["https://api.example.org/v1/", "https://api.example.org/v1"],
    ["http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"],
    ["http://ollama:11434/v1", "http://ollama:11434/v1"],
    ["http://192.168.1.4/v1", "http://192.168.1.4/v1"],
  ])("%s is accepted", (baseUrl, expected) => {
    expect(checkedEndpoint({ baseUrl, ...key }).baseUrl).toBe(expected);
  });

  test.each([
    ["http://api.example.org/v1", "https://"],
    ["http://169.254.169.254/v1", "link-local"],
    ["https://[fe80::1]/v1", "link-local"],
    ["https://user:word@api.example.org", "password"],
    ["https://api.example.org/v1?key=1", "query"],
    ["file:///etc/passwd", "http or https"],
    ["nonsense", "http or https"],
  ])("%s is refused", (baseUrl, words) => {
    expect(() => checkedEndpoint({ baseUrl, ...key })).toThrow(words);
  });

  test("a bad key is refused without being quoted", () => {
    const baseUrl = "https://api.example.org/v1";
    expect(() => checkedEndpoint({ baseUrl, chatModel: "m", apiKey: "sk\nsecret" })).toThrow(
      /^(?!.*secret).*visible ASCII/,
    );
    expect(() => checkedEndpoint({ baseUrl })).toThrow("needs the name");
  });
});

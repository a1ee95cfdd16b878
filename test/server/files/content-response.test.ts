import { describe, expect, test } from "vitest";
import { attachment, contentResponse } from "#server/files/content-response.ts";

const sha256 = "c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a";
const tag = `"${sha256}"`;

const respond = (headers: Record<string, string> = {}, text = "Hello world!") =>
  contentResponse(
    {
      bytes: new Blob([text]),
      size: text.length,
      sha256,
      mediaType: "text/html",
      filename: "page.html",
    },
    new Headers(headers),
  );

describe("stored bytes", () => {
  test("are sent whole, with their digest, as an attachment", async () => {
    const response = respond();
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("Hello world!");
    expect(Object.fromEntries(response.headers)).toEqual({
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      "content-disposition": `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      "content-length": "12",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "text/html",
      etag: tag,
      "repr-digest": "sha-256=:wFNeS+K3n/2TKRMFQ2v4iTFOSj+uwF7P/Lt98xrZ5Ro=:",
      "x-content-type-options": "nosniff",
    });
  });

  test.each([
    ["bytes=0-4", "Hello", "bytes 0-4/12"],
    // Range units are case-insensitive (RFC 9110, 14.1).
    ["Bytes=0-4", "Hello", "bytes 0-4/12"],
    ["bytes=6-", "world!", "bytes 6-11/12"],
    ["bytes=-1", "!", "bytes 11-11/12"],
    ["bytes=-100", "Hello world!", "bytes 0-11/12"],
    ["bytes=11-99999999999999999999", "!", "bytes 11-11/12"],
    [" bytes = 0 - 4 ", "Hello", "bytes 0-4/12"],
  ])("the range %s is %j", async (range, text, contentRange) => {
    const response = respond({ range });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe(text);
    expect(response.headers.get("content-range")).toBe(contentRange);
    expect(response.headers.get("content-length")).toBe(String(text.length));
  });

  test.each(["bytes=12-", "bytes=12-15", "bytes=-0"])(
    "the range %s is not satisfiable",
    (range) => {
      expect(() => respond({ range })).toThrow(
        expect.objectContaining({
          code: "range-not-satisfiable",
          options: expect.objectContaining({ headers: { "content-range": "bytes */12" } }),
        }),
      );
    },
  );

  test("an empty file has no range", () => {
    expect(() => respond({ range: "bytes=0-" }, "")).toThrow("The content has 0 bytes");
  });

  test.each(["bytes=0-1,3-4", "lines=1-2", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b"])(
    "the range %s is passed over",
    async (range) => {
      const response = respond({ range });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-range")).toBeNull();
      expect(await response.text()).toBe("Hello world!");
    },
  );

  test("a range of many blanks takes linear time", () => {
    const blanks = " ".repeat(300_000);
    expect(respond({ range: `bytes=${blanks}x` }).status).toBe(200);
    expect(respond({ range: `bytes=1${blanks}-${blanks}x` }).status).toBe(200);
    expect(respond({ range: `bytes${blanks}=${blanks}1${blanks}-${blanks}4` }).status).toBe(206);
  });

  test("are sent for a matching If-Match", () => {
    expect(respond({ "if-match": `"other", ${tag}` }).status).toBe(200);
    expect(respond({ "if-match": "*" }).status).toBe(200);
  });

  test.each(['"other"', `W/${tag}`])("If-Match %s is 412", (field) => {
    expect(() => respond({ "if-match": field })).toThrow(
      expect.objectContaining({ code: "precondition-failed" }),
    );
  });

  test("a range applies only if If-Range matches", () => {
    expect(respond({ range: "bytes=0-1", "if-range": tag }).status).toBe(206);
    expect(respond({ range: "bytes=0-1", "if-range": '"other"' }).status).toBe(200);
    expect(respond({ range: "bytes=0-1", "if-range": `W/${tag}` }).status).toBe(200);
  });

  test.each([tag, `W/${tag}`, `"x", ${tag}`, "*"])("If-None-Match %s is 304", async (field) => {
    const response = respond({ "if-none-match": field });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
    expect(response.headers.get("etag")).toBe(tag);
    expect(respond({ "if-none-match": '"other"' }).status).toBe(200);
  });
});

describe("the file name of an attachment", () => {
  test.each([
    ["plans.pdf", "plans.pdf", "plans.pdf"],
    ["naïve – 計画.pdf", "na_ve _ __.pdf", "na%C3%AFve%20%E2%80%93%20%E8%A8%88%E7%94%BB.pdf"],
    ["../../etc/passwd", "passwd", "passwd"],
    ["C:\\temp\\a.txt", "a.txt", "a.txt"],
    ["..", "document", "document"],
    ["folder/", "document", "document"],
    ["a\";\r\nX: 1 (b)*'.txt", "a_;X: 1 (b)*'.txt", "a%22%3BX%3A%201%20%28b%29%2A%27.txt"],
    ["\u202egnp.exe", "gnp.exe", "gnp.exe"],
    ["half \ud83d pair", "half _ pair", "half%20%EF%BF%BD%20pair"],
    ["100%.txt", "100_.txt", "100%25.txt"],
  ])("%j", (filename, ascii, encoded) => {
    expect(attachment(filename)).toBe(
      `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`,
    );
  });
});

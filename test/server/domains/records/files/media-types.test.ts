import { expect, test } from "vitest";
import { describeEachStore, digestOf } from "./file-stores.ts";

describeEachStore("files of records", (the) => {
  test.each([
    [{ range: "bytes=0-4" }, 206, "Hello", "bytes 0-4/12"],
    [{ range: "bytes=6-" }, 206, "world!", "bytes 6-11/12"],
    [{ range: "bytes=-1" }, 206, "!", "bytes 11-11/12"],
    [{ range: "bytes=0-999" }, 206, "Hello world!", "bytes 0-11/12"],
    [{ range: "bytes=0-1,4-5" }, 200, "Hello world!", null],
    [{ range: "lines=0-1" }, 200, "Hello world!", null],
    [{ range: "bytes=0-4", "if-range": "{etag}" }, 206, "Hello", "bytes 0-4/12"],
    [{ range: "bytes=0-4", "if-range": '"other"' }, 200, "Hello world!", null],
    [{ "if-none-match": "{etag}" }, 304, "", null],
    [{ "if-none-match": '"other"' }, 200, "Hello world!", null],
  ])("%j is answered with %d %j", async (asked, status, text, range) => {
    const { path } = await the().place();
    await the().put(path, "Hello world!");
    const etag = `"${digestOf("Hello world!")}"`;
    const headers = Object.fromEntries(
      Object.entries(asked).map(([name, value]) => [name, value.replace("{etag}", etag)]),
    );
    const got = await the().viewer.get(path, { headers });
    expect([got.status, got.text]).toEqual([status, text]);
    expect(got.headers.get("content-range")).toBe(range);
    expect(got.headers.get("etag")).toBe(etag);
    // A part is only asked for with GET (RFC 9110, 14.2): HEAD reports the whole.
    const head = await the().viewer.fetch("HEAD", path, { headers });
    expect([head.status, await head.text()]).toEqual([status === 206 ? 200 : status, ""]);
    expect(head.headers.get("content-length")).toBe(status === 304 ? null : "12");
    expect(head.headers.get("content-range")).toBeNull();
  });
});

import { expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { describeEachStore } from "./file-stores.ts";

describeEachStore("files of records", (the) => {
  test("a signed URL reads these bytes without a token until it expires", async () => {
    const { path } = await the().place();
    await the().put(path, "Hello world!");
    const link = async (): Promise<string> => {
      const { json } = await the().viewer.get(`${path}?access=url`);
      const leftMs = Date.parse(String(field(json, "expiresAt"))) - the().platform.now().getTime();
      expect(leftMs).toBeLessThanOrEqual(15 * 60_000);
      expect(leftMs).toBeGreaterThan(14 * 60_000);
      const url = new URL(String(field(json, "url")));
      expect(url.origin).toBe(the().platform.baseUrl);
      return url.pathname.split("/").at(-1) ?? "";
    };
    const nobody = the().platform.as("nobody");
    const token = await link();
    const read = await nobody.get(`/v4/data/files/${token}`, {
      headers: { range: "bytes=0-4" },
    });
    expect([read.status, read.text]).toEqual([206, "Hello"]);
    expect(read.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    const [text = "", signature = ""] = token.split(".");
    const later = Buffer.from(
      Buffer.from(text, "base64url")
        .toString()
        .replace(/\d+\]$/, "9999999999]"),
    ).toString("base64url");
    for (const altered of [
      `${text}x.${signature}`,
      `${text}.x${signature}`,
      `${later}.${signature}`,
      text,
      `${token}.`,
      "x",
    ]) {
      const refused = await nobody.get(`/v4/data/files/${altered}`);
      expect([refused.status, field(refused.json, "code")]).toEqual([403, "link-invalid"]);
    }
    await the().put(path, "Other bytes");
    expect((await nobody.get(`/v4/data/files/${token}`)).status).toBe(404);
    const newer = await link();
    the().platform.advance(15 * 60_000 + 1_000);
    const late = await nobody.get(`/v4/data/files/${newer}`);
    expect([late.status, field(late.json, "code")]).toEqual([403, "link-expired"]);
  });
});

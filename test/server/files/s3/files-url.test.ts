import { describe, expect, test } from "vitest";
import { FilesUrlError, parseFilesUrl, urlOf } from "#server/files/s3/files-url.ts";

const described = (text: string) => {
  const location = parseFilesUrl(text);
  return { ...location, endpoint: location.endpoint.origin };
};

describe("a files URL", () => {
  test("gives the bucket and prefix of a store with an endpoint", () => {
    const url =
      "s3://files/svc/blobs?endpoint=http://127.0.0.1:9000&region=eu-west-1&path-style=true";
    expect(described(url)).toEqual({
      bucket: "files",
      prefix: "svc/blobs",
      endpoint: "http://127.0.0.1:9000",
      region: "eu-west-1",
      usesPathStyle: true,
    });
  });

  test("means AWS without an endpoint", () => {
    expect(described("s3://files?region=eu-central-1")).toEqual({
      bucket: "files",
      prefix: "",
      endpoint: "https://s3.eu-central-1.amazonaws.com",
      region: "eu-central-1",
      usesPathStyle: false,
    });
    expect(described("s3://files/")).toMatchObject({ region: "us-east-1", prefix: "" });
  });

  test.each([
    ["s3://files", "https://files.s3.us-east-1.amazonaws.com/a/b"],
    ["s3://files?path-style=true", "https://s3.us-east-1.amazonaws.com/files/a/b"],
    ["s3://my.files", "https://s3.us-east-1.amazonaws.com/my.files/a/b"],
    ["s3://files?endpoint=https://s3.example.org", "https://s3.example.org/files/a/b"],
    [
      "s3://files?endpoint=https://s3.example.org:8443&path-style=false",
      "https://files.s3.example.org:8443/a/b",
    ],
  ])("%s addresses %s", (text, url) => {
    expect(urlOf(parseFilesUrl(text), "a/b")).toBe(url);
  });

  test.each([
    ["", "expected s3://bucket/prefix"],
    ["/var/files", "expected s3://bucket/prefix"],
    ["https://files.example.org", "expected s3://bucket/prefix"],
    ["s3://", "bucket: expected 3 to 63"],
    ["s3://Files", 'bucket "Files": expected 3 to 63'],
    ["s3://f", 'bucket "f": expected 3 to 63'],
    ["s3://a..b", 'bucket "a..b": expected 3 to 63'],
    ["s3://AKID:secret-key@files", "credentials come from the environment only"],
    ["s3://files:9000", "a port or a fragment"],
    ["s3://files#x", "a port or a fragment"],
    ["s3://files/a b", "prefix"],
    ["s3://files/a//b", 'prefix "a//b"'],
    ["s3://files?secret-access-key=secret-key", '"secret-access-key" is not endpoint'],
    ["s3://files?region=eu&region=us", "region is given twice"],
    ["s3://files?region=EU West", 'region "EU West"'],
    ["s3://files?path-style=yes", 'path-style "yes": expected true or false'],
    ["s3://files?endpoint=127.0.0.1:9000", "endpoint: expected http(s)://host:port"],
    ["s3://files?endpoint=ftp://127.0.0.1", "endpoint: expected http(s)://host:port"],
    ["s3://files?endpoint=http://AKID:secret-key@127.0.0.1", 'endpoint "127.0.0.1": expected'],
    ["s3://files?endpoint=http://127.0.0.1/sub", 'endpoint "127.0.0.1": expected'],
    [`s3://files/${"a".repeat(129)}`, "prefix"],
  ])("is refused: %s", (text, words) => {
    const refused = () => parseFilesUrl(text);
    expect(refused).toThrow(FilesUrlError);
    expect(refused).toThrow(words);
    expect(refused).not.toThrow("secret-key");
  });

  test("never leaves its bucket", () => {
    expect(parseFilesUrl("s3://files/a/../../b").prefix).toBe("b");
  });
});

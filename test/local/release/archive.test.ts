import { expect, test } from "vitest";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { ArchiveError, releasedExecutable } from "#local/release/archive.ts";

/** A tar archive of these files; a folder has no content. */
function tar(files: Readonly<Record<string, string | undefined>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content = ""]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    header.write(files[name] === undefined ? "5" : "0", 156);
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    body.write(content);
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const files = {
  "svc-1.0.0/": undefined,
  "svc-1.0.0/README.md": "x".repeat(700),
  "svc-1.0.0/bin/svc": "program",
  "svc-1.0.0/bin/svc.minisig": "signature",
};

test.each([gzipSync, zstdCompressSync])(
  "the executable is found with its signature",
  (compress) => {
    const found = releasedExecutable(compress(tar(files)));
    expect([Buffer.from(found.executable).toString(), found.signature]).toEqual([
      "program",
      "signature",
    ]);
  },
);

test.each([
  ["without a signature", gzipSync(tar({ "a/bin/svc": "x" })), "no signed executable"],
  [
    "in another folder",
    gzipSync(tar({ "a/b/bin/svc": "x", "a/b/bin/svc.minisig": "y" })),
    "no signed",
  ],
  ["that is cut", gzipSync(tar(files).subarray(0, 1_600)), "the archive is damaged"],
  ["of another form", Buffer.from("plain text"), "the archive is damaged"],
])("an archive %s is refused", (_case, archive, message) => {
  expect(() => releasedExecutable(archive)).toThrow(ArchiveError);
  expect(() => releasedExecutable(archive)).toThrow(message);
});

import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { auditText, requireSignedAudit } from "#lib/archive/audit-signature.ts";
import { ArchiveDamagedError } from "#lib/archive/read-archive.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const end = { sequence: 7, digest: "d7", sha256: "a1" };
const workspace = { id: "w1" };
const audit = {
  ...end,
  publicKey: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  signature: sign(null, Buffer.from(auditText(workspace.id, end)), privateKey).toString("base64"),
};
const files = { count: 0, bytes: 0 };
const parts = [{ name: "audit", count: 7, sha256: "a1" }];
const manifest = { workspace, parts, files, audit };

test("an audit log with its signature is taken, and so is an archive without one", () => {
  expect(() => requireSignedAudit(manifest)).not.toThrow();
  expect(() => requireSignedAudit({ workspace, parts: [], files })).not.toThrow();
});

test.each([
  ["other entries", { ...manifest, parts: [{ name: "audit", count: 7, sha256: "a2" }] }],
  ["another end", { ...manifest, audit: { ...audit, sequence: 6 } }],
  ["another workspace", { ...manifest, workspace: { id: "w2" } }],
  ["no signature", { workspace, parts, files }],
  ["no key", { ...manifest, audit: { ...audit, publicKey: "none" } }],
])("an audit log with %s is damaged", (_words, wrong) => {
  expect(() => requireSignedAudit(wrong)).toThrow(ArchiveDamagedError);
});

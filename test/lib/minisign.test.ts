import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSignature, SignatureError } from "#lib/minisign.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  developmentKey,
  publicKeyFile,
  secretKey,
  signed,
} from "../../scripts/release/minisign.ts";

const content = new TextEncoder().encode("The wall is two metres high.\n");

// Made with the tool minisign 0.11; the key was for this test only.
const toolPublicKey = "RWTHnFYCU6EEnhDV3fzVadI0n9lbXuEZMcGZjnT+lQObCssCPjN987Ez";
const toolSecretKey =
  "untrusted comment: minisign unencrypted secret key\nRWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAx5xWAlOhBJ7+qGeLaHSZ0WNdBl56GNB0yDRyHyoIvcMCNMV4m07krxDV3fzVadI0n9lbXuEZMcGZjnT+lQObCssCPjN987EzAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
const toolSignature = [
  "untrusted comment: signature from minisign secret key",
  "RUTHnFYCU6EEnsRbxLX1KPL3L6eBce6z6Yp/wHFUc1VkpV0ItV9L93A/LonRxSECPVbdrMDfYO1j3inM44r8xNprgpYJgYsScws=",
  "trusted comment: svc 1.2.3",
  "QUP9SRoRE8RJJUFdZhwPklalS9JF3ZxPaWK3JKojpIiuhy39HsGrl2KR7pvnbZZWS7uteoMDP7Kb8cQALbxlBQ==",
  "",
].join("\n");

describe("signatures of minisign", () => {
  test("of the tool itself are read", () => {
    expect(checkSignature(toolPublicKey, toolSignature, content)).toBe("svc 1.2.3");
  });

  test("are made the same way with the tool's key file", () => {
    const key = secretKey(toolSecretKey);
    expect(key.publicKey).toBe(toolPublicKey);
    const made = signed(key, content, "svc 1.2.3").split("\n").slice(1);
    expect(made).toEqual(toolSignature.split("\n").slice(1));
  });

  test("are refused after a change of any bit", () => {
    const key = developmentKey();
    const signature = signed(key, content, "svc 1.2.3");
    const isRefused = (text: string, bytes: Uint8Array): boolean => {
      try {
        checkSignature(key.publicKey, text, bytes);
        return false;
      } catch (error) {
        return error instanceof SignatureError;
      }
    };
    expect(isRefused(signature, content)).toBe(false);
    for (let bit = 0; bit < content.byteLength * 8; bit += 1) {
      const changed = Uint8Array.from(content);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(isRefused(signature, changed), `bit ${bit} of the content`).toBe(true);
    }
    // The first line is not signed, and says so.
    const bytes = new TextEncoder().encode(signature);
    for (let byte = signature.indexOf("\n") + 1; byte < bytes.byteLength - 1; byte += 1) {
      const changed = Uint8Array.from(bytes);
      changed[byte] = (changed[byte] ?? 0) ^ 1;
      const text = new TextDecoder("latin1").decode(changed);
      expect(isRefused(text, content), `byte ${byte} of the signature`).toBe(true);
    }
  });

  test("of another key, or of none, are refused", () => {
    const { publicKey } = developmentKey();
    expect(() => checkSignature(publicKey, toolSignature, content)).toThrow("another key");
    expect(() => checkSignature(publicKey, "", content)).toThrow(SignatureError);
    expect(() => checkSignature("RWQ", toolSignature, content)).toThrow("the public key");
  });

  test.skipIf(Bun.which("minisign") === null)("are read by the tool, where it is", async () => {
    const folder = await temporaryDirectory("minisign");
    const key = developmentKey();
    await writeFile(join(folder, "key.pub"), publicKeyFile(key));
    await writeFile(join(folder, "text"), content);
    await writeFile(join(folder, "text.minisig"), signed(key, content, "svc 1.2.3"));
    const { stdout, exitCode } = Bun.spawnSync(
      ["minisign", "-V", "-p", "key.pub", "-m", "text", "-x", "text.minisig"],
      { cwd: folder },
    );
    expect(exitCode).toBe(0);
    expect(stdout.toString()).toContain("Trusted comment: svc 1.2.3");
  });

  test("a key file with a password or a damage is refused", () => {
    const line = toolSecretKey.split("\n")[1] ?? "";
    const bytes = Buffer.from(line, "base64");
    const changed = (at: number): string => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString("base64");
    };
    expect(() => secretKey(changed(2))).toThrow("password");
    expect(() => secretKey(changed(70))).toThrow("damaged");
    expect(() => secretKey("none")).toThrow("not a key file");
  });
});

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const format = "sealed1";
const nonceBytes = 12;
const tagBytes = 16;
export const keyBytes = 32;

/**
 * Seals texts with AES-256-GCM, each under a name: a sealed text cannot take the place of another
 * one. A sealed text shows the id of its key, and nothing else.
 */
export class SealingKey {
  /** 16 hexadecimal digits that tell keys apart; the key cannot be computed from them. */
  readonly id: string;

  constructor(private readonly bytes: Uint8Array) {
    if (bytes.byteLength !== keyBytes) throw new TypeError("a key has 32 bytes");
    this.id = createHmac("sha256", bytes).update("key id").digest("hex").slice(0, 16);
  }

  seal(name: string, text: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.bytes, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
    const bytes = Buffer.concat([nonce, sealed, sealing.getAuthTag()]);
    return `${format}.${this.id}.${bytes.toString("base64url")}`;
  }

  /** The text; undefined if another key or another name sealed it, or if it was changed. */
  open(name: string, sealed: string): string | undefined {
    const [found, id, encoded = ""] = sealed.split(".");
    const bytes = Buffer.from(encoded, "base64url");
    if (found !== format || id !== this.id) return undefined;
    if (bytes.byteLength < nonceBytes + tagBytes) return undefined;
    const opening = createDecipheriv(cipher, this.bytes, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    opening.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(-tagBytes));
    try {
      const text = opening.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([text, opening.final()]).toString("utf8");
    } catch {
      return undefined;
    }
  }
}

/** The id of the key that sealed a text; undefined for a text that is not sealed. */
export function sealedKeyId(sealed: string): string | undefined {
  const [found, id] = sealed.split(".");
  return found === format ? id : undefined;
}

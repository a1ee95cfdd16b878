import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

/** A device that behaves, or does not. */
export interface DeviceSettings {
  readonly origin: string;
  /** Its user enters no PIN. */
  readonly isUnverified?: boolean;
  /** It counts no uses, as passkeys that several devices share. */
  readonly countsNothing?: boolean;
}

const sha256 = (bytes: string | Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const member = (from: unknown, name: string): unknown =>
  typeof from === "object" && from !== null ? Reflect.get(from, name) : undefined;

/** A software authenticator with one ES256 key (WebAuthn level 2), as a browser answers for it. */
export class PasskeyDevice {
  readonly id = randomBytes(32);
  readonly #key: KeyObject;
  readonly #point: { readonly x: Buffer; readonly y: Buffer };
  counter = 0;

  constructor(private readonly settings: DeviceSettings) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#key = privateKey;
    this.#point = { x: Buffer.from(x, "base64url"), y: Buffer.from(y, "base64url") };
  }

  /** `navigator.credentials.create()`, with the options as the page has them. */
  create(options: string): string {
    const parsed: unknown = JSON.parse(options);
    const { x, y } = this.#point;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.byteLength);
    const key = Buffer.concat([hex("a5010203262001215820"), x, hex("225820"), y]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const host = String(member(member(parsed, "rp"), "id"));
    const data = Buffer.concat([this.#data(host, 0x40), credential]);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.byteLength);
    // { fmt: "none", attStmt: {}, authData }
    const head = hex("a363666d74646e6f6e656761747453746d74a068617574684461746159");
    return this.#answer({
      clientDataJSON: encoded(this.#clientData("webauthn.create", parsed)),
      attestationObject: encoded(Buffer.concat([head, size, data])),
      transports: ["internal"],
    });
  }

  /** Answers like `navigator.credentials.get()` of a browser. */
  get(options: string, host?: string): string {
    const parsed: unknown = JSON.parse(options);
    if (this.settings.countsNothing !== true) this.counter += 1;
    const data = this.#data(host ?? String(member(parsed, "rpId")), 0);
    const clientData = this.#clientData("webauthn.get", parsed);
    const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), this.#key);
    return this.#answer({
      clientDataJSON: encoded(clientData),
      authenticatorData: encoded(data),
      signature: encoded(signature),
    });
  }

  #data(host: string, extra: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = 0x01 | (this.settings.isUnverified === true ? 0 : 0x04) | extra;
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter]);
  }

  #clientData(type: string, options: unknown): Buffer {
    const challenge = String(member(options, "challenge"));
    const { origin } = this.settings;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #answer(response: object): string {
    const id = encoded(this.id);
    return JSON.stringify({
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response,
    });
  }
}

function hex(text: string): Buffer {
  return Buffer.from(text, "hex");
}

/** The options for the browser, as the script of the page reads them. */
export function optionsIn(html: string): string {
  const [, text = ""] = /data-options="([^"]*)"/.exec(html) ?? [];
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

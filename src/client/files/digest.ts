export interface Digest {
  update(chunk: Uint8Array): void;
  /** The digest in lower-case hexadecimal. */
  hex(): string;
}

/** Node and Bun have this, browsers do not; an import would be in the bundles of pages. */
interface Host {
  readonly process?: {
    readonly getBuiltinModule?: (name: "node:crypto") => {
      readonly createHash?: (algorithm: "sha256") => {
        update(chunk: Uint8Array): unknown;
        digest(encoding: "hex"): string;
      };
    };
  };
}

/** Starts a SHA-256; undefined in browsers, which digest only whole buffers. */
export function startDigest(host: Host = globalThis): Digest | undefined {
  const hash = host.process?.getBuiltinModule?.("node:crypto").createHash?.("sha256");
  if (hash === undefined) return undefined;
  return { update: (chunk) => void hash.update(chunk), hex: () => hash.digest("hex") };
}

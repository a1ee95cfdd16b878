import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readContent } from "#client/files/content.ts";
import type { startDigest } from "#client/files/digest.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const text = "The wall is two metres high.";
const sha256 = new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** An answer whose digest is right, or that of something else. */
function answer(digest = sha256): Response {
  const bytes = new Uint8Array(Buffer.from(digest, "hex"));
  return new Response(text, {
    headers: {
      "content-length": String(text.length),
      "repr-digest": `sha-256=:${bytes.toBase64()}:`,
    },
  });
}

async function read(response: Response, reader = readContent): Promise<string> {
  let received = "";
  const decoder = new TextDecoder();
  for await (const chunk of reader(response, undefined, undefined).chunks()) {
    received += decoder.decode(chunk, { stream: true });
  }
  return received;
}

interface Bundle {
  readonly startDigest: typeof startDigest;
  readonly readContent: typeof readContent;
}

/** The client's modules as a bundler makes them for a browser. */
async function bundleForBrowser(): Promise<Bundle> {
  const outdir = await temporaryDirectory("bundle");
  await Bun.build({
    entrypoints: [resolve("src/client/files/digest.ts"), resolve("src/client/files/content.ts")],
    outdir,
    target: "browser",
    plugins: [
      {
        name: "empty module",
        setup(build) {
          build.onResolve({ filter: /^node:crypto$/ }, ({ path }) => ({
            path,
            namespace: "empty",
          }));
          build.onLoad({ filter: /./, namespace: "empty" }, () => ({
            contents: "export {};",
            loader: "js",
          }));
        },
      },
    ],
  });
  const modules = ["digest", "content"].map((name) => import(join(outdir, `${name}.js`)));
  const bundle: Bundle = Object.assign({}, ...(await Promise.all(modules)));
  return bundle;
}

test("checks the read bytes by their digest", async () => {
  expect(await read(answer())).toBe(text);
  await expect(read(answer("00".repeat(32)))).rejects.toMatchObject({ code: "E203" });
});

describe("in a browser, where a bundler puts an empty module in the place of Node's,", () => {
  test("there is no digest of a stream, and content is read all the same", async () => {
    const bundle = await bundleForBrowser();
    const digest = await bundle.startDigest();
    digest.update(new TextEncoder().encode(text));
    expect(digest.hex()).toBeUndefined();
    expect(await read(answer(), bundle.readContent)).toBe(text);
    expect(await read(answer("00".repeat(32)), bundle.readContent)).toBe(text);
  });
});

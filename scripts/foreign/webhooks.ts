import { createPublicKey, verify } from "node:crypto";
import { join } from "node:path";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { DrillSession, memberOf } from "#test/support/drills/session.ts";
import { startPlatformProcess } from "#test/support/platform-process.ts";
import type { Counterpart } from "./counterpart.ts";

interface Request {
  readonly headers: Record<string, string>;
  readonly text: string;
}

interface Pair {
  readonly secret: string;
  readonly publicKey: string;
}

const waitMs = 10_000;

/** The requests of webhooks, verified by the libraries that receivers use, also in a rotation. */
export const webhooks: Counterpart = {
  name: "webhooks",
  about: "signatures of webhooks: v1 by standardwebhooks and svix, v1a by the public key alone",
  tools: [],
  async run({ directory, executable }) {
    const requests: Request[] = [];
    using receiver = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const headers = Object.fromEntries(request.headers);
        requests.push({ headers, text: await request.text() });
        return new Response(null, { status: 204 });
      },
    });
    const host = `127.0.0.1:${receiver.port}`;
    await using platform = await startPlatformProcess({
      executable,
      dataDir: join(directory, "data"),
      home: directory,
      args: ["--webhook-host", host],
    });
    const session = await DrillSession.create(platform);
    const endpoints = "/v4/webhooks/endpoints";
    const made = await session.expect(201, "POST", endpoints, {
      url: `http://${host}/`,
      kinds: ["record"],
      body: "full",
    });
    const first = pairOf(made.json);
    const rotate = `${endpoints}/${String(memberOf(made.json, "id"))}/rotate`;
    const next = async (): Promise<Request | undefined> => {
      const before = requests.length;
      await session.expect(201, "POST", "", { marker: "Ostra gränd 4", note: "≤ 24 m²" });
      const limitMs = performance.now() + waitMs;
      while (requests.length === before && performance.now() < limitMs) await Bun.sleep(20);
      return requests[before];
    };
    const plain = await next();
    const rotated = await session.expect(200, "POST", rotate, { graceDays: 1 });
    const second = pairOf(rotated.json);
    const both = await next();
    const cells: readonly (readonly [string, Request | undefined, Pair])[] = [
      ["a new endpoint", plain, first],
      ["in a rotation, the new secret", both, second],
      ["in a rotation, the former secret", both, first],
    ];
    const failures: string[] = [];
    const rows = cells.map(([name, request, pair]) => {
      const figures = Object.entries(verifiers).map(([library, accepts]) => {
        const isRight =
          request !== undefined &&
          accepts(request, pair) &&
          !accepts({ ...request, text: `${request.text} ` }, pair);
        if (!isRight) failures.push(`${name}: ${library} does not accept exactly what was sent`);
        return isRight ? "accepted" : "refused";
      });
      return { name, figures };
    });
    return [{ name: "Webhooks", columns: Object.keys(verifiers), rows, failures }];
  },
};

function pairOf(json: unknown): Pair {
  return {
    secret: String(memberOf(json, "secret")),
    publicKey: String(memberOf(json, "publicKey")),
  };
}

const verifiers: Readonly<Record<string, (request: Request, pair: Pair) => boolean>> = {
  standardwebhooks: ({ text, headers }, { secret }) =>
    isAccepted(() => new StandardWebhook(secret).verify(text, headers)),
  svix: ({ text, headers }, { secret }) =>
    isAccepted(() => new SvixWebhook(secret).verify(text, headers)),
  "v1a by node:crypto": ({ text, headers }, { publicKey }) => {
    const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": all = "" } = headers;
    const signed = Buffer.from(`${id}.${time}.${text}`);
    return all
      .split(" ")
      .filter((each) => each.startsWith("v1a,"))
      .some((each) => verify(null, signed, key, Buffer.from(each.slice(4), "base64")));
  },
};

/** The libraries throw for a signature that is wrong, and return the event otherwise. */
function isAccepted(verifying: () => unknown): boolean {
  try {
    verifying();
    return true;
  } catch {
    return false;
  }
}

import fc from "fast-check";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SecretName } from "#contract/secret-formats.ts";
import { base32, secretBytes } from "#server/domains/factors/totp.ts";
import { newSecret, randomToken } from "#server/domains/secrets/service.ts";
import { ReportRedactor } from "#commands/support/redaction/redact-report.ts";

const repository = join(import.meta.dirname, "../../../..");
/** Files whose random numbers are no secrets: pauses, ids and samples. */
const withoutSecrets: readonly string[] = [
  "src/server/database/postgresql/units.ts",
  "src/server/http/held-signals.ts",
  "src/server/http/response/stream-format.ts",
  "src/server/kit/turns/rate-windows.ts",
  "src/server/kit/ordered-uuid.ts",
  "src/server/models/calls.ts",
  "src/server/text/terms/numbered-words.ts",
  "src/server/work/change-feed.ts",
  "src/server/work/refusals.ts",
];
const redactor = new ReportRedactor({ secrets: ["correct-horse-7"], homeDirectory: "/home/ada" });

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const percent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unicode = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, unit) => `\\u${text.charCodeAt(unit).toString(16).padStart(4, "0")}`,
  ).join("");

const hexPairs = (text: string): string[] =>
  Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, "0"));

const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  percent,
  "percent where needed": encodeURIComponent,
  "percent twice": (text) => encodeURIComponent(percent(text)),
  json: (text) => JSON.stringify(text),
  "json twice": (text) => JSON.stringify(JSON.stringify({ note: text })),
  unicode,
  html: (text) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join(""),
  "html hex": (text) =>
    Array.from(text, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(""),
  base64,
  "base64 twice": (text) => base64(base64(text)),
  "base64 for addresses": (text) => Buffer.from(text).toString("base64url"),
  "base64 in lines": (text) => base64(text).replace(/(.{64})/g, "$1\n"),
  "base64 in percent": (text) => percent(base64(text)),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in pairs with colons": (text) => hexPairs(text).join(":"),
  "hex in capital pairs": (text) => hexPairs(text).join(":").toUpperCase(),
  "hidden letters": (text) => Array.from(text).join("\u200b"),
  "terminal codes": (text) => Array.from(text).join("\u001b[0m"),
};

const units = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789".split("");
const marks = "!#$%*+-/:=?_~".split("");
const word = (minLength: number, maxLength = minLength + 12) =>
  fc.array(fc.constantFrom(...units), { minLength, maxLength }).map((list) => list.join(""));
const symbols = fc
  .array(fc.constantFrom(...units, ...marks), { minLength: 8, maxLength: 24 })
  .map((list) => `q${list.join("")}`);

/** The ways in which commands, pages and answers of svc show a secret. */
const printed: Readonly<Record<string, (secret: string) => string>> = {
  alone: (secret) => secret,
  "in a line": (secret) => `one-time password (shown this once): ${secret}`,
  "in a list": (secret) => `Recovery codes:\n  ${secret}\n`,
  "in JSON": (secret) => JSON.stringify({ recoveryCodes: [secret] }),
  "in capital letters": (secret) => secret.toUpperCase(),
  "in an address": (secret) => `https://svc.test/auth/invitation#${secret}`,
};
/** Each secret that the platform makes, by the function that makes it. */
const makers: Readonly<Record<SecretName, () => string>> = {
  oneTimePassword: () => newSecret("oneTimePassword"),
  recoveryCode: () => newSecret("recoveryCode"),
  userCode: () => newSecret("userCode"),
  token: randomToken,
  serviceKey: () => newSecret("serviceKey"),
  appSecret: () => newSecret("appSecret"),
  webhookSecret: () => newSecret("webhookSecret"),
  factorSecret: () => base32(crypto.getRandomValues(new Uint8Array(secretBytes))),
};
const ownSecrets = Object.entries(makers).flatMap(([name, make]) =>
  Object.entries(printed).map(([how, print]) => ({ name, how, make, print })),
);

function ownSecret({ make, print }: (typeof ownSecrets)[number]) {
  const made = make();
  const text = print(made);
  return { secret: text.includes(made) ? made : made.toUpperCase(), text };
}

/** A text that has a secret, and the secret. */
const planted = fc.oneof(
  word(20).map((key) => ({ secret: key, text: `Authorization: Bearer ${key}` })),
  word(12).map((key) => ({ secret: key, text: `svc_${key}` })),
  word(20).map((key) => ({ secret: key, text: `sk-proj-${key}` })),
  word(36, 36).map((key) => ({ secret: key, text: `ghp_${key}` })),
  fc.tuple(word(20), word(20), word(30)).map(([head, body, signature]) => ({
    secret: signature,
    text: `eyJ${head}.eyJ${body}.${signature}`,
  })),
  word(10).map((password) => ({ secret: password, text: `postgres://ada:${password}@db/app` })),
  word(10).map((password) => ({ secret: password, text: `https://ada:x@${password}@h.test/` })),
  word(10).map((password) => ({
    secret: password,
    text: `Server=db;User Id=a;Password=${password};`,
  })),
  word(10).map((password) => ({
    secret: password,
    text: `Server=db;Pwd=two words ${password};Database=x`,
  })),
  word(60).map((key) => ({
    secret: key,
    text: `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----`,
  })),
  word(12).map((key) => ({ secret: key, text: `-----BEGIN OPENSSH PRIVATE KEY-----\n${key}` })),
  symbols.map((password) => ({ secret: password, text: `password=${password}` })),
  symbols.map((password) => ({ secret: password, text: `my password is ${password}` })),
  symbols.map((password) => ({ secret: password, text: `{"client_secret": "a ${password}"}` })),
  word(8).map((password) => ({ secret: password, text: `{"password":"a\\"b ${password}"}` })),
  word(8).map((password) => ({ secret: password, text: `deploy --db-password ${password} now` })),
  word(8).map((password) => ({ secret: password, text: `curl -u ada:${password} http://h` })),
  word(8).map((key) => ({ secret: key, text: `X-Api-Key: ${key}` })),
  word(8).map((key) => ({ secret: key, text: `Cookie: a=b; session=${key}` })),
  word(8).map((key) => ({ secret: key, text: `https://h/p?sig=${key}&se=1` })),
  word(8).map((key) => ({ secret: key, text: `AZURE_STORAGE_KEY=${key}` })),
  word(8).map((key) => ({ secret: key, text: `{"apiKey":{"value":"${key}"}}` })),
  word(6).map((name) => ({ secret: name, text: `mail ${name}@example.org please` })),
  word(4).map((password) => ({ secret: password, text: `signed in with password ${password}` })),
  word(4).map((password) => ({ secret: password, text: `with the passphrase "${password}"` })),
  word(4).map((password) => ({ secret: password, text: `login ada password ${password}` })),
  word(4).map((password) => ({
    secret: password,
    text: `machine svc.test login ada@example.org account x password ${password}`,
  })),
  fc.uint8Array({ minLength: 16, maxLength: 32 }).map((bytes) => {
    const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(":");
    return { secret: key, text: `fingerprint ${key}` };
  }),
  fc.constantFrom(...ownSecrets).map(ownSecret),
  fc.constant({ secret: "correct-horse-7", text: "it says correct-horse-7 here" }),
);

const surroundings = fc.constantFrom<[string, string]>(
  ["", ""],
  ["The upload failed: ", " was in the log"],
  ["first line\n", "\nlast line"],
  ["(", ")"],
  ["note=", ";"],
  ["\t", "\r\n"],
);

describe("a planted secret", () => {
  it.each(Object.entries(encodings))("does not survive: %s", (_name, encode) => {
    fc.assert(
      fc.property(planted, surroundings, ({ secret, text }, [before, after]) => {
        const encoded = encode(text);
        const shown = redactor.redact(before + encoded + after);
        expect(shown).not.toContain(secret);
        // A reader of the report could undo the encoding.
        if (encoded !== text) expect(shown).not.toContain(encoded);
      }),
      { numRuns: 300 },
    );
  });

  it("does not survive next to other secrets", () => {
    fc.assert(
      fc.property(fc.array(planted, { minLength: 2, maxLength: 5 }), (several) => {
        const shown = redactor.redact(several.map(({ text }) => text).join("\n"));
        for (const { secret } of several) expect(shown).not.toContain(secret);
      }),
      { numRuns: 300 },
    );
  });

  it("does not survive in an encoding of a known value, whatever is next to it", () => {
    const secret = "hunter two";
    const knowing = new ReportRedactor({ secrets: [secret], homeDirectory: "/" });
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const whole = before + secret + after;
        for (const encode of [base64, encodeURIComponent, percent, unicode]) {
          const encoded = encode(whole.toWellFormed());
          expect(knowing.redact(`x ${encoded} y`)).not.toContain(encoded);
        }
      }),
    );
  });
});

describe("a secret that svc makes", () => {
  it.each(ownSecrets)("does not survive: $name $how", (form) => {
    for (let round = 0; round < 200; round += 1) {
      const { secret, text } = ownSecret(form);
      expect(redactor.redact(`The log: ${text} and more`)).not.toContain(secret);
    }
  });

  it("does not survive without hyphens, in groups, or with the hyphens of an editor", () => {
    for (let round = 0; round < 200; round += 1) {
      const secret = makers.factorSecret();
      const grouped = secret.replaceAll(/.{4}(?=.)/g, "$& ");
      expect(redactor.redact(`type ${grouped} into the app`)).not.toContain(grouped.slice(0, 9));
      const code = makers.recoveryCode().replaceAll("-", "\u2013");
      expect(redactor.redact(`use ${code}`)).not.toContain(code);
    }
  });

  it("has a format in the contract: nothing else makes random texts", async () => {
    const found: string[] = [];
    const random = /\brandomBytes\(|\brandomInt\(|\bgetRandomValues\(|\bMath\.random\(/;
    for await (const path of new Bun.Glob("src/server/**/*.ts").scan(repository)) {
      if (random.test(await Bun.file(join(repository, path)).text())) found.push(path);
    }
    const expected = [
      // The secret of an app with codes, in base32.
      "src/server/domains/factors/service.ts",
      // The number that encrypts a value once.
      "src/server/domains/secrets/sealing-key.ts",
      // Secrets by their formats, and the master secret, which leaves no process.
      "src/server/domains/secrets/service.ts",
      ...withoutSecrets,
      // The key file, which no command prints.
      "src/server/platform/key-file.ts",
    ];
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});

describe("harmless text", () => {
  it.each([
    "The upload of plans.pdf stopped at 40 %",
    "svc docs upload plans.pdf --planning-application-id 01890000-0000-7000-8000-000000000000",
    "E203: Platform API error: HTTP 502",
    "src/server/domains/records/where/parse.ts",
    "line 12\n  line 13\twith a tab",
    "C:\\new\\table is 100%25 full & <b>ready</b>",
    "installed svc@1.2.3 from the registry",
    "Größe: 3 µm, 東京",
    "well-known-names and state-of-the-art",
    "at 12:30:45 the card 02:42:ac:11:00:02 answered",
    "This file is protected with a password.",
    "the platform asks for the login and the password",
  ])("%j stays", (text) => {
    expect(redactor.redact(text)).toBe(text);
  });

  it("is named from the home directory", () => {
    expect(redactor.redact("/home/ada/app/plans.txt")).toBe("~/app/plans.txt");
  });
});

it.each([
  "a",
  "://",
  "a.",
  "=",
  "password=",
  '\\"',
  "-----BEGIN A-----",
  "%41",
  "a@",
  "a=b;",
  "{",
  "\\u0041",
])("64 KiB of %j end soon", (part) => {
  const text = part.repeat(Math.ceil(65_536 / part.length));
  expect(redactor.redact(text).length).toBeLessThan(400_000);
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { defaultFormLimits, readMultipart } from "#server/http/body/multipart.ts";
import type { FormLimits } from "#server/http/body/multipart.ts";
import { networkRequests } from "#server/http/body/body-stream.ts";
import { type Part, form, send, collect, boundary, multipartType } from "./sent-forms.ts";

const field = (name: string, body: string | Uint8Array): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  body,
});
const file = (name: string, filename: string, body: string | Uint8Array): Part => ({
  headers: [
    `Content-Disposition: form-data; name="${name}"; filename="${filename}"`,
    "Content-Type: application/pdf",
  ],
  body,
});

async function refusal(request: Request, limits?: FormLimits): Promise<[string, string]> {
  const failure: unknown = await collect(request, limits).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Refusal);
  return failure instanceof Refusal ? [failure.code, failure.message] : ["", ""];
}

describe("a well-formed form", () => {
  test("yields fields and files in order, byte for byte", async () => {
    const body = form([
      field("tenant_id", "naïve ✓"),
      field("category", ""),
      file("files", "a.pdf", "%PDF\r\n--not the border\r\n"),
      file("files", "b.bin", Uint8Array.of(0, 255, 13, 10)),
      field("source", "late"),
    ]);
    expect(await collect(send(body).request)).toEqual([
      ["tenant_id", "naïve ✓"],
      ["category", ""],
      ["files", "a.pdf", "application/pdf", "%PDF\r\n--not the border\r\n"],
      ["files", "b.bin", "application/pdf", "\0\xff\r\n"],
      ["source", "late"],
    ]);
  });

  test("is read the same for any chunks and any content", async () => {
    const nearBoundary = fc.constantFrom(
      "\r",
      "\n",
      "\r\n",
      "-",
      "--",
      `\r\n--${boundary.slice(0, -1)}`,
      `\r\n-${boundary}`,
      "\r\n--",
      "x".repeat(40),
    );
    const content = fc.array(nearBoundary, { maxLength: 12 }).map((pieces) => pieces.join(""));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), content), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 30 }),
        async (parts, sizes) => {
          const body = form(
            parts.map(([isFile, text], index) =>
              isFile ? file("files", `${index}.txt`, text) : field(`f${index}`, text),
            ),
          );
          expect(await collect(send(body, sizes).request)).toEqual(
            parts.map(([isFile, text], index) =>
              isFile ? ["files", `${index}.txt`, "application/pdf", text] : [`f${index}`, text],
            ),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test("may have a preamble, an epilogue, padding after a boundary and other header fields", async () => {
    const body = Buffer.from(
      [
        "This is a form",
        `--${boundary} \t`,
        "content-disposition: FORM-DATA; NAME=plain",
        "X-Other: 1",
        "",
        "value",
        `--${boundary}--`,
        "anything",
      ].join("\r\n"),
    );
    expect(await collect(send(body).request)).toEqual([["plain", "value"]]);
  });

  test("a part whose content is not read, or only begun, is skipped", async () => {
    const long = `--${"x".repeat(200_000)}`;
    const body = form([file("files", "a", long), file("files", "b", long), field("last", "yes")]);
    const seen: string[] = [];
    for await (const part of readMultipart(send(body, [1000]).request)) {
      seen.push(part.name);
      if (part.kind === "file" && part.filename === "b") {
        for await (const _piece of part.content) break;
      }
    }
    expect(seen).toEqual(["files", "files", "last"]);
  });

  test("leaving the loop leaves the rest of the body to the next reader", async () => {
    const body = form([field("a", "1"), file("files", "big", "x".repeat(1_000_000))]);
    const { request, state } = send(body, [65_536]);
    for await (const part of readMultipart(request)) if (part.kind === "file") break;
    expect(state).toEqual({ pulled: 1, cancelled: false });
    let left = 0;
    for await (const chunk of request.body ?? []) left += chunk.byteLength;
    expect(left).toBe(body.length - 65_536);
  });
});

describe("the memory of read chunks", () => {
  /** A body in exactly these chunks, which the caller keeps. */
  function sending(pieces: readonly Uint8Array[]): Request {
    const left = [...pieces];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
    });
    const headers = { "content-type": multipartType };
    return new Request("http://127.0.0.1/", { method: "POST", body: stream, headers });
  }
  function cut(bytes: Uint8Array, size: number, isShared = false): Uint8Array[] {
    return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
      const piece = bytes.subarray(index * size, (index + 1) * size);
      return isShared ? piece : new Uint8Array(piece);
    });
  }
  const text = `${"x".repeat(500)}\r\n--almost`.repeat(20);
  const body = form([field("a", "1"), file("files", "a", text), file("files", "b", text)]);
  const parts = [
    ["a", "1"],
    ["files", "a", "application/pdf", text],
    ["files", "b", "application/pdf", text],
  ];

  test.each([64, 100, 509, 4096])(
    "is freed at once when it came over a network (%i)",
    async (size) => {
      const pieces = cut(body, size);
      const request = sending(pieces);
      networkRequests.add(request);
      expect(await collect(request)).toEqual(parts);
      // The last chunk may still be in use when the form ends.
      expect(pieces.filter(({ length }) => length > 0).length).toBeLessThanOrEqual(1);
    },
  );

  test("is not freed for a caller inside the process", async () => {
    const pieces = cut(body, 100);
    expect(await collect(sending(pieces))).toEqual(parts);
    expect(Buffer.concat(pieces).equals(body)).toBe(true);
  });

  test("is not freed for a part of a larger buffer", async () => {
    const shared = new Uint8Array(body);
    const request = sending(cut(shared, 100, true));
    networkRequests.add(request);
    expect(await collect(request)).toEqual(parts);
    expect(Buffer.from(shared).equals(body)).toBe(true);
  });
});

describe("a malformed form", () => {
  const good = form([field("a", "1")]);

  test.each([
    ["another content type", send(good, [100], "application/json"), "unsupported-media-type"],
    ["no boundary", send(good, [100], "multipart/form-data"), "unsupported-media-type"],
    ["a boundary of 71 characters", send(good, [9], `${multipartType}${"x".repeat(60)}`), "unsupp"],
    ["an empty body", send(Buffer.from("")), "malformed-body"],
    ["another boundary", send(good, [100], `${multipartType}8`), "malformed-body"],
    ["a cut inside a field", send(good.subarray(0, good.length - 20)), "malformed-body"],
    [
      "a cut before the last two signs",
      send(form([field("a", "1")], `--${boundary}`)),
      "malformed",
    ],
    ["a cut inside header fields", send(good.subarray(0, 40)), "malformed-body"],
    [
      "text after a boundary",
      send(form([field("a", "1")], `--${boundary}x\r\n`)),
      "malformed-body",
    ],
    ["no disposition", send(form([{ headers: ["X: 1"], body: "" }])), "malformed-body"],
    [
      "no name",
      send(form([{ headers: ["Content-Disposition: form-data"], body: "" }])),
      "malformed",
    ],
    ["two dispositions", send(form([{ ...field("a", "1"), headers: twice() }])), "malformed-body"],
    ["two names", send(form([{ headers: [twoNames], body: "" }])), "malformed-body"],
    ["a transfer encoding", send(form([{ headers: encoded(), body: "MQ==" }])), "malformed-body"],
    ["a folded header field", send(form([{ headers: folded(), body: "1" }])), "malformed-body"],
    ["text that is not UTF-8", send(form([field("a", Uint8Array.of(0xff))])), "validation-failed"],
    ["a NUL in a field", send(form([field("a", "b\0c")])), "validation-failed"],
  ])("%s is refused", async (_case, { request }, code) => {
    expect((await refusal(request))[0]).toMatch(new RegExp(`^${code}`));
  });

  test("a file that ends too early fails during the read", async () => {
    const body = form([file("files", "a", "x".repeat(1000))]).subarray(0, 700);
    expect(await refusal(send(body, [50]).request)).toEqual([
      "malformed-body",
      "The form could not be read: it ends before its last boundary",
    ]);
  });

  test("a broken connection is not a malformed form", async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(good.subarray(0, 30))),
      pull: (controller) => controller.error(new Error("the line broke")),
    });
    const headers = { "content-type": multipartType };
    const request = new Request("http://127.0.0.1/", { method: "POST", body, headers });
    await expect(collect(request)).rejects.toThrow("the line broke");
  });
});

describe("limits", () => {
  const endless = "x".repeat(3_000_000);

  test.each([
    ["a field's value", form([field("a", endless)]), "content-too-large"],
    ["a part's header fields", form([{ headers: [`X: ${endless}`], body: "" }]), "malformed-body"],
    ["a part's name", form([field("n".repeat(129), "1")]), "malformed-body"],
    ["a preamble", Buffer.from(endless), "malformed-body"],
    ["the number of fields", form(many(65, (n) => field(`f${n}`, ""))), "content-too-large"],
    ["the number of files", form(many(101, (n) => file("files", `${n}`, ""))), "content-too-large"],
    ["text after a boundary", form([], `--${boundary} ${" ".repeat(20_000)}`), "malformed-body"],
  ])("%s is bounded, and the rest is not read", async (_what, body, code) => {
    const { request, state } = send(body, [16_384]);
    expect((await refusal(request))[0]).toBe(code);
    expect(state.pulled).toBeLessThanOrEqual(8);
  });

  test("can be set by the caller", async () => {
    const limits = { ...defaultFormLimits, fieldBytes: 3 };
    expect(await collect(send(form([field("a", "123")])).request, limits)).toEqual([["a", "123"]]);
    expect(await refusal(send(form([field("a", "1234")])).request, limits)).toEqual([
      "content-too-large",
      'The field "a" is too long',
    ]);
  });
});

function many(count: number, make: (index: number) => Part): Part[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
function twice(): string[] {
  return ['Content-Disposition: form-data; name="a"', 'content-disposition: form-data; name="b"'];
}
const twoNames = 'Content-Disposition: form-data; name="a"; name="b"';
function encoded(): string[] {
  return ['Content-Disposition: form-data; name="a"', "Content-Transfer-Encoding: base64"];
}
function folded(): string[] {
  return ["Content-Disposition: form-data;", ' name="a"'];
}

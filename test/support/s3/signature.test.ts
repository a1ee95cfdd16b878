import { describe, expect, test } from "vitest";
import { emptySha256, verifySignature } from "./signature.ts";
import type { SignedRequest, Verifier } from "./signature.ts";

// The examples of the AWS documentation ("Signature Calculations for the Authorization Header" and
// "Authenticating Requests: Using Query Parameters"): published keys, requests and signatures.
const accessKeyId = "AKIAIOSFODNN7EXAMPLE";
const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const host = "examplebucket.s3.amazonaws.com";
const scope = `${accessKeyId}/20130524/us-east-1/s3/aws4_request`;
const time = "20130524T000000Z";
const signedAtMs = Date.parse("2013-05-24T00:00:00Z");

const verifier: Verifier = {
  secretOf: (id) => (id === accessKeyId ? secret : undefined),
  region: "us-east-1",
  nowMs: signedAtMs,
};

function signed(
  given: Omit<SignedRequest, "headers">,
  signature: string,
  headers: Readonly<Record<string, string>>,
): SignedRequest {
  const all: Record<string, string> = { host, "x-amz-date": time, ...headers };
  const names = Object.keys(all).toSorted().join(";");
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names},Signature=${signature}`;
  return { ...given, headers: new Headers({ ...all, authorization }) };
}

const getObject = signed(
  { method: "GET", path: "/test.txt", query: "" },
  "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  { range: "bytes=0-9", "x-amz-content-sha256": emptySha256 },
);
const presignedQuery = (signature: string, expires = "86400") =>
  `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(scope)}` +
  `&X-Amz-Date=${time}&X-Amz-Expires=${expires}&X-Amz-SignedHeaders=host` +
  `&X-Amz-Signature=${signature}`;
const presignedSignature = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
const presigned: SignedRequest = {
  method: "GET",
  path: "/test.txt",
  query: presignedQuery(presignedSignature),
  headers: new Headers({ host }),
};

describe("the documentation's examples are taken:", () => {
  test.each([
    ["GET an object by range", getObject, emptySha256],
    [
      "PUT an object whose name needs encoding",
      signed(
        { method: "PUT", path: "/test%24file.text", query: "" },
        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        {
          date: "Fri, 24 May 2013 00:00:00 GMT",
          "x-amz-content-sha256":
            "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
          "x-amz-storage-class": "REDUCED_REDUNDANCY",
        },
      ),
      "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    ],
    [
      "a parameter without a value",
      signed(
        { method: "GET", path: "/", query: "lifecycle" },
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        { "x-amz-content-sha256": emptySha256 },
      ),
      emptySha256,
    ],
    [
      "a list, its parameters in any order",
      signed(
        { method: "GET", path: "/", query: "prefix=J&max-keys=2" },
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        { "x-amz-content-sha256": emptySha256 },
      ),
      emptySha256,
    ],
    ["a presigned GET", presigned, "UNSIGNED-PAYLOAD"],
  ])("%s", (_name, request, payload) => {
    expect(verifySignature(request, verifier)).toEqual({ accessKeyId, payload });
  });
});

function refusal(request: SignedRequest, changed: Partial<Verifier> = {}): unknown {
  try {
    return verifySignature(request, { ...verifier, ...changed });
  } catch (error) {
    return error;
  }
}

function withHeader(name: string, value: string | undefined): SignedRequest {
  const headers = new Headers(getObject.headers);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return { ...getObject, headers };
}

const minuteMs = 60_000;

describe("a request is refused:", () => {
  test.each<[string, SignedRequest, Partial<Verifier>, string]>([
    ["another secret", getObject, { secretOf: () => "another" }, "SignatureDoesNotMatch"],
    ["an unknown key", getObject, { secretOf: () => undefined }, "InvalidAccessKeyId"],
    ["another region", getObject, { region: "eu-west-1" }, "AuthorizationHeaderMalformed"],
    ["no signature", withHeader("authorization", undefined), {}, "AccessDenied"],
    [
      "garbage",
      withHeader("authorization", "AWS4-HMAC-SHA256 x"),
      {},
      "AuthorizationHeaderMalformed",
    ],
    ["another path", { ...getObject, path: "/other.txt" }, {}, "SignatureDoesNotMatch"],
    ["another method", { ...getObject, method: "PUT" }, {}, "SignatureDoesNotMatch"],
    ["a parameter more", { ...getObject, query: "acl" }, {}, "SignatureDoesNotMatch"],
    ["another range", withHeader("range", "bytes=0-99"), {}, "SignatureDoesNotMatch"],
    ["another host", withHeader("host", "elsewhere"), {}, "SignatureDoesNotMatch"],
    [
      "another body",
      withHeader("x-amz-content-sha256", "0".repeat(64)),
      {},
      "SignatureDoesNotMatch",
    ],
    ["no body hash", withHeader("x-amz-content-sha256", undefined), {}, "MissingSecurityHeader"],
    [
      "an x-amz field that is not signed",
      withHeader("x-amz-acl", "public-read"),
      {},
      "AccessDenied",
    ],
    ["16 minutes late", getObject, { nowMs: signedAtMs + 16 * minuteMs }, "RequestTimeTooSkewed"],
    ["16 minutes early", getObject, { nowMs: signedAtMs - 16 * minuteMs }, "RequestTimeTooSkewed"],
    ["an expired link", presigned, { nowMs: signedAtMs + 86_401_000 }, "AccessDenied"],
    [
      "a link that lives longer than it was signed for",
      { ...presigned, query: presignedQuery(presignedSignature, "90000") },
      {},
      "SignatureDoesNotMatch",
    ],
    [
      "a link with a parameter more",
      { ...presigned, query: `${presigned.query}&versionId=1` },
      {},
      "SignatureDoesNotMatch",
    ],
    [
      "a link that expires twice",
      { ...presigned, query: `${presigned.query}&X-Amz-Expires=1` },
      {},
      "AuthorizationQueryParametersError",
    ],
    ["a link for another object", { ...presigned, path: "/x" }, {}, "SignatureDoesNotMatch"],
    ["a link for another method", { ...presigned, method: "DELETE" }, {}, "SignatureDoesNotMatch"],
  ])("%s", (_name, request, changed, code) => {
    expect(refusal(request, changed)).toMatchObject({ name: "S3Refusal", code });
  });

  test("up to 15 minutes of skew are taken", () => {
    expect(refusal(getObject, { nowMs: signedAtMs + 15 * minuteMs })).toMatchObject({
      accessKeyId,
    });
  });
});

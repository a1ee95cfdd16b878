import { expect, test } from "vitest";
import { faultOfConnection, faultOfResponse, S3Fault } from "#server/files/s3/s3-fault.ts";

const error = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>signed data</Message></Error>`;

test.each([
  [403, "SignatureDoesNotMatch", false, "the secret access key does not belong"],
  [400, "RequestTimeout", true, "the file store refused (RequestTimeout)"],
  [503, "SlowDown", true, "the file store is busy (SlowDown)"],
  [404, "NoSuchBucket", false, "the bucket does not exist"],
  [500, "<bad>", true, "the file store failed (HTTP 500)"],
  [301, "", false, "another endpoint"],
])("HTTP %i with %s", (status, code, isTransient, words) => {
  const fault = faultOfResponse("store a file", status, error(code));
  expect(fault).toBeInstanceOf(S3Fault);
  expect(fault).toMatchObject({ status, isTransient });
  expect(fault.message).toContain(words);
  expect(fault.message).not.toContain("signed data");
});

test("a full store has its own error", () => {
  for (const [status, code] of [
    [507, ""],
    [403, "QuotaExceeded"],
  ] as const) {
    expect(faultOfResponse("store a file", status, error(code)).name).toBe("StorageFullError");
  }
});

test.each([
  ["ECONNREFUSED", true, "does not answer (ECONNREFUSED)"],
  ["CERT_HAS_EXPIRED", false, "its certificate is not trusted"],
  ["odd code!", true, "does not answer"],
])("a connection that fails with %s", (code, isTransient, words) => {
  const fault = faultOfConnection("read a file", Object.assign(new Error("secret"), { code }));
  expect(fault.isTransient).toBe(isTransient);
  expect(fault.message).toContain(words);
  expect(fault.message).not.toMatch(/secret|odd/);
});

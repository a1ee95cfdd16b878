import { expect } from "vitest";
import type { TestPlatform } from "#test/support/platform.ts";
import { makeRecord } from "../records/routes/ledger.ts";
import type { RouteTable } from "./route-case.ts";

const place = { objectType: "ledger", id: "{id}", propertyName: "attachment" };
const text = { headers: { "content-type": "text/plain" }, rawBody: "Hello world!" };
const digest = "wFNeS+K3n/2TKRMFQ2v4iTFOSj+uwF7P/Lt98xrZ5Ro=";

/** A record here with a file, and one of another workspace with a file. */
async function recordWithFile(the: TestPlatform): Promise<Record<string, string>> {
  const made = await makeRecord(the);
  const { tenant, other } = the.workspaces;
  for (const [user, workspace, id] of [
    ["tenant-staff", tenant, made.id],
    ["outsider", other, made.foreignId],
  ] as const) {
    const path = `/v4/data/resources/${workspace}/ledger/${id}/files/attachment?filename=a.txt`;
    const uploaded = await the.as(user).post(path, undefined, text);
    expect(uploaded.status, uploaded.text).toBe(201);
  }
  return made;
}

/** Spec 4.2: the files of records. */
export const fileCases: RouteTable = {
  "resources.uploadFile": {
    before: makeRecord,
    good: [
      {
        name: "keeps the bytes and says what they are",
        params: place,
        query: "?filename=notes.txt",
        ...text,
        status: 201,
        answers: {
          property: "attachment",
          filename: "notes.txt",
          contentType: "text/plain",
          size: 12,
          sha256: "c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a",
          version: 2,
        },
      },
      {
        name: "takes bytes of no type that is known",
        params: place,
        query: "?filename=blob",
        headers: {},
        rawBody: new Uint8Array([0, 255, 10]),
        status: 201,
        answers: { filename: "blob", contentType: "application/octet-stream", size: 3 },
      },
      {
        name: "takes an empty file",
        params: place,
        query: "?filename=empty",
        rawBody: "",
        headers: { "content-type": "application/octet-stream" },
        status: 201,
        answers: {
          size: 0,
          sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        },
      },
      {
        name: "takes a type with parameters, whatever it says",
        params: place,
        query: "?filename=a.json",
        headers: { "content-type": 'application/json; charset="utf-8"' },
        rawBody: "{",
        status: 201,
        answers: { contentType: 'application/json; charset="utf-8"', size: 1 },
      },
      {
        name: "checks the bytes against the digests that are sent along",
        params: place,
        query: "?filename=a.txt",
        headers: {
          ...text.headers,
          "content-digest": `sha-256=:${digest}:, unixsum=:AAA=:`,
          "repr-digest": `sha-256=:${digest}:`,
          "if-match": '"1"',
        },
        rawBody: text.rawBody,
        status: 201,
      },
      {
        name: "takes what the property accepts, by its name where no type is sent",
        params: { ...place, propertyName: "plan" },
        query: "?filename=Plan.PDF",
        headers: { "content-type": "application/octet-stream" },
        rawBody: "%PDF-1.7",
        status: 201,
        answers: { property: "plan", contentType: "application/octet-stream" },
      },
    ],
    bad: [
      { name: "no name", query: "", pointers: ["#/query/filename"] },
      { name: "an empty name", query: "?filename=", pointers: ["#/query/filename"] },
      { name: "a blank name", query: "?filename=%20%0A", pointers: ["#/query/filename"] },
      {
        name: "a name of 256 characters",
        query: `?filename=${"n".repeat(256)}`,
        pointers: ["#/query/filename"],
      },
      { name: "a name with a NUL", query: "?filename=a%00b", pointers: ["#/query/filename"] },
      {
        name: "an unknown query parameter",
        query: "?filename=a&size=1",
        pointers: ["#/query/size"],
      },
      {
        name: "a property without files",
        params: { propertyName: "title" },
        status: 404,
        code: "not-found",
        pointers: ["#/path/propertyName"],
      },
      {
        name: "a name that every object has",
        params: { propertyName: "constructor" },
        status: 404,
        code: "not-found",
        pointers: ["#/path/propertyName"],
      },
      {
        name: "another version than the current one",
        headers: { ...text.headers, "if-match": '"7"' },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
      {
        name: "a type that the property does not accept",
        params: { propertyName: "plan" },
        status: 415,
        code: "unsupported-media-type",
        pointers: [],
      },
      {
        name: "a type that is none",
        headers: { "content-type": "text" },
        status: 415,
        code: "unsupported-media-type",
        pointers: [],
      },
      {
        name: "a body that is encoded",
        headers: { ...text.headers, "content-encoding": "gzip" },
        status: 415,
        code: "unsupported-media-type",
        pointers: [],
      },
      {
        name: "other bytes than Content-Digest says",
        headers: {
          ...text.headers,
          "content-digest": "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
        },
        pointers: ["#/header/Content-Digest"],
      },
      {
        name: "other bytes than Repr-Digest says in SHA-512",
        headers: { ...text.headers, "repr-digest": `sha-512=:${digest}:` },
        pointers: ["#/header/Repr-Digest"],
      },
      {
        name: "a digest that can't be read",
        headers: { ...text.headers, "content-digest": "sha-256=abc" },
        status: 400,
        code: "malformed-request",
        pointers: ["#/header/Content-Digest"],
      },
    ],
  },
  "resources.downloadFile": {
    before: recordWithFile,
    good: [
      { name: "gives the bytes", params: place },
      {
        name: "gives a URL instead",
        params: place,
        query: "?access=url",
      },
    ],
    bad: [
      { name: "an access that is none", query: "?access=sas", pointers: ["#/query/access"] },
      {
        name: "a property without a file",
        params: { propertyName: "plan" },
        status: 404,
        code: "not-found",
        pointers: [],
      },
      {
        name: "a property without files",
        params: { propertyName: "title" },
        status: 404,
        code: "not-found",
        pointers: ["#/path/propertyName"],
      },
      {
        name: "a range after the end",
        headers: { range: "bytes=12-" },
        status: 416,
        code: "range-not-satisfiable",
        pointers: [],
      },
    ],
  },
  "resources.deleteFile": {
    before: recordWithFile,
    good: [
      { name: "takes the file off", params: place, status: 204 },
      {
        name: "of the current version",
        params: place,
        headers: { "if-match": '"2"' },
        status: 204,
      },
    ],
    bad: [
      {
        name: "another version than the current one",
        headers: { "if-match": '"1"' },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
      {
        name: "a property without a file",
        params: { propertyName: "plan" },
        status: 404,
        code: "not-found",
        pointers: [],
      },
      {
        name: "a property without files",
        params: { propertyName: "title" },
        status: 404,
        code: "not-found",
        pointers: ["#/path/propertyName"],
      },
    ],
  },
};

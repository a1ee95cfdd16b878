import { expect, test } from "vitest";
import { toolRequest } from "#mcp/tool-request.ts";
import { toolNamed } from "./tool-named.ts";

const id = "01890000-0000-7000-8000-000000000000";

test("arguments become a request", () => {
  const list = toolRequest(
    toolNamed("resources_list"),
    { objectType: "a tree", limit: 5, where: { species: "oak" } },
    id,
  );
  expect(list).toMatchObject({
    method: "GET",
    path: `/v4/data/resources/${id}/a%20tree`,
    query: [
      ["limit", "5"],
      ["where", '{"species":"oak"}'],
    ],
  });
  const update = toolRequest(
    toolNamed("resources_update"),
    { objectType: "tree", id, body: { data: {}, version: 2 }, ifMatch: 2 },
    id,
  );
  expect(update.headers).toEqual({ "if-match": '"2"' });
  expect(new TextDecoder().decode(update.body)).toBe('{"data":{},"version":2}');
});

test.each([
  ["resources_list", { objectType: "tree", limitt: 5 }, /"limitt" is not an argument/],
  ["resources_list", {}, /objectType is required/],
  ["resources_list", { objectType: "../secret" }, /objectType must be one segment/],
  ["resources_list", { objectType: ".." }, /objectType must be one segment/],
  ["resources_list", { objectType: { a: 1 } }, /objectType must be a text/],
  ["resources_create", { objectType: "tree" }, /body is required/],
  ["resources_update", { objectType: "tree", id, body: {}, ifMatch: "x" }, /ifMatch must be/],
  ["documents_upload", { body: {}, files: [] }, /files must be a list of 1 to 20 files/],
  ["documents_upload", { body: {}, files: [{ filename: "a" }] }, /either text or base64/],
  ["documents_upload", { body: {}, files: [{ base64: "%" }] }, /base64 is not base64/],
  ["documents_upload", { body: {}, files: [{ text: "", contentType: "a\r\nb: c" }] }, /media type/],
])("%s refuses %j", (name, given, message) => {
  expect(() => toolRequest(toolNamed(name), given, id)).toThrow(message);
});

test("a file name cannot end its header field", () => {
  const file = { filename: 'a"\r\nx: y.txt', text: "hello" };
  const { body } = toolRequest(
    toolNamed("documents_upload"),
    { body: { processing_mode: "rag" }, files: [file] },
    id,
  );
  expect(new TextDecoder().decode(body)).toContain('filename="a%22%0D%0Ax: y.txt"');
});

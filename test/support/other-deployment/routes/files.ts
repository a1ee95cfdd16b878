import { Refused, type Json } from "../answers.ts";
import type { StoredRecord } from "../state.ts";
import { isJson, param, pathWorkspace, type Call, type OtherRoute } from "./call.ts";
import { recordOf } from "./records.ts";

const path = "/v4/data/resources/{tenantId}/{objectType}/{id}/files/{propertyName}";

/** The record, whose type must have the property as a file (spec 2.2, 2.4). */
function ownerOf(call: Call): StoredRecord {
  const record = recordOf(call);
  const type = pathWorkspace(call).types.get(param(call, "objectType"));
  const properties = type?.definition["properties"];
  const property = isJson(properties) ? properties[param(call, "propertyName")] : undefined;
  if (!isJson(property) || property["type"] !== "file") throw new Refused(404, "no file property");
  return record;
}

function fileOf(call: Call): { readonly bytes: Buffer; readonly filename: string } {
  const file = ownerOf(call).files.get(param(call, "propertyName"));
  if (file === undefined) throw new Refused(404, "no file");
  return file;
}

/** Binary attachments of records (spec 2.4, 4.2). */
export const fileRoutes: readonly OtherRoute[] = [
  {
    method: "POST",
    path,
    answer: (call) => {
      if (call.headers.get("content-type") !== "application/octet-stream") {
        throw new Refused(415, "send application/octet-stream");
      }
      const filename = call.url.searchParams.get("filename");
      if (filename === null || filename === "") throw new Refused(400, "filename is missing");
      ownerOf(call).files.set(param(call, "propertyName"), { bytes: call.bytes, filename });
      const told: Json =
        call.dialect.names === "short" ? {} : { fileName: filename, length: call.bytes.length };
      return call.dialect.done204 ? { kind: "empty" } : { kind: "created", value: told };
    },
  },
  { method: "GET", path, answer: (call) => ({ kind: "bytes", ...fileOf(call) }) },
  {
    method: "DELETE",
    path,
    answer: (call) => {
      fileOf(call);
      ownerOf(call).files.delete(param(call, "propertyName"));
      return { kind: "done" };
    },
  },
];

import { ownMember } from "#lib/own-member.ts";

const mediaTypePattern = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/;
const unknownType = "application/octet-stream";

/**
 * The declared media type without parameters. The type of the file name's extension where the
 * client declares none, an invalid one or `application/octet-stream`.
 */
export function claimedMediaType(declared: string | undefined, filename: string): string {
  const type = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (mediaTypePattern.test(type) && type !== unknownType) return type;
  const extension = /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase();
  return extension === undefined
    ? unknownType
    : (ownMember(typesByExtension, extension) ?? unknownType);
}

const typesByExtension: Readonly<Record<string, string>> = {
  csv: "text/csv",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  eml: "message/rfc822",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  markdown: "text/markdown",
  md: "text/markdown",
  msg: "application/vnd.ms-outlook",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  zip: "application/zip",
};

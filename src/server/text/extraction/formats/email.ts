import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { metadataFrom, type DocumentMetadata, type PageWriter } from "../extracted-document.ts";
import { corrupt, limitExceeded, tooDeep } from "../extraction-error.ts";
import { undeclaredCharset } from "./encoding.ts";
import { htmlToText } from "./html.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";

/** Reads an attachment into the same document, or adds a warning. */
export type AttachmentReader = (
  bytes: Uint8Array,
  file: { filename: string; mediaType: string },
) => Promise<void>;

/**
 * Reads a message (RFC 5322, MIME): main header fields, the body (plain text before HTML), and each
 * supported attachment on separate pages.
 */
export async function extractEmail(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  readAttachment: AttachmentReader,
): Promise<DocumentMetadata> {
  const email = await parse(await withCharset(bytes), limits);
  // Related parts are images within the HTML body, e.g. logos.
  const attachments = email.attachments.filter((each) => each.related !== true);
  await writer.flow(messageText(email, attachments, limits));
  let done = 0;
  for (const attachment of attachments.slice(0, limits.attachments)) {
    const file = { filename: filenameOf(attachment), mediaType: attachment.mimeType };
    await readAttachment(contentOf(attachment), file);
    done += 1;
    await writer.progress(done, attachments.length);
  }
  if (attachments.length > limits.attachments) {
    writer.warn(`Only the first ${limits.attachments} attachments were read.`);
  }
  return metadataFrom(email.subject, email.from && nameOf(email.from), email.date);
}

const undeclaredBytesAtMost = 8 * 1024 * 1024;
const textPart = /^content-type:[ \t]*text\/[a-z]+/gim;

/** The message with the charset of its text in its header, when no header names one. */
async function withCharset(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > undeclaredBytesAtMost) return bytes;
  const source = Buffer.from(bytes).toString("latin1");
  if (/charset\*?\d*\*?=/i.test(source)) return bytes;
  const isQuoted = /^content-transfer-encoding:[ \t]*quoted-printable/im.test(source);
  const written = isQuoted
    ? source.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : source;
  const charset = await undeclaredCharset(Buffer.from(written, "latin1"));
  if (charset === undefined) return bytes;
  const named = source.replace(textPart, (header) => `${header}; charset=${charset}`);
  const isMime = /^content-type:/im.test(source.slice(0, source.search(/\r?\n\r?\n/)));
  const header = isMime ? "" : `Content-Type: text/plain; charset=${charset}\r\n`;
  return Buffer.from(header + named, "latin1");
}

async function parse(bytes: Uint8Array, limits: ExtractionLimits): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, {
      maxNestingDepth: limits.depth,
      // A forwarded message is an attachment with separate pages.
      forceRfc822Attachments: true,
    });
  } catch (error) {
    if (error instanceof Error && /nesting depth/i.test(error.message)) {
      throw tooDeep(limits.depth);
    }
    if (error instanceof Error && /header size/i.test(error.message)) {
      throw limitExceeded("its headers are larger than 2 MiB");
    }
    throw corrupt("e-mail message", error);
  }
}

function messageText(
  email: Email,
  attachments: readonly Attachment[],
  limits: ExtractionLimits,
): string {
  const head = [
    headerLine("From", email.from && nameOf(email.from)),
    headerLine("To", email.to?.map(nameOf).join(", ")),
    headerLine("Cc", email.cc?.map(nameOf).join(", ")),
    headerLine("Date", email.date),
    headerLine("Subject", email.subject),
    headerLine("Attachments", attachments.map(filenameOf).join(", ")),
  ];
  const plain = email.text?.trim() ?? "";
  const body = plain === "" ? htmlToText(email.html ?? "", limits).text : plain;
  return `${head.join("")}\n${body}`;
}

function headerLine(name: string, value = ""): string {
  return value === "" ? "" : `${name}: ${value.replace(/\s+/g, " ")}\n`;
}

function nameOf(address: Address): string {
  if (address.group !== undefined) return address.name;
  return address.name === "" ? address.address : `${address.name} <${address.address}>`;
}

function filenameOf(attachment: Attachment): string {
  if (attachment.filename !== null) return attachment.filename;
  return attachment.mimeType === "message/rfc822" ? "message.eml" : "attachment";
}

function contentOf(attachment: Attachment): Uint8Array {
  const { content } = attachment;
  if (typeof content === "string") return new TextEncoder().encode(content);
  return new Uint8Array(content);
}

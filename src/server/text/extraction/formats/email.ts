import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { metadataFrom, type DocumentMetadata, type PageWriter } from "../extracted-document.ts";
import { corrupt, limitExceeded, tooDeep } from "../extraction-error.ts";
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
  const email = await parse(bytes, limits);
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

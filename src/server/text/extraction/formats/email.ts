import { imageSize } from "image-size";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { metadataFrom, type DocumentMetadata, type PageWriter } from "../extracted-document.ts";
import {
  corrupt,
  encrypted,
  ExtractionError,
  limitExceeded,
  tooDeep,
} from "../extraction-error.ts";
import type { FileReader } from "./embedded/embedded-files.ts";
import { decodeText } from "./encoding.ts";
import { writePictures } from "./pictures/embedded-pictures.ts";
import { htmlToText, picturesOf } from "./html.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { absentPart, uuencodedFiles } from "./mail/absent-content.ts";
import { calendarText } from "./mail/calendar.ts";
import { messagesOf } from "./mail/mailbox.ts";
import { withReadableCharsets } from "./mail/message-charsets.ts";
import { readOutlookMessage, type OutlookMessage } from "./mail/outlook-message.ts";
import { openEnvelope } from "./mail/smime.ts";
import { isTnef, readTnef } from "./mail/tnef.ts";

interface Reading {
  readonly limits: ExtractionLimits;
  readonly writer: PageWriter;
  readonly readAttachment: FileReader;
}

/** The line between two messages of a mailbox file. */
const betweenMessages = "\n\n* * *\n\n";

/**
 * Reads a message (RFC 5322, MIME) or a file of several (mbox): main header fields, the body (plain
 * text, with HTML where that says more), and each supported attachment on separate pages. Opens
 * what Outlook packs (TNEF) and what is signed (S/MIME); names what is encrypted.
 */
export async function extractEmail(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  readAttachment: FileReader,
): Promise<DocumentMetadata> {
  const reading = { limits, writer, readAttachment };
  let metadata: DocumentMetadata = {};
  let count = 0;
  let texts: string[] = [];
  let characters = 0;
  const writeTexts = async (): Promise<void> => {
    if (texts.length > 0) await writer.flow(texts.join(betweenMessages));
    texts = [];
    characters = 0;
  };
  for (const source of messagesOf(unmarked(bytes))) {
    const { message, unknown } = await withReadableCharsets(source);
    const email = await parse(message, limits);
    for (const charset of unknown) {
      writer.leaveOut(`The encoding ${charset} of this message is not known: letters are missing.`);
    }
    const attachments = email.attachments.filter(isContent);
    const text = messageText(email, attachments, reading);
    texts.push(text);
    characters += text.length;
    const pictures = [...picturesOf(email.html ?? "")];
    const hasPages = attachments.length > 0 || pictures.length > 0;
    if (hasPages || characters > limits.flowCharacters) await writeTexts();
    await writePictures(writer, pictures);
    await readAttachments(attachments, reading);
    count += 1;
    metadata = metadataFrom(email.subject, email.from && nameOf(email.from), email.date);
  }
  await writeTexts();
  return count === 1 ? metadata : {};
}

/**
 * Reads a message that Outlook has saved (`.msg`) as {@link extractEmail} reads others. Throws
 * `corrupt`.
 */
export async function extractOutlookMessage(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  readAttachment: FileReader,
): Promise<DocumentMetadata> {
  const reading = { limits, writer, readAttachment };
  let message: OutlookMessage;
  try {
    message = readOutlookMessage(bytes);
  } catch (error) {
    throw corrupt("message of Outlook", error);
  }
  const attachments = message.attachments.filter(isContent);
  await writer.flow(messageText(message, attachments, reading));
  await writePictures(writer, [...picturesOf(message.html ?? "")]);
  await readAttachments(attachments, reading);
  return metadataFrom(message.subject, message.from && nameOf(message.from), message.date);
}

/** The file without the byte order mark of UTF-8, which would belong to the first header's name. */
function unmarked(bytes: Uint8Array): Uint8Array {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
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

/** A signature or a logo is no content. */
function isContent(attachment: Attachment): boolean {
  if (/^application\/(?:(?:x-)?pkcs7-signature|pgp-signature)$/.test(attachment.mimeType)) {
    return false;
  }
  if (attachment.mimeType === "application/pgp-encrypted") return false;
  const isPicture = attachment.mimeType.startsWith("image/");
  if (!isPicture) return attachment.related !== true;
  const isInline = attachment.related === true || attachment.disposition === "inline";
  const size = sizeOf(contentOf(attachment));
  return size === undefined
    ? attachment.related !== true
    : size >= (isInline ? leastInlineSide : leastSide);
}

/** Pixels of a picture's shorter side, below which it is a logo or a dot. */
const leastSide = 64;
/** A picture within the text of a message is usually a part of its design. */
const leastInlineSide = 300;

/** The shorter side of a picture; undefined for one that is damaged. */
function sizeOf(bytes: Uint8Array): number | undefined {
  try {
    const { width, height } = imageSize(bytes);
    return Math.min(width, height);
  } catch {
    return undefined;
  }
}

const namesOfWarning = 400;

async function readAttachments(
  attachments: readonly Attachment[],
  reading: Reading,
): Promise<void> {
  const { limits, writer } = reading;
  const read = attachments.slice(0, limits.attachments);
  for (const [index, attachment] of read.entries()) {
    await readPart(attachment, reading);
    await writer.progress(index + 1, attachments.length);
  }
  let names: string[] = [];
  const warn = (): void => {
    if (names.length === 0) return;
    const words = `The first ${limits.attachments} attachments of a message are read.`;
    writer.leaveOut(`${words} These were not read: ${names.join(", ")}.`);
    names = [];
  };
  for (const attachment of attachments.slice(limits.attachments)) {
    names.push(filenameOf(attachment));
    if (names.join(", ").length > namesOfWarning) warn();
  }
  warn();
}

async function readPart(attachment: Attachment, reading: Reading): Promise<void> {
  const bytes = contentOf(attachment);
  const filename = filenameOf(attachment);
  const { mimeType: mediaType } = attachment;
  if (mediaType.endsWith("pkcs7-mime") || /\.p7[mz]$/i.test(filename)) {
    return await readEnvelope(bytes, filename, reading);
  }
  const absent = absentPart(mediaType, filename);
  if (absent !== undefined) reading.writer.leaveOut(absent);
  if (mediaType === "message/external-body") return;
  if (isTnef(bytes)) return await readWinmail(bytes, filename, reading);
  if (isPgp(Buffer.from(bytes.subarray(0, 200)).toString("latin1"))) {
    return reading.writer.leaveOut(encryptedWords(filename, "PGP"));
  }
  if (/^(?:text\/calendar|application\/ics)$/.test(mediaType) || /\.ics$/i.test(filename)) {
    const text = calendarText(await decodeText(bytes));
    if (text !== "") return await reading.writer.flow(text);
  }
  await reading.readAttachment(bytes, { filename, mediaType });
}

async function readEnvelope(bytes: Uint8Array, filename: string, reading: Reading): Promise<void> {
  const envelope = unlessDamaged(filename, reading, () => openEnvelope(bytes, reading.limits));
  if (envelope === damaged) return;
  if (envelope?.kind === "encrypted") {
    return reading.writer.leaveOut(encryptedWords(filename, "S/MIME"));
  }
  const content = envelope?.content ?? bytes;
  // The content that was signed is a message without an origin.
  const isMessage = /^[!-9;-~]+:/.test(Buffer.from(content.subarray(0, 100)).toString("latin1"));
  const file = isMessage
    ? { filename: "message.eml", mediaType: "message/rfc822" }
    : { filename, mediaType: "" };
  await reading.readAttachment(content, file);
}

/**
 * Reads what a mail program saves when it cannot open it: a `winmail.dat` of Outlook, or a signed
 * message (`smime.p7m`). Throws `encrypted`, and `unsupported` for a signature alone.
 */
export async function extractMailPart(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  readAttachment: FileReader,
): Promise<DocumentMetadata> {
  const reading = { limits, writer, readAttachment };
  if (isTnef(bytes)) await readWinmail(bytes, "winmail.dat", reading);
  else {
    const envelope = openEnvelope(bytes, limits);
    if (envelope?.kind === "encrypted") throw encrypted("S/MIME message");
    if (envelope === undefined) throw signatureAlone();
    await readEnvelope(bytes, "smime.p7m", reading);
  }
  return {};
}

function signatureAlone(): ExtractionError {
  return new ExtractionError(
    "unsupported",
    "This file is a signature (S/MIME) without the message that was signed, which is not read. " +
      "Send the message itself.",
  );
}

async function readWinmail(
  bytes: Uint8Array,
  filename: string,
  reading: Reading,
  depth = 0,
): Promise<void> {
  const files = unlessDamaged(filename, reading, () => readTnef(bytes));
  if (files === damaged) return;
  for (const { bytes: content, ...file } of files) {
    if (!isTnef(content)) await reading.readAttachment(content, file);
    else if (depth < reading.limits.attachmentDepth) {
      await readWinmail(content, file.filename, reading, depth + 1);
    } else {
      reading.writer.leaveOut(`The message ${file.filename} is nested too deep and was not read.`);
    }
  }
}

const damaged = Symbol("damaged");

/** Parsers of binary parts throw errors of many kinds; the rest of the message is read. */
function unlessDamaged<Result>(
  filename: string,
  { writer }: Reading,
  open: () => Result,
): Result | typeof damaged {
  try {
    return open();
  } catch {
    writer.leaveOut(`The attachment ${filename} was not read: it is damaged.`);
    return damaged;
  }
}

function isPgp(text: string): boolean {
  return text.includes("-----BEGIN PGP MESSAGE-----");
}

function encryptedWords(filename: string, by: string): string {
  return (
    `The part ${filename} was not read: it is encrypted (${by}). ` +
    "Open the message in your mail program and send its content without encryption."
  );
}

function messageText(
  email: OutlookMessage,
  attachments: readonly Attachment[],
  { limits, writer }: Reading,
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
  for (const warning of uuencodedFiles(plain)) writer.leaveOut(warning);
  if (isPgp(plain)) writer.leaveOut(encryptedWords("with the text", "PGP"));
  return `${head.join("")}\n${bodyText(plain, email.html ?? "", limits)}`;
}

/** Share of the HTML's words that plain text has when it says the same. */
const sameShare = 0.7;

/** The plain text, then the HTML's where that says something else: a plain text may be a stub. */
function bodyText(plain: string, html: string, limits: ExtractionLimits): string {
  if (html === "") return plain;
  const { text } = htmlToText(html, limits);
  if (plain === "" || text.trim() === "") return plain === "" ? text : plain;
  const known = wordsOf(plain);
  const words = wordsOf(text);
  const shared = [...words].filter((word) => known.has(word)).length;
  if (shared >= words.size * sameShare) return plain;
  return shared >= known.size * sameShare ? text : `${plain}\n\n${text}`;
}

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(word));
}

function headerLine(name: string, value = ""): string {
  return value === "" ? "" : `${name}: ${value.replace(/\s+/g, " ")}\n`;
}

function nameOf(address: Address): string {
  if (address.group !== undefined || address.address === "") return address.name;
  return address.name === "" ? address.address : `${address.name} <${address.address}>`;
}

function filenameOf(attachment: Attachment): string {
  if (attachment.filename !== null) return attachment.filename;
  if (attachment.mimeType === "text/calendar") return "invite.ics";
  return attachment.mimeType === "message/rfc822" ? "message.eml" : "attachment";
}

function contentOf(attachment: Attachment): Uint8Array {
  const { content } = attachment;
  if (typeof content === "string") return new TextEncoder().encode(content);
  return new Uint8Array(content);
}

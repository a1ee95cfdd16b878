import msgReader from "@kenjiuno/msgreader";
import type { FieldsData } from "@kenjiuno/msgreader";
import type { Address, Attachment, Email } from "postal-mime";
import { given } from "#lib/given.ts";
import { charsetOfPage, decoderNamed } from "../encoding.ts";
import { decompressRtf } from "./compressed-rtf.ts";

/** The parts of an e-mail message that a message of Outlook has. */
export type OutlookMessage = Pick<
  Email,
  "from" | "to" | "cc" | "subject" | "date" | "text" | "html" | "attachments"
>;

const mediaType = "application/vnd.ms-outlook";

/**
 * Reads a message, an appointment or a contact that Outlook has saved (`.msg`, MS-OXMSG) as an
 * e-mail message. An attached message is a `.msg` again. Throws an error of any kind for a damaged
 * file.
 */
export function readOutlookMessage(bytes: Uint8Array): OutlookMessage {
  const { reader, fields } = opened(bytes);
  const from = senderOf(fields);
  // A signed message has its text once more in what was signed.
  const isSigned = (fields.attachments ?? []).some(isWholeMessage);
  const html = isSigned ? undefined : htmlOf(fields);
  const text = [...factsOf(fields), isSigned ? "" : (fields.body ?? "")].join("\n").trim();
  const attachments = (fields.attachments ?? []).map((attachment) =>
    attachmentOf(attachment, reader.getAttachment(attachment), html ?? ""),
  );
  if (!isSigned && text === "" && html === undefined && fields.compressedRtf !== undefined) {
    attachments.push(richText(fields.compressedRtf));
  }
  return {
    ...given({ from, subject: fields.subject, html, date: dayOf(fields) }),
    to: recipientsOf(fields, "to"),
    cc: recipientsOf(fields, "cc"),
    text,
    attachments,
  };
}

/** A file with texts in a code page is read again when its fields tell which one. */
function opened(bytes: Uint8Array): Opened {
  // The library takes a whole buffer. A copy of one would take as much memory as the file. The
  // method `slice` of a Buffer copies nothing.
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  const source = (isWhole ? bytes : Uint8Array.from(bytes)).buffer as ArrayBuffer;
  const read = (ansiEncoding?: string): Opened => {
    const reader = new msgReader(source);
    reader.parserConfig = given({ ansiEncoding });
    const fields = reader.getFileData();
    if (fields.error !== undefined) throw new RangeError(fields.error);
    return { reader, fields };
  };
  const found = read();
  return hasCodePageText(bytes) ? read(charsetOfPage(pageOfTexts(found.fields))) : found;
}

const streamName = Buffer.from("__substg1.0_", "utf16le");
/** The end of a stream's name, after the four digits of its property. */
const codePageText = Buffer.from("001E", "utf16le");

/** True if a stream's name says that it is a text in a code page (MS-OXCDATA 2.11.1). */
function hasCodePageText(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = file.indexOf(streamName); at >= 0; at = file.indexOf(streamName, at + 1)) {
    const type = at + streamName.length + codePageText.length;
    if (file.subarray(type, type + codePageText.length).equals(codePageText)) return true;
  }
  return false;
}

interface Opened {
  readonly reader: InstanceType<typeof msgReader>;
  readonly fields: FieldsData;
}

const western = 1252;
/** The code page of Windows for each script, with the pages of the Internet for it. */
const internetPages: readonly (readonly [page: number, ...others: number[]])[] = [
  [874],
  [932, 50220, 50221, 50222, 51932],
  [936, 51936, 52936, 54936],
  [949, 50225, 51949],
  [950],
  [1250, 28592],
  [1251, 20866, 21866, 28595],
  [western],
  [1253, 28597],
  [1254, 28599],
  [1255, 28598, 38598],
  [1256, 28596],
  [1257, 28594, 28603],
  [1258],
  [65001],
];
/** The code page of Windows by the language of a locale (MS-LCID 2.2). */
const pagesOfLanguages: ReadonlyMap<number, number> = new Map(
  Object.entries({
    874: [0x1e],
    932: [0x11],
    936: [0x04],
    949: [0x12],
    1250: [0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24],
    1251: [0x02, 0x19, 0x22, 0x23, 0x2f],
    1253: [0x08],
    1254: [0x1f, 0x2c],
    1255: [0x0d],
    1256: [0x01, 0x20, 0x29],
    1257: [0x25, 0x26, 0x27],
    1258: [0x2a],
  }).flatMap(([page, languages]) => languages.map((language) => [language, Number(page)] as const)),
);
const languageBits = 0x3ff;
/** Locales of Chinese with traditional letters: Taiwan, Hong Kong and Macao. */
const traditionalChinese: ReadonlySet<number> = new Set([0x0404, 0x0c04, 0x1404]);

/** The code page of a message's texts: its own, that of its mail, or that of its locale. */
function pageOfTexts(fields: FieldsData): number {
  const { messageCodepage, internetCodepage, messageLocaleId = 0 } = fields;
  for (const known of [messageCodepage, internetCodepage]) {
    const pages = internetPages.find((each) => known !== undefined && each.includes(known));
    if (pages !== undefined) return pages[0];
  }
  if (traditionalChinese.has(messageLocaleId)) return 950;
  return pagesOfLanguages.get(messageLocaleId & languageBits) ?? western;
}

function senderOf(fields: FieldsData): Address | undefined {
  const { senderName = "", senderEmail = "", senderAddressType } = fields;
  // An address of Exchange is a path of a directory.
  const own = senderAddressType === "EX" ? "" : senderEmail;
  const { senderSmtpAddress, sentRepresentingSmtpAddress, creatorSMTPAddress } = fields;
  const address = senderSmtpAddress ?? sentRepresentingSmtpAddress ?? creatorSMTPAddress ?? own;
  return senderName === "" && address === "" ? undefined : addressOf(senderName, address);
}

/** Outlook gives an address without a name as its name too. */
function addressOf(name: string, address: string): Address {
  return { name: name === address ? "" : name, address };
}

/** The header of a message that came from elsewhere says when it was written. */
function dayOf(fields: FieldsData): string | undefined {
  const [, header] = /^date:[ \t]*(.+)$/im.exec(fields.headers ?? "") ?? [];
  const day =
    header ?? fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime;
  return day && isoTime(day);
}

function recipientsOf({ recipients = [] }: FieldsData, kind: "to" | "cc"): Address[] {
  return recipients
    .filter(({ recipType = "to" }) => recipType === kind)
    .map(({ name = "", smtpAddress, email = "", addressType }) =>
      addressOf(name, smtpAddress ?? (addressType === "EX" ? "" : email)),
    )
    .filter(({ name, address }) => name !== "" || address !== "");
}

function htmlOf({ html, bodyHtml, internetCodepage = western }: FieldsData): string | undefined {
  if (html === undefined) return bodyHtml;
  return (decoderNamed(charsetOfPage(internetCodepage)) ?? new TextDecoder()).decode(html);
}

/** True for the message as it was sent, which Outlook keeps of a signed one (MS-OXOSMIME 2.1.3). */
function isWholeMessage({ attachMimeTag }: FieldsData): boolean {
  return attachMimeTag?.toLowerCase() === "multipart/signed";
}

function attachmentOf(
  fields: FieldsData,
  { fileName, content }: { readonly fileName: string; readonly content: Uint8Array },
  html: string,
): Attachment {
  const { attachMimeTag = "", pidContentId, attachmentHidden, innerMsgContent, name } = fields;
  const isShown = pidContentId !== undefined && html.includes(`cid:${pidContentId}`);
  const file =
    innerMsgContent === true
      ? { filename: `${name ?? "message"}.msg`, mimeType: mediaType }
      : isWholeMessage(fields)
        ? { filename: "message.eml", mimeType: "message/rfc822" }
        : { filename: fileName === "" ? null : fileName, mimeType: attachMimeTag };
  return {
    ...file,
    disposition: isShown ? "inline" : "attachment",
    related: isShown || attachmentHidden === true,
    content: content.slice().buffer,
  };
}

/** The text of a message that has no other form of it. */
function richText(compressed: Uint8Array): Attachment {
  return {
    filename: "message.rtf",
    mimeType: "application/rtf",
    disposition: "attachment",
    content: Uint8Array.from(decompressRtf(Buffer.from(compressed))).buffer,
  };
}

/** The facts of an appointment, a task or a contact besides its text, one line for each. */
function factsOf(fields: FieldsData): string[] {
  const { messageClass = "" } = fields;
  const facts: readonly (readonly [label: string, value: string | undefined])[] =
    messageClass.startsWith("IPM.Contact")
      ? [
          ["Name", fields.fileUnder ?? fields.normalizedSubject],
          ["Title", fields.title],
          ["Company", fields.companyName],
          ["Department", fields.departmentName ?? fields.department],
          ["E-mail", fields.email1EmailAddress],
          ["Telephone", fields.businessTelephoneNumber],
          ["Mobile", fields.mobileTelephoneNumber],
          ["Home", fields.homeTelephoneNumber],
          ["Fax", fields.businessFaxNumber],
          ["Address", fields.workAddress ?? fields.postalAddress],
        ]
      : [
          ["Start", fields.apptStartWhole && minuteOf(fields.apptStartWhole)],
          ["End", fields.apptEndWhole && minuteOf(fields.apptEndWhole)],
          ["Location", fields.apptLocation ?? fields.location],
        ];
  return facts.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
}

function isoTime(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

function minuteOf(text: string): string {
  return isoTime(text).replace(/^(\S{10})T(\d\d:\d\d).*Z$/, "$1 $2 UTC");
}

const uuencoded = /^begin [0-7]{3,4} (\S[^\r\n]*)\r?\n[\x20-\x60]{2,}\r?\n[^]*?^end\r?$/gm;
const namesAtMost = 20;

/** Why the content of a part is not in the message, or not wholly; undefined for other parts. */
export function absentPart(mediaType: string, filename: string): string | undefined {
  if (mediaType === "message/external-body") {
    return (
      `The content of the part ${filename} was not read: the message has only its address. ` +
      "Get the file and send it too."
    );
  }
  if (mediaType === "message/partial") {
    return (
      "This message is one part of a longer message, and the other parts were not read. " +
      "Join the parts in a mail program and send the whole message."
    );
  }
  return undefined;
}

/** Warnings for the files that a text has in the encoding of uuencode. */
export function* uuencodedFiles(text: string): Generator<string, void, void> {
  if (!/^begin [0-7]{3}/m.test(text)) return;
  let count = 0;
  for (const [, name = ""] of text.matchAll(uuencoded)) {
    if (count === namesAtMost) return;
    count += 1;
    yield (
      `The file ${name.trim().slice(0, 200)} was not read: the text has it in the encoding of uuencode. ` +
        "Save it in a mail program and send it too."
    );
  }
}

const separator = "\nFrom ";
/** The first line of a message in a mailbox file: an address, then a time with its year. */
const firstLine = /^From [^\r\n]{0,300}\d{4}[^\r\n]{0,20}\r?\n(?=[!-9;-~]+:)/;
const firstLineBytesAtMost = 1024;

/**
 * The messages of a mailbox file (mbox, RFC 4155) without the lines that divide them and with their
 * quoted lines `>From` restored; a single message is given as it is.
 */
export function* messagesOf(bytes: Uint8Array): Generator<Uint8Array> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = firstLineAt(source, 0);
  if (start === 0) return yield bytes;
  for (let at = source.indexOf(separator, start); at !== -1;) {
    const length = firstLineAt(source, at + 1);
    if (length > 0) {
      yield unquoted(source.subarray(start, at + 1));
      start = at + 1 + length;
    }
    at = source.indexOf(separator, at + 1 + length);
  }
  yield unquoted(source.subarray(start));
}

/** Bytes of the dividing line that begins at this place; 0 for another one. */
function firstLineAt(source: Buffer, at: number): number {
  const line = source.subarray(at, at + firstLineBytesAtMost).toString("latin1");
  return firstLine.exec(line)?.[0].length ?? 0;
}

function unquoted(message: Buffer): Uint8Array {
  if (!message.includes("\n>From ")) return message;
  return Buffer.from(message.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1");
}

import { burn } from "@kenjiuno/msgreader/lib/Burner";

/** Properties by their tag, e.g. `0x0037001f` for a subject in Unicode (MS-OXPROPS). */
export type Properties = Readonly<Record<number, string | number | Uint8Array>>;

export interface OutlookFile {
  readonly properties: Properties;
  /** Numbers of the properties of an appointment, whose tags here are from 0x8000 on. */
  readonly appointment?: readonly number[];
  readonly recipients?: readonly Properties[];
  /** The properties of an attachment, and the message that it is. */
  readonly attachments?: readonly {
    readonly properties: Properties;
    readonly message?: OutlookFile;
  }[];
}

type Entry = Parameters<typeof burn>[0][number];
const kinds = { folder: 1, file: 2, root: 5 } as const;
/** The identifier of the properties of appointments (PSETID_Appointment), which is the first. */
const appointmentId = Uint32Array.of(0x00062002, 0, 0xc0, 0x46000000);
const appointmentSet = 3 << 1;
const codePageText = 0x1e;
const unicodeText = 0x1f;
const attachedMessage = "__substg1.0_3701000D";

/** The bytes of a message as Outlook saves it (MS-OXMSG 2.2). */
export function outlookFile(file: OutlookFile): Uint8Array {
  const entries: Entry[] = [];
  const add = (name: string, type: number, bytes?: Uint8Array): Entry => {
    const content = bytes === undefined ? {} : { binaryProvider: () => bytes };
    const entry: Entry = { name, type, length: bytes?.length ?? 0, children: [], ...content };
    entries.push(entry);
    return entry;
  };
  const folder = (parent: Entry, name: string): Entry => {
    parent.children?.push(entries.length);
    return add(name, kinds.folder);
  };
  const write = (parent: Entry, properties: Properties, headerBytes: number): void => {
    const fixed: Buffer[] = [Buffer.alloc(headerBytes)];
    for (const [key, value] of Object.entries(properties)) {
      const tag = Number(key);
      const bytes = typeof value === "number" ? undefined : bytesOf(tag, value);
      const property = Buffer.alloc(16);
      property.writeUInt32LE(tag, 0);
      property.writeUInt32LE(6, 4);
      property.writeUInt32LE(typeof value === "number" ? value : (bytes?.length ?? 0), 8);
      fixed.push(property);
      if (bytes === undefined) continue;
      parent.children?.push(entries.length);
      add(`__substg1.0_${tag.toString(16).toUpperCase().padStart(8, "0")}`, kinds.file, bytes);
    }
    parent.children?.push(entries.length);
    add("__properties_version1.0", kinds.file, Buffer.concat(fixed));
  };
  const message = (parent: Entry, content: OutlookFile, headerBytes: number): void => {
    const { properties, recipients = [], attachments = [] } = content;
    for (const [index, recipient] of recipients.entries()) {
      write(folder(parent, `__recip_version1.0_#${numberOf(index)}`), recipient, 8);
    }
    for (const [index, attachment] of attachments.entries()) {
      const place = folder(parent, `__attach_version1.0_#${numberOf(index)}`);
      if (attachment.message !== undefined) {
        message(folder(place, attachedMessage), attachment.message, 24);
      }
      write(place, attachment.properties, 8);
    }
    write(parent, properties, headerBytes);
  };
  const root = add("Root Entry", kinds.root);
  if (file.appointment !== undefined) {
    const numbers = file.appointment.flatMap((number, at) => [
      number,
      appointmentSet + at * 0x10000,
    ]);
    const names = { 0x00020102: appointmentId, 0x00030102: Uint32Array.from(numbers) };
    const bytes = Object.entries(names).map(([tag, { buffer }]) => [tag, new Uint8Array(buffer)]);
    const texts = { 0x00040102: new Uint8Array(4) };
    write(folder(root, "__nameid_version1.0"), { ...Object.fromEntries(bytes), ...texts }, 8);
  }
  message(root, file, 32);
  return Uint8Array.from(burn(entries));
}

function numberOf(index: number): string {
  return index.toString(16).toUpperCase().padStart(8, "0");
}

function bytesOf(tag: number, value: string | Uint8Array): Uint8Array {
  if (typeof value !== "string") return value;
  if ((tag & 0xffff) === unicodeText) return Buffer.from(value, "utf16le");
  if ((tag & 0xffff) === codePageText) return Buffer.from(value, "latin1");
  return Buffer.from(value);
}

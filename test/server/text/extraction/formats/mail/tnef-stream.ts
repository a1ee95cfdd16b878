/** Returns one attribute of a TNEF stream. */
export function attribute(id: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(data.length, 5);
  return Buffer.concat([head, data, Buffer.alloc(2)]);
}

/** Returns a `winmail.dat` of these attributes. */
export function tnef(...attributes: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from("789f3e220100", "hex"), ...attributes]);
}

/** Returns properties of several bytes each: their type, their ID and their value. */
export function properties(...list: readonly [number, number, Uint8Array][]): Buffer {
  const number = (value: number): Buffer => {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32LE(value);
    return buffer;
  };
  return Buffer.concat([
    number(list.length),
    ...list.flatMap(([type, id, value]) => [
      number(type + id * 0x10000),
      number(1),
      number(value.length),
      value,
      Buffer.alloc((4 - (value.length % 4)) % 4),
    ]),
  ]);
}

export const ids = { properties: 0x69003, attachment: 0x69002, title: 0x18010, data: 0x6800f };
export const attachmentProperties = 0x69005;

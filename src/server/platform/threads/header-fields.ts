/** Header fields as they cross threads: a record costs a third of a list of pairs. */
export type Fields = Readonly<Record<string, string>> & {
  /** The only field with several values that cannot be joined (RFC 6265, 3). */
  readonly "set-cookie"?: readonly string[];
};

export function fieldsOf(headers: Headers): Fields {
  return headers.toJSON();
}

export function headersOf({ "set-cookie": cookies = [], ...fields }: Fields): Headers {
  const headers = new Headers(fields);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return headers;
}

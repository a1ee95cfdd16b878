/** Where an S3-compatible store keeps the files, read from a `s3://bucket/prefix?…` URL. */
export interface S3Location {
  readonly bucket: string;
  /** The start of each key, without slashes at its ends; empty for none. */
  readonly prefix: string;
  /** Scheme, host and port of the store. */
  readonly endpoint: URL;
  readonly region: string;
  /** True if the bucket is in the path; otherwise it is part of the host name. */
  readonly usesPathStyle: boolean;
}

/** Credentials from the environment, which never appear in a URL or a log. */
export interface FilesCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** A files URL that cannot be used; its message quotes only the invalid part. */
export class FilesUrlError extends Error {
  override readonly name = "FilesUrlError";
}

const bucketPattern = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const segmentPattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;
const regionPattern = /^[a-z0-9-]{1,64}$/;
const prefixLimit = 512;
const parameters = new Set(["endpoint", "region", "path-style"]);
const defaultRegion = "us-east-1";

/**
 * Parses `s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=eu-west-1&path-style=true`.
 * Default: AWS in the region; with an endpoint, path style. Throws {@link FilesUrlError}.
 */
export function parseFilesUrl(text: string): S3Location {
  if (!/^s3:\/\//i.test(text) || !URL.canParse(text)) {
    throw new FilesUrlError("Cannot use the files URL: expected s3://bucket/prefix?endpoint=…");
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new FilesUrlError("Cannot use the files URL: credentials come from the environment only");
  }
  if (url.port !== "" || url.hash !== "") {
    throw new FilesUrlError("Cannot use the files URL: it must not have a port or a fragment");
  }
  const bucket = url.hostname;
  if (!bucketPattern.test(bucket)) {
    throw unusable("bucket", bucket, "expected 3 to 63 lower-case letters, digits, dots, hyphens");
  }
  const values = singleValues(url.searchParams);
  const region = values.get("region") ?? defaultRegion;
  if (!regionPattern.test(region)) throw unusable("region", region, "expected e.g. eu-west-1");
  const endpointText = values.get("endpoint");
  const endpoint =
    endpointText === undefined
      ? new URL(`https://s3.${region}.amazonaws.com`)
      : parseEndpoint(endpointText);
  const style = values.get("path-style");
  if (style !== undefined && style !== "true" && style !== "false") {
    throw unusable("path-style", style, "expected true or false");
  }
  // The certificate of AWS does not cover the host name of a bucket with dots.
  const usesPathStyle =
    style === undefined ? endpointText !== undefined || bucket.includes(".") : style === "true";
  return { bucket, prefix: parsePrefix(url.pathname), endpoint, region, usesPathStyle };
}

/** The URL of an object, or with an empty key of the bucket. */
export function urlOf({ endpoint, bucket, usesPathStyle }: S3Location, key: string): string {
  return usesPathStyle
    ? `${endpoint.origin}/${bucket}/${key}`
    : `${endpoint.protocol}//${bucket}.${endpoint.host}/${key}`;
}

function singleValues(search: URLSearchParams): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    // The message must not quote the value, which may be a secret.
    if (!parameters.has(name)) {
      const reason = `${JSON.stringify(name)} is not endpoint, region or path-style`;
      throw new FilesUrlError(`Cannot use the files URL: ${reason}`);
    }
    if (values.has(name)) {
      throw new FilesUrlError(`Cannot use the files URL: ${name} is given twice`);
    }
    values.set(name, value);
  }
  return values;
}

function parseEndpoint(text: string): URL {
  const expected = "expected http(s)://host:port and nothing else";
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) throw unusable("endpoint", "", expected);
  const url = new URL(text);
  const isPlain = url.pathname === "/" && url.search === "" && url.hash === "";
  if (!isPlain || url.username !== "" || url.password !== "") {
    throw unusable("endpoint", url.host, expected);
  }
  return url;
}

function parsePrefix(path: string): string {
  const prefix = path.replace(/^\/|\/$/g, "");
  const fits = prefix === "" || prefix.split("/").every((each) => segmentPattern.test(each));
  if (!fits || prefix.length > prefixLimit) {
    throw unusable("prefix", prefix, "expected letters, digits, dots, hyphens, slashes between");
  }
  return prefix;
}

function unusable(part: string, value: string, expected: string): FilesUrlError {
  const quoted = value === "" ? "" : ` ${JSON.stringify(value.slice(0, 100))}`;
  return new FilesUrlError(`Cannot use the files URL's ${part}${quoted}: ${expected}`);
}

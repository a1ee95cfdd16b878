/** Where an S3-compatible store keeps the files, read from a `s3://bucket/prefix?…` URL. */
export interface S3Location {
  readonly bucket: string;
  /** Without slashes at its ends; empty for none. */
  readonly prefix: string;
  /** Scheme, host and port. */
  readonly endpoint: URL;
  readonly region: string;
  /** Whether the bucket stands in the path; otherwise it is a part of the host's name. */
  readonly usesPathStyle: boolean;
}

/** They come from the environment of whoever starts the platform, and stand in no URL or log. */
export interface FilesCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** A files URL that cannot be used; its message quotes no more than the part that is wrong. */
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
 * `s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=eu-west-1&path-style=true`. Without
 * an endpoint it is AWS in that region; stores with an endpoint of their own are addressed by path
 * unless `path-style=false`. Credentials never stand here: URLs are shown and logged.
 */
export function parseFilesUrl(text: string): S3Location {
  if (!/^s3:\/\//i.test(text) || !URL.canParse(text)) {
    throw new FilesUrlError("Cannot use the files URL: wanted s3://bucket/prefix?endpoint=…");
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new FilesUrlError("Cannot use the files URL: credentials come from the environment only");
  }
  if (url.port !== "" || url.hash !== "") {
    throw new FilesUrlError("Cannot use the files URL: it has a port or fragment of its own");
  }
  const bucket = url.hostname;
  if (!bucketPattern.test(bucket)) {
    throw unusable("bucket", bucket, "wanted 3 to 63 lower-case letters, digits, dots and hyphens");
  }
  const values = singleValues(url.searchParams);
  const region = values.get("region") ?? defaultRegion;
  if (!regionPattern.test(region)) throw unusable("region", region, "wanted a name as eu-west-1");
  const endpointText = values.get("endpoint");
  const endpoint =
    endpointText === undefined
      ? new URL(`https://s3.${region}.amazonaws.com`)
      : parseEndpoint(endpointText);
  const style = values.get("path-style");
  if (style !== undefined && style !== "true" && style !== "false") {
    throw unusable("path-style", style, "wanted true or false");
  }
  // A dotted bucket's host name would not fit the certificate of AWS.
  const usesPathStyle =
    style === undefined ? endpointText !== undefined || bucket.includes(".") : style === "true";
  return { bucket, prefix: parsePrefix(url.pathname), endpoint, region, usesPathStyle };
}

/** Where an object's or, without a key, the bucket's requests go. */
export function urlOf({ endpoint, bucket, usesPathStyle }: S3Location, key: string): string {
  return usesPathStyle
    ? `${endpoint.origin}/${bucket}/${key}`
    : `${endpoint.protocol}//${bucket}.${endpoint.host}/${key}`;
}

function singleValues(search: URLSearchParams): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    // Its value is not shown: it may be a secret that does not belong here.
    if (!parameters.has(name)) {
      throw new FilesUrlError(
        `Cannot use the files URL: it knows endpoint, region and path-style, not ${JSON.stringify(name)}`,
      );
    }
    if (values.has(name)) throw new FilesUrlError(`Cannot use the files URL: ${name} stands twice`);
    values.set(name, value);
  }
  return values;
}

function parseEndpoint(text: string): URL {
  const wanted = "wanted http(s)://host:port and nothing else";
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) throw unusable("endpoint", "", wanted);
  const url = new URL(text);
  const isPlain = url.pathname === "/" && url.search === "" && url.hash === "";
  if (!isPlain || url.username !== "" || url.password !== "") {
    throw unusable("endpoint", url.host, wanted);
  }
  return url;
}

function parsePrefix(path: string): string {
  const prefix = path.replace(/^\/|\/$/g, "");
  const fits = prefix === "" || prefix.split("/").every((each) => segmentPattern.test(each));
  if (!fits || prefix.length > prefixLimit) {
    throw unusable("prefix", prefix, "wanted letters, digits, dots, hyphens and slashes between");
  }
  return prefix;
}

function unusable(part: string, value: string, wanted: string): FilesUrlError {
  const quoted = value === "" ? "" : ` ${JSON.stringify(value.slice(0, 100))}`;
  return new FilesUrlError(`Cannot use the files URL's ${part}${quoted}: ${wanted}`);
}

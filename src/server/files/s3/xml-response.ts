import { SaxesParser } from "saxes";

export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

/** The content of any S3 XML response. */
export interface S3Document {
  /** The outermost element, e.g. `Error` or `ListBucketResult`. */
  readonly root: string;
  /** The texts of the elements right below it, by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly objects: readonly ListedObject[];
}

const depthLimit = 8;

/** Parses a response body; `undefined` if it is not XML, e.g. a gateway's own page. */
export function parseXmlResponse(text: string): S3Document | undefined {
  const parser = new SaxesParser({ position: false, xmlns: false });
  const path: string[] = [];
  const values = new Map<string, string>();
  const objects: ListedObject[] = [];
  let root: string | undefined;
  let content = "";
  let listed = new Map<string, string>();
  parser.on("doctype", () => {
    throw new SyntaxError("a document type is not expected");
  });
  parser.on("opentag", ({ name }) => {
    path.push(name);
    root ??= name;
    content = "";
    if (path.length > depthLimit) throw new SyntaxError("it nests too deeply");
    if (path.length === 2 && name === "Contents") listed = new Map();
  });
  parser.on("text", (more) => {
    content += more;
  });
  parser.on("closetag", ({ name }) => {
    if (path.length === 2) values.set(name, content);
    if (path.length === 3 && path[1] === "Contents") listed.set(name, content);
    if (path.length === 2 && name === "Contents") {
      objects.push({ key: listed.get("Key") ?? "", size: Number(listed.get("Size")) });
    }
    path.pop();
    content = "";
  });
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return root === undefined ? undefined : { root, values, objects };
}

/** Escapes text for XML content. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

import { SaxesParser } from "saxes";

export interface ListedObject {
  readonly key: string;
  readonly size: number;
}

/** A content that a versioned bucket has kept of an object; marks of removals are none. */
export interface ListedVersion extends ListedObject {
  readonly versionId: string;
}

/** The content of any S3 XML response. */
export interface S3Document {
  /** The outermost element, e.g. `Error` or `ListBucketResult`. */
  readonly root: string;
  /** The texts of the elements right below it, by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly objects: readonly ListedObject[];
  readonly versions: readonly ListedVersion[];
}

const depthLimit = 8;

/** Parses a response body; `undefined` if it is not XML, e.g. a gateway's own page. */
export function parseXmlResponse(text: string): S3Document | undefined {
  const parser = new SaxesParser({ position: false, xmlns: false });
  const path: string[] = [];
  const values = new Map<string, string>();
  const objects: ListedObject[] = [];
  const versions: ListedVersion[] = [];
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
    if (path.length === 2) listed = new Map();
  });
  parser.on("text", (more) => {
    content += more;
  });
  parser.on("closetag", ({ name }) => {
    if (path.length === 2) values.set(name, content);
    if (path.length === 3) listed.set(name, content);
    if (path.length === 2) {
      const object = { key: listed.get("Key") ?? "", size: Number(listed.get("Size")) };
      if (name === "Contents") objects.push(object);
      if (name === "Version")
        versions.push({ ...object, versionId: listed.get("VersionId") ?? "" });
    }
    path.pop();
    content = "";
  });
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return root === undefined ? undefined : { root, values, objects, versions };
}

/** Escapes text for XML content. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

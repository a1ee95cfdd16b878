import type { JsonObject, ObjectType, Resource } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import type { AnyProperty } from "../../kit/data-fields/property.ts";
import { titleOf } from "../../kit/data-fields/record-columns.ts";

/** A file property of a record, and the file on it, if there is one. */
export interface RecordFile {
  readonly property: string;
  readonly title: string;
  /** Media types that it takes; all where there are none. */
  readonly accept: readonly string[];
  readonly stored: StoredFile | undefined;
}

export interface StoredFile {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number | undefined;
  readonly sha256: string | undefined;
}

function storedIn(value: unknown): StoredFile | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const facts = new Map<string, unknown>(Object.entries(value));
  const [filename, contentType] = [facts.get("filename"), facts.get("contentType")];
  const [size, sha256] = [facts.get("size"), facts.get("sha256")];
  if (typeof filename !== "string") return undefined;
  return {
    filename,
    contentType: typeof contentType === "string" ? contentType : "",
    size: typeof size === "number" ? size : undefined,
    sha256: typeof sha256 === "string" ? sha256 : undefined,
  };
}

function acceptOf(property: AnyProperty): string[] {
  const accept: unknown = "accept" in property ? property.accept : undefined;
  return Array.isArray(accept) ? accept.filter((each) => typeof each === "string") : [];
}

/** Whether records of a type can have files. */
export function hasFiles(type: ObjectType): boolean {
  return Object.values(type.properties).some((property) => property.type === "file");
}

/** A record's data without its files: those come and go by a route of their own, and no other. */
export function withoutFiles(type: ObjectType, data: JsonObject): JsonObject {
  const isFile = (name: string) => ownMember(type.properties, name)?.type === "file";
  return Object.fromEntries(Object.entries(data).filter(([name]) => !isFile(name)));
}

/** The file properties of a type, with what stands on them in a record. */
export function filesOf(type: ObjectType, record: Resource): RecordFile[] {
  return Object.entries(type.properties).flatMap(([property, definition]): RecordFile[] => {
    if (definition.type !== "file") return [];
    return [
      {
        property,
        title: titleOf(type, property),
        accept: acceptOf(definition),
        stored: storedIn(ownMember(record.data, property)),
      },
    ];
  });
}

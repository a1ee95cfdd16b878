import type { JsonObject, ObjectType, Resource } from "#client/index.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { AnyProperty } from "../../kit/data-fields/property.ts";
import { titleOf } from "../../kit/data-fields/record-columns.ts";
import { sizeWords } from "../../kit/text/words.ts";

/** A file property of a record, and its stored file if there is one. */
export interface RecordFile {
  readonly property: string;
  readonly title: string;
  /** Accepted media types; empty for all. */
  readonly accept: readonly string[];
  readonly stored: StoredFile | undefined;
}

interface StoredFile {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number | undefined;
  readonly sha256: string | undefined;
}

export function storedIn(value: unknown): StoredFile | undefined {
  if (!isJsonObject(value)) return undefined;
  const { filename, contentType, size, sha256 } = value;
  if (typeof filename !== "string") return undefined;
  return {
    filename,
    contentType: typeof contentType === "string" ? contentType : "",
    size: typeof size === "number" ? size : undefined,
    sha256: typeof sha256 === "string" ? sha256 : undefined,
  };
}

/** The size and the type of a file, if they are known. */
export function fileFacts({ size, contentType }: StoredFile): string {
  return [sizeWords(size), contentType].filter((fact) => fact !== "").join("  ");
}

function acceptOf(property: AnyProperty): string[] {
  const accept: unknown = "accept" in property ? property.accept : undefined;
  return Array.isArray(accept) ? accept.filter((each) => typeof each === "string") : [];
}

export function hasFiles(type: ObjectType): boolean {
  return Object.values(type.properties).some((property) => property.type === "file");
}

/** A record's data without its files, which have separate routes. */
export function withoutFiles(type: ObjectType, data: JsonObject): JsonObject {
  const isFile = (name: string) => ownMember(type.properties, name)?.type === "file";
  return Object.fromEntries(Object.entries(data).filter(([name]) => !isFile(name)));
}

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

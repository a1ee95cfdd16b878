import type { Reader, Writer } from "../../database/database.ts";
import { countRows } from "../../database/row-pages.ts";
import { insertInto, nothing, raw, statement } from "../../database/statement.ts";
import type { LabelledText } from "../../text/classification/text-model.ts";
import type { ClassifierKey } from "./store.ts";

/** A text that a classifier learns from; a document gives at most one to each classifier. */
export interface StoredExample {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly source: "given" | "correction";
  readonly documentId: string | null;
  readonly createdAt: string;
}

const columns = raw(
  'id, label, text, source, document_id as "documentId", created_at as "createdAt"',
);

export async function insertExamples(
  writer: Writer,
  { workspaceId, key }: ClassifierKey,
  examples: readonly (LabelledText & { readonly documentId?: string })[],
  { oid, time }: { readonly oid: string; readonly time: string },
): Promise<void> {
  for (const { label, text, documentId } of examples) {
    if (documentId !== undefined) {
      await writer.run(statement`delete from classifier_examples where workspace_id = ${workspaceId}
        and classifier_key = ${key} and document_id = ${documentId}`);
    }
    await writer.run(
      insertInto("classifier_examples", {
        workspace_id: workspaceId,
        classifier_key: key,
        id: Bun.randomUUIDv7(),
        label,
        text,
        source: documentId === undefined ? "given" : "correction",
        document_id: documentId ?? null,
        created_by: oid,
        created_at: time,
      }),
    );
  }
}

export async function examplePage(
  reader: Reader,
  { workspaceId, key }: ClassifierKey,
  page: { readonly rows: number; readonly offset: number; readonly afterId?: string | undefined },
): Promise<StoredExample[]> {
  const after = page.afterId === undefined ? nothing : statement`and id < ${page.afterId}`;
  return reader.all<StoredExample>(statement`select ${columns} from classifier_examples
    where workspace_id = ${workspaceId} and classifier_key = ${key} ${after}
    order by id desc limit ${page.rows} offset ${page.offset}`);
}

export async function countExamples(
  reader: Reader,
  { workspaceId, key }: ClassifierKey,
): Promise<number> {
  return countRows(
    reader,
    statement`from classifier_examples
      where workspace_id = ${workspaceId} and classifier_key = ${key}`,
  );
}

const examplesAtATime = 500;

/** All examples, oldest first, read in pages. */
export async function allExamples(reader: Reader, key: ClassifierKey): Promise<LabelledText[]> {
  const all: LabelledText[] = [];
  let afterId: string | undefined;
  for (;;) {
    const page = await examplePage(reader, key, { rows: examplesAtATime, offset: 0, afterId });
    all.push(...page.map(({ label, text }) => ({ label, text })));
    afterId = page.at(-1)?.id;
    if (page.length < examplesAtATime) return all.toReversed();
  }
}

/** The examples that the classifier does not have; an example counts once. */
export async function newExamples(
  reader: Reader,
  key: ClassifierKey,
  examples: readonly LabelledText[],
): Promise<LabelledText[]> {
  const nameOf = ({ label, text }: LabelledText): string => `${label} ${text}`;
  const known = new Set((await allExamples(reader, key)).map(nameOf));
  return examples.filter((example) => {
    const isNew = !known.has(nameOf(example));
    known.add(nameOf(example));
    return isNew;
  });
}

export async function deleteExample(
  writer: Writer,
  { workspaceId, key }: ClassifierKey,
  id: string,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`delete from classifier_examples
    where workspace_id = ${workspaceId} and classifier_key = ${key} and id = ${id}`);
  return changedRows > 0;
}

/** Forgets the text of a document that is removed; returns the classifiers that had it. */
export async function forgetDocument(
  writer: Writer,
  workspaceId: string,
  documentId: string,
): Promise<string[]> {
  const rows = await writer.all<{ key: string }>(statement`delete from classifier_examples
    where workspace_id = ${workspaceId} and document_id = ${documentId}
    returning classifier_key as key`);
  return rows.map(({ key }) => key);
}

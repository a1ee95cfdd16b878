import type { DocumentRecord, ReviewDecision } from "#client/index.ts";
import type { Action } from "../kit/places/action.ts";
import { documentName } from "./words.ts";

const numberOf = ({ documentNumber, documentId }: DocumentRecord) => documentNumber ?? documentId;

export const documentRemoval: Action<DocumentRecord, { readonly complete?: boolean | undefined }> =
  {
    question: {
      title: (document) => `Delete ${numberOf(document)}`,
      effects: (document) => [
        `the file ${documentName(document)}, its text, fields and passages`,
        "its record or workflow stays; the list of deleted ones brings it back",
      ],
      command: ({ documentId }) => [["docs", "delete", documentId], { trash: true, force: true }],
    },
    removes: true,
    run: (client, { documentId }, tenantId) =>
      client.useDocuments(tenantId).delete(documentId, { trash: true }),
    done: (document, { complete }) =>
      complete === false
        ? { failed: `${numberOf(document)} is only partly deleted; try again` }
        : `deleted ${numberOf(document)}`,
  };

export const documentRestore: Action<DocumentRecord> = {
  removes: true,
  run: (client, { documentId }, tenantId) => client.useDocuments(tenantId).restore(documentId),
  done: (document) => `restored ${numberOf(document)}`,
};

export const documentErasure: Action<DocumentRecord, { readonly complete?: boolean | undefined }> =
  {
    question: {
      title: (document) => `Erase ${numberOf(document)} for good`,
      effects: (document) => [
        `the file ${documentName(document)}, its text, fields and passages`,
        "its quotes in stored conversations, and what answers of keys and the audit log have of it",
        "backups get its id, so that a restore erases it again",
        "this cannot be undone",
      ],
      command: ({ documentId }) => [["docs", "erase", documentId], { force: true }],
      typed: numberOf,
    },
    removes: true,
    run: (client, { documentId }, tenantId) => client.useDocuments(tenantId).erase(documentId),
    done: (document, { complete }) =>
      complete === false
        ? { failed: `${numberOf(document)} is only partly erased; try again` }
        : `erased ${numberOf(document)}`,
  };

/** A label or a field that a user decides about. */
export interface ReviewSubject {
  readonly documentId: string;
  /** The name of the document for a reader. */
  readonly name: string;
  readonly target: string;
  readonly value: string;
}

export const reviewDecision: Action<{
  readonly subject: ReviewSubject;
  readonly body: ReviewDecision;
}> = {
  run: (client, { subject, body }, tenantId) => {
    const { documentId } = subject;
    return client.reviews.decide({ tenantId, params: { documentId }, body });
  },
  done: ({ subject, body }) => `${body.action}ed ${body.target} of ${subject.name}`,
};

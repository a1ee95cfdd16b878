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
        "its record or workflow stays; `svc docs restore` brings it back",
      ],
      command: ({ documentId }) => {
        const path = `/v4/data/documents/records/${encodeURIComponent(documentId)}?trash=true`;
        return [["publicapi", "delete", path]];
      },
      typed: numberOf,
    },
    removes: true,
    run: (client, { documentId }, tenantId) =>
      client.useDocuments(tenantId).delete(documentId, { trash: true }),
    done: (document, { complete }) =>
      complete === false
        ? { failed: `${numberOf(document)} is only partly deleted; try again` }
        : `deleted ${numberOf(document)}`,
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

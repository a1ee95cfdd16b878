import { columnType } from "../../../database/migration.ts";
import { statement, type Statement } from "../../../database/statement.ts";

const { text, integer, number, json, bytes } = columnType;
const made = statement`created_by ${text} not null, created_at ${text} not null`;
const changed = statement`${made}, updated_at ${text} not null`;
/** A row of a workspace that a key identifies. */
const keyed = statement`workspace_id ${text} not null, key ${text} not null`;
const keyedOnce = statement`primary key (workspace_id, key)`;

/** Classifiers with their examples and models, document types, and the review of documents. */
export const understandingTables: readonly Statement[] = [
  statement`create table classifiers (
    ${keyed},
    definition ${json} not null,
    status ${text} not null,
    version ${integer} not null,
    revision ${integer} not null,
    training_error ${text},
    ${changed},
    ${keyedOnce}
  )`,
  statement`create table classifier_examples (
    workspace_id ${text} not null,
    classifier_key ${text} not null,
    id ${text} not null,
    label ${text} not null,
    text ${text} not null,
    source ${text} not null,
    document_id ${text},
    ${made},
    primary key (workspace_id, classifier_key, id)
  )`,
  statement`create unique index classifier_examples_by_document
    on classifier_examples (workspace_id, document_id, classifier_key)
    where document_id is not null`,
  // A revision is the state of definition and examples that a model has learnt.
  statement`create table classifier_models (
    workspace_id ${text} not null,
    classifier_key ${text} not null,
    version ${integer} not null,
    revision ${integer} not null,
    metrics ${json} not null,
    model ${bytes},
    created_at ${text} not null,
    primary key (workspace_id, classifier_key, version)
  )`,
  // Text keeps the order of the fields.
  statement`create table analyzers (
    ${keyed},
    definition ${text} not null,
    version ${integer} not null,
    ${changed},
    ${keyedOnce}
  )`,
  statement`create table document_types (
    ${keyed},
    label ${text} not null,
    status ${text} not null,
    definition ${text} not null,
    version ${integer} not null,
    ${changed},
    ${keyedOnce}
  )`,
  statement`create index document_types_by_label
    on document_types (workspace_id, label, created_at) where status = 'active'`,
  // One label or field of a document that a user must look at, or has looked at.
  statement`create table document_reviews (
    workspace_id ${text} not null,
    document_id ${text} not null,
    target ${text} not null,
    kind ${text} not null,
    found ${json} not null,
    confidence ${number} not null,
    threshold ${number} not null,
    status ${text} not null,
    decided_by ${text},
    decided_at ${text},
    created_at ${text} not null,
    primary key (workspace_id, document_id, target)
  )`,
  statement`create index document_reviews_open
    on document_reviews (workspace_id, created_at, document_id, target) where status = 'open'`,
  statement`create table document_history (
    workspace_id ${text} not null,
    document_id ${text} not null,
    version ${integer} not null,
    operation ${text} not null,
    target ${text} not null,
    changes ${json} not null,
    actor ${text} not null,
    at ${text} not null,
    primary key (workspace_id, document_id, version, target)
  )`,
  statement`create table understanding_operations (
    workspace_id ${text} not null,
    id ${text} not null,
    digest ${text} not null,
    actions ${json} not null,
    ${made},
    primary key (workspace_id, id)
  )`,
  statement`create index understanding_operations_by_time
    on understanding_operations (workspace_id, created_at desc, id desc)`,
];

/** The argument of commands on one document. */
export const documentArgument = {
  name: "documentId",
  description: "Document ID: DOC-… or a UUID",
} as const;

/** The argument of commands on one job. */
export const jobArgument = { name: "jobId", description: "Job ID, from `docs upload`" } as const;

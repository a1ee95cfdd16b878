/** Addresses of the reference that the platform serves. No schema library is imported. */

export const docsPath = "/docs";

/** The reference for language models (llmstxt.org). */
export const llmsPath = "/llms.txt";

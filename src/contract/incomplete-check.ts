/** The note on a storage diagnosis that is not `complete`, in commands and in the dashboard. */
export const incompleteCheckNote =
  "the check is incomplete: run `svc serve doctor` on the platform's machine";

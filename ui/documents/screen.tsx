import { useRouter } from "../shell/use-router.tsx";
import { DocumentListScreen } from "./document-list.tsx";
import { DocumentReader } from "./document-reader.tsx";

/** The document list, or the text of one document. */
export function DocumentsScreen() {
  const { route } = useRouter();
  if (route.place === "documents" && route.documentId !== undefined) {
    const { documentId, citation } = route;
    return (
      <DocumentReader
        key={`${documentId} ${citation?.id ?? ""}`}
        documentId={documentId}
        citation={citation}
      />
    );
  }
  return <DocumentListScreen />;
}

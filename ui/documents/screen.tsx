import { useRouter } from "../shell/use-router.tsx";
import { DocumentListScreen } from "./document-list.tsx";
import { DocumentReader } from "./document-reader.tsx";

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

import { useForms } from "../../shell/forms/forms.ts";
import { usePlatform, usePlatformLink } from "../../shell/platform/use-platform.ts";
import { useRouter } from "../../shell/router.ts";
import { useCommandLines } from "../../shell/use-copy.ts";
import { typeDefinition, typeFaults, typeFields } from "./type-form.ts";

/** Returns a function that opens the form of a new Object Type, and then its empty list. */
export function useTypeCreation(): () => void {
  const { client, tenantId } = usePlatform();
  const { refresh } = usePlatformLink();
  const { go } = useRouter();
  const forms = useForms();
  const commands = useCommandLines();
  return () =>
    forms.open({
      title: "Create an Object Type",
      subject: { fields: typeFields, data: {}, check: typeFaults },
      save: async (data) => {
        const created = await client?.objectTypes.create({ tenantId, body: typeDefinition(data) });
        if (created === undefined) return undefined;
        refresh();
        go({ place: "resources", objectType: created.slug });
        return `created the Object Type ${created.slug}`;
      },
      command: (data) =>
        commands.inWorkspace(["publicapi", "post", "/v4/data/resources/object-types"], {
          data: JSON.stringify(typeDefinition(data)),
        }),
    });
}

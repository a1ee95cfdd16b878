import type { ProjectFacts, ProjectTemplate, TemplateFile } from "./template.ts";

/** The package file of a project; the libraries come with it, so that it installs offline. */
export function packageFile(
  { name, packageProfile }: ProjectFacts,
  { removesTypes, scripts }: ProjectTemplate,
): TemplateFile {
  const content = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts,
    dependencies: { svc: "file:vendor/svc" },
    ...(removesTypes ? { devDependencies: { sucrase: "file:vendor/sucrase" } } : {}),
    engines: { node: ">=20.12" },
    svc: { packageProfile },
  };
  return { path: "package.json", kind: "own", text: `${JSON.stringify(content, null, 2)}\n` };
}

export const ignoreFile: TemplateFile = {
  path: ".gitignore",
  kind: "own",
  text: "node_modules\ndist\n.env.local\n.svc/backup\n",
};

/** An Object Type to begin with; `svc types seed` publishes it. */
export const objectTypesFile: TemplateFile = {
  path: "src/eai.config/object-types.ts",
  kind: "own",
  text: `export const objectTypes = [
  {
    name: "Task",
    slug: "task",
    displayName: "Task",
    properties: {
      title: { type: "string", required: true, searchable: true, meaning: "title" },
      status: {
        type: "enum",
        enum: ["open", "done"],
        default: "open",
        indexed: true,
        meaning: "status",
        closed: ["done"],
      },
      due: { type: "date", meaning: "due" },
    },
  },
] as const;
`,
};

/** Files that a newer version of the program renews. */
export function managedFiles({ name }: ProjectFacts): readonly TemplateFile[] {
  return [
    {
      path: "AGENTS.md",
      kind: "managed",
      text: `# Working on ${name}

- \`src/eai.config/object-types.ts\` defines the Object Types. Check with \`svc types validate\`,
  compare with \`svc types diff\`, publish with \`svc types seed\`.
- \`src/eai.config/content-understanding.json\` has the classifier, the analyzer and the document type
  of an example: \`svc content-understanding validate|plan|apply\`. \`src/eai.config/invoice.json\`
  is the type alone, for \`svc docs configure-type\`.
- \`vendor/svc\` is the client library with its types: never edit it. \`svc gofer refresh\` renews it.
- \`.env.local\` has the local settings and is not committed. \`svc env pull\` fetches it.
- Run \`npm test\` and \`svc doctor\` before each commit.
`,
    },
    {
      path: ".github/workflows/deploy-demo.yml",
      kind: "managed",
      text: `name: deploy-demo
on:
  workflow_dispatch:
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
        with: { persist-credentials: false }
      - uses: actions/setup-node@v4
        with: { node-version: 20 }
      - run: npm install --no-audit --no-fund
      - run: npm test
      - run: npm run build
      - uses: actions/upload-artifact@v4
        with: { name: site, path: dist }
`,
    },
  ];
}

import { sessions } from "./sessions.ts";

/** Steps of a session at one size in one palette; all of its steps unless some are named. */
export interface Kept {
  readonly session: string;
  /** Columns and rows, as `80x24`. */
  readonly size: string;
  readonly palette: string;
  readonly steps?: readonly string[];
}

/** The pictures that the repository has. */
export const kept: readonly Kept[] = [
  { session: "newcomer", size: "80x24", palette: "dark" },
  { session: "operator", size: "120x40", palette: "dark" },
  {
    session: "newcomer",
    size: "120x40",
    palette: "light",
    steps: ["03-sample-data", "06-record", "08-form", "12-answer"],
  },
  {
    session: "operator",
    size: "80x24",
    palette: "contrast",
    steps: ["01-home", "03-overdue", "08-action-preview", "14-reader", "18-palette"],
  },
  { session: "operator", size: "40x12", palette: "dark", steps: ["01-home", "03-overdue"] },
  { session: "operator", size: "60x20", palette: "light", steps: ["01-home", "03-overdue"] },
  {
    session: "operator",
    size: "200x60",
    palette: "dark",
    steps: ["02-workspaces", "03-overdue", "20-operations"],
  },
  { session: "reader", size: "120x40", palette: "light", steps: ["06-picture"] },
  { session: "operator", size: "240x80", palette: "dark", steps: ["01-home"] },
];

/** The page that shows the kept pictures. */
export function galleryOf(pictures: readonly Kept[]): string {
  const sections = pictures.map(({ session: name, size, palette, steps }) => {
    const session = sessions.find((each) => each.name === name);
    const shown = (session?.steps ?? []).filter(
      (step) => steps === undefined || steps.includes(step.name),
    );
    const lines = shown.map(
      (step) => `${step.words}\n\n![${step.words}](${size}-${palette}/${name}-${step.name}.png)\n`,
    );
    return `## ${session?.words ?? name}: ${size}, ${palette}\n\n${lines.join("\n")}`;
  });
  return [
    "# Screens of the dashboard\n",
    "`npm run screens` plays these sessions in a real pseudo-terminal, and draws them. `npm run screens -- --all`",
    "draws every step at 40x12, 60x20, 80x24, 120x40, 200x60 and 240x80 in a dark, a light and a high-contrast",
    "palette, to `dist/screens`.\n",
    sections.join("\n"),
  ].join("\n");
}

/** The colours of a terminal whose screens are drawn. */
export interface TerminalPalette {
  readonly name: string;
  readonly foreground: string;
  readonly background: string;
  /** Its 16 colours: black, red, green, yellow, blue, magenta, cyan, white and bright ones. */
  readonly colours: readonly string[];
  /** The environment of a program that runs in it. */
  readonly env: Readonly<Record<string, string>>;
}

const dark: TerminalPalette = {
  name: "dark",
  foreground: "#d7dce2",
  background: "#161b22",
  colours: [
    ..."#484f58 #ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #b1bac4".split(" "),
    ..."#6e7681 #ffa198 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #f0f6fc".split(" "),
  ],
  env: {},
};

const light: TerminalPalette = {
  name: "light",
  foreground: "#1f2328",
  background: "#fbfbfa",
  colours: [
    ..."#24292f #cf222e #116329 #4d2d00 #0969da #8250df #1b7c83 #6e7781".split(" "),
    ..."#57606a #a40e26 #1a7f37 #633c01 #218bff #a475f9 #3192aa #8c959f".split(" "),
  ],
  env: {},
};

export const palettes: readonly TerminalPalette[] = [
  dark,
  light,
  {
    ...dark,
    name: "contrast",
    foreground: "#ffffff",
    background: "#000000",
    env: { SVC_SKIN: "contrast" },
  },
];

const cubeLevels = [0, 95, 135, 175, 215, 255];

/** The colour of a cell as `#rrggbb`: a number of the 256 colours, or 0xRRGGBB. */
export function cellColour(colour: number, palette: TerminalPalette): string {
  if (colour < 16) return palette.colours[colour] ?? palette.foreground;
  if (colour > 255) return hex([colour >> 16, (colour >> 8) & 255, colour & 255]);
  if (colour >= 232) return hex(Array.from({ length: 3 }, () => 8 + (colour - 232) * 10));
  const cube = colour - 16;
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level));
}

function level(step: number): number {
  return cubeLevels[step] ?? 0;
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

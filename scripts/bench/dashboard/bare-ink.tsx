// The baseline of the dashboard: a compiled Ink program with a list and nothing else.
import { Box, render, Text, useInput } from "ink";
import { useState } from "react";

const count = 5_000;
const shown = process.stdout.rows - 2;

function List() {
  const [selected, select] = useState(0);
  useInput((input, key) => {
    if (input === "q") process.exit(0);
    if (key.downArrow) select((at) => Math.min(count - 1, at + 1));
    if (key.upArrow) select((at) => Math.max(0, at - 1));
  });
  const top = Math.max(0, selected - shown + 1);
  return (
    <Box flexDirection="column">
      {Array.from({ length: shown }, (_, row) => top + row).map((at) => (
        <Text key={at} inverse={at === selected} wrap="truncate">
          {`${at === selected ? "▸" : " "} B-${String(at).padStart(8, "0")}  ${at % 400} Quay Street`}
        </Text>
      ))}
    </Box>
  );
}

render(<List />, { alternateScreen: true, incrementalRendering: true, maxFps: 30 });

// The baseline of every start: a compiled program that does nothing.
export {};

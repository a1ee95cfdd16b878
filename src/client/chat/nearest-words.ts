/** The line above passages that are near a question without answering it. */
export const nearestWords = "The nearest passages, which may not answer it:";

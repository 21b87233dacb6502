import classes from "./marked.module.css"

/** Words with what was typed marked in them: the whole text where it stands together, else its first word. */
export function Marked({ words, text }: { words: string; text: string }) {
  const lower = words.toLocaleLowerCase()
  const wanted = [text, text.split(" ")[0] ?? ""].map((part) => part.toLocaleLowerCase())
  const found = wanted.find((part) => part !== "" && lower.includes(part))
  // Lower-casing can change a text's length (İ): then nothing is marked rather than the wrong letters.
  if (found === undefined || lower.length !== words.length) return words
  const from = lower.indexOf(found)
  return (
    <>
      {words.slice(0, from)}
      <mark className={classes.mark}>{words.slice(from, from + found.length)}</mark>
      {words.slice(from + found.length)}
    </>
  )
}

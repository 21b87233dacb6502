/** A service's words as a sentence: with a full stop, unless they end in a sign of their own. */
export function asSentence(words: string): string {
  const text = words.trim()
  return text === "" || /[.!?:…]$/.test(text) ? text : `${text}.`
}

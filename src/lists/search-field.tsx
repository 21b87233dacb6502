import { IconSearch, IconX } from "@tabler/icons-react"
import { useEffect, useRef, useState } from "react"
import classes from "./search-field.module.css"

interface SearchFieldProps {
  /** What it looks at: "Name or e-mail". */
  label: string
  /** As it stands in the address. */
  value: string
  onSearch: (value: string) => void
  maxLength: number
}

/** How long the typing rests before the list is asked, in ms. */
const rest = 250

/** The search of a list. What is typed goes to the address when the typing rests, on Enter and on leaving. */
export function SearchField({ label, value, onSearch, maxLength }: SearchFieldProps) {
  const { text, type, commit, clear } = useRestedText(value, onSearch)
  return (
    <div className={classes.field}>
      <IconSearch size={16} stroke={1.75} aria-hidden className={classes.icon} />
      <input
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        data-list-search
        className={classes.input}
        aria-label={`Search: ${label}`}
        placeholder={label}
        maxLength={maxLength}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit()
          if (event.key === "Escape" && text !== "") clear()
        }}
      />
      {text !== "" && (
        <button type="button" className={classes.clear} aria-label="Clear the search" onClick={clear}>
          <IconX size={14} stroke={2} aria-hidden />
        </button>
      )}
    </div>
  )
}

/**
 * The text of the field: the address's, except while somebody types. A change from elsewhere (Back, Clear) is
 * taken over unless it is what was typed.
 */
function useRestedText(value: string, onSearch: (value: string) => void) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [typing, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (seen !== value) {
    setSeen(value)
    if (!typing && text.trim() !== value) setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  // The address may have moved on while the typing rested.
  const current = useRef(value)
  useEffect(() => {
    current.current = value
  }, [value])

  const send = (next: string) => {
    clearTimeout(timer.current)
    setTyping(false)
    if (next.trim() !== current.current) onSearch(next.trim())
  }
  return {
    text,
    type: (next: string) => {
      setText(next)
      setTyping(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => send(next), rest)
    },
    commit: () => {
      if (typing) send(text)
    },
    clear: () => {
      setText("")
      send("")
    },
  }
}

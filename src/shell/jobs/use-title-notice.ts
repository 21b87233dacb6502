import { useEffect } from "react"

/** Puts words before the window's title for as long as there are some; a page that changes its title keeps them. */
export function useTitleNotice(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined) return undefined
    const prefix = `${words} · `
    const put = () => {
      if (!document.title.startsWith(prefix)) document.title = prefix + document.title
    }
    put()
    const head = document.querySelector("title")
    const observer = new MutationObserver(put)
    if (head !== null) observer.observe(head, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      if (document.title.startsWith(prefix)) document.title = document.title.slice(prefix.length)
    }
  }, [words])
}

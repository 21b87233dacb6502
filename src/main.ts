const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no #root.")
if (isTooOld()) {
  showMessage(
    "This browser is too old for Laurel. Nothing was loaded or changed. Update it, or use a current Chrome, Edge, Firefox or Safari.",
  )
} else {
  import("./start.tsx").then(({ start }) => start(root)).catch(showFailure)
}

/** Features that every page needs and no polyfill provides: browsers since 2024 have them. */
function isTooOld(): boolean {
  return !("withResolvers" in Promise && "groupBy" in Map && "popover" in HTMLElement.prototype)
}

/** Error page for a missing file of the app, which must not need any of them. */
function showFailure(error: unknown): void {
  const reload = document.createElement("button")
  reload.textContent = "Reload"
  reload.style.font = "inherit"
  reload.addEventListener("click", () => window.location.reload())
  showMessage(
    "Laurel didn’t load: one of its files didn’t arrive. Nothing was lost. Check your connection, then reload. ",
    reload,
  )
  reload.focus()
  reportError(error)
}

function showMessage(...content: (string | Node)[]): void {
  const notice = document.createElement("p")
  notice.setAttribute("role", "alert")
  notice.style.cssText = "margin:2rem;font:1rem/2 system-ui"
  notice.append(...content)
  document.getElementById("root")?.replaceChildren(notice)
}

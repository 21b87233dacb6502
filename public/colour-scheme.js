// Sets the colour scheme and the density before the first paint. A file of its own, because the content
// security policy allows no script inside the page. The keys are those of src/shell/preferences.ts.
;(function () {
  var root = document.documentElement
  var scheme = "auto"
  var density = "compact"
  try {
    scheme = localStorage.getItem("laurel-colour-scheme") || scheme
    density = localStorage.getItem("laurel-density") || density
  } catch (error) {
    // Storage is blocked: the system's scheme and compact rows.
  }
  var dark = scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches)
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light")
  root.setAttribute("data-density", density === "roomy" ? "roomy" : "compact")
})()

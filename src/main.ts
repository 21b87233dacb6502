/**
 * The app's code is on its way (bff/http/page.ts) and runs once what the server painted is to be seen: running it takes
 * longer than a frame. A window that is covered paints nothing.
 */
const start = () => void import("./start.tsx")
requestAnimationFrame(() => setTimeout(start))
setTimeout(start, 100)

import { afterPaint } from "./lib/after-paint.ts"

// The app's code is on its way (bff/http/page.ts) and runs once what the server painted is to be seen: running it takes
// longer than a frame.
afterPaint(() => void import("./start.tsx"))

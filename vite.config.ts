import { mkdirSync } from "node:fs"
import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { msw } from "msw/vite"
import { defineConfig } from "vite"

// The router's plugin writes here before it moves the finished file into place (tsr.config.json, tmpDir).
mkdirSync(new URL("node_modules/.cache/routes", import.meta.url), { recursive: true })

// A route's loader travels with its page, so that the sign-in page does not carry what the others read.
const routeParts: ("loader" | "component" | "pendingComponent" | "errorComponent" | "notFoundComponent")[] = [
  "loader",
  "component",
  "pendingComponent",
  "errorComponent",
  "notFoundComponent",
]

/**
 * The desk (`vite build` → dist/desk) and the demo (`vite build --mode demo` → dist/demo), which is the same desk
 * with a service worker in the server's place. Route settings stand in tsr.config.json.
 */
export default defineConfig(({ mode }) => {
  const demo = mode === "demo"
  return {
    plugins: [
      tanstackRouter({ codeSplittingOptions: { defaultBehavior: [routeParts] } }),
      react(),
      demo && msw({ mode: "worker-only" }),
    ],
    build: {
      outDir: demo ? "dist/demo" : "dist/desk",
      emptyOutDir: true,
      // The size of a page's first view is measured from it.
      manifest: true,
      // The chart is one chunk that only opens with a ledger; the demo carries both services.
      chunkSizeWarningLimit: 1500,
      // Every browser we support preloads modules by itself.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
              {
                name: "framework",
                test: /node_modules[\\/]@tanstack[\\/](react-)?(query|router|history|store)/,
              },
              // Outlines of half a kilobyte each: one request for those that several pages show.
              { name: "icons", test: /node_modules[\\/]@tabler[\\/]/, minShareCount: 3 },
              // What every list page is made of: shared with fewer pages, it would come in dozens of small files.
              {
                name: "list",
                includeDependenciesRecursively: false,
                test: /src[\\/](list[\\/](?!virtual-body|columns-chooser|days-choice|text-choice|list-params)|ui[\\/](tip|place-tip|drop|place-drop|icon-button|status|points|page-header|table-head|empty-state|as-of|ago|cut))/,
              },
            ],
          },
        },
      },
    },
    server: { proxy: { "/api": "http://127.0.0.1:3000" } },
  }
})

// React by itself, so that it can start before the rest of the app has arrived (main.ts).
import "react-dom/client"

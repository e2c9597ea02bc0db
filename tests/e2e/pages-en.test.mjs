/** What every page must do, in English and in both themes. */
import { pagesIn } from "./pages.mjs";

pagesIn("en-US");

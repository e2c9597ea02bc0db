/** What every page must do, in Chinese and in both themes. */
import { pagesIn } from "./pages.mjs";

pagesIn("zh-CN");

/* The way to the report: a panel is added from its menu, and a button in the header opens what was chosen. */
import * as exports from "rs/draw/exports.js";
import { codeOf, svgOf } from "rs/draw/publish/figure.js";
import { expose } from "rs/lib/handle.js";

expose({ figures: () => ({ ...exports, codeOf, svgOf }) });

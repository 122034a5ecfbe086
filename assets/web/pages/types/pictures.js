/* The maps that are on the page. */

/** @import { Picture } from "rs/pages/types/map.js" */
/** @import { Which } from "rs/pages/types/types.d.ts" */

/** @type {Partial<Record<Which, Picture>>} */
export const pictures = {}; // which -> TypeMap

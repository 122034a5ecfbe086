/* The maps that are on the page. */

export const pictures = {}; // which -> TypeMap

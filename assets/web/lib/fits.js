/* What is declared of how a map was fitted. */

/**
 * @param {{parameters: Record<string, unknown>}} info
 * @param {string} name
 */
export const parameter = (info, name) => (info.parameters[name] === undefined ? null : info.parameters[name]);

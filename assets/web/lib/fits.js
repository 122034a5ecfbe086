/* What is declared of how a map was fitted. */

export const parameter = (info, name) => (info.parameters[name] === undefined ? null : info.parameters[name]);

/* Views that people keep. */

/** Opens the dialog. */
export function open() {}

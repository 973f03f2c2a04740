/** The process's environment: read here, and handed on by argument. */

/** Variables by name, as they are now. */
export const environment = (): Readonly<Record<string, string | undefined>> => ({ ...process.env });

/** Errors of the operating system, as Node creates them. */

/** Without `syscall`, it is unknown what failed. */
export const systemError = (code: string, syscall?: string) =>
  Object.assign(new Error(syscall === undefined ? code : `${syscall} ${code}`), {
    code,
    syscall: syscall || undefined,
  });

export const connecting = (code: string) => systemError(code, 'connect');

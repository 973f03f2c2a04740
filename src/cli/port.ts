/** A TCP port as it is written on the command line. */
import { Fault } from '../base/fault.ts';

export const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Fault('command.malformed', { why: `"${text}" is not a TCP port, 0 to 65535` });
};

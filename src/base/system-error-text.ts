/**
 * Why the operating system could not connect, listen or continue, in words; its own codes mean nothing to a cashier.
 */

const textsByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name is not known',
  EAI_FAIL: 'the name server could not answer',
  EHOSTUNREACH: 'no route to it',
  EHOSTDOWN: 'no route to it',
  ENETUNREACH: 'no route to it',
  ENETDOWN: 'the network of this machine is down',
  ETIMEDOUT: 'it did not answer the connection',
  ECONNRESET: 'the other end cut it',
  EPIPE: 'the other end is gone',
  EADDRINUSE: 'another program has it',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not use it',
};

/** What a code means in a particular call. Windows reports EACCES for a connection that its firewall blocks. */
const textsByCall: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  connect: {
    EACCES: 'a firewall does not let this program connect',
    EPERM: 'a firewall does not let this program connect',
    EADDRNOTAVAIL: 'this machine has no address or port to connect from',
  },
};

/** The calls before a connection exists, and the text for codes without one. */
const beforeConnection: Readonly<Record<string, string>> = {
  connect: 'the connection could not be made',
  getaddrinfo: 'its name could not be looked up',
};

/** The platform's own code of an error, such as `EEXIST`; empty if it has none. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Whether this system call failed before there was a connection. */
export const isBeforeConnection = ({ syscall }: { syscall?: unknown }): boolean =>
  typeof syscall === 'string' && Object.hasOwn(beforeConnection, syscall);

/** Why it failed; if several addresses were tried, each cause once. An error that has no text here keeps its own. */
export const systemErrorText = (error: unknown, platform: NodeJS.Platform = process.platform): string => {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map((each) => systemErrorText(each, platform)))].join(', ');
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, port, address } = error as Partial<Record<'code' | 'syscall' | 'port' | 'address', unknown>>;
  const call = typeof syscall === 'string' ? syscall : '';
  if (call === 'listen' && code === 'EACCES' && port !== undefined) return refusedPort(platform);
  if (call === 'connect' && isPath(address) && (code === 'EACCES' || code === 'EPERM')) return otherUsersSocket;
  const specificText = lookUpText(textsByCall[call] ?? {}, code) ?? lookUpText(textsByCode, code);
  const generalText = lookUpText(beforeConnection, call);
  return (
    specificText ??
    (generalText === undefined ? error.message : `${generalText} (${String(code ?? 'without a reason')})`)
  );
};

const lookUpText = (table: Readonly<Record<string, string>>, code: unknown): string | undefined =>
  typeof code === 'string' && Object.hasOwn(table, code) ? table[code] : undefined;

const otherUsersSocket = 'another user of this machine has it';

/** A local socket or a pipe, which no firewall watches. */
const isPath = (address: unknown): boolean => typeof address === 'string' && /[/\\]/.test(address);

/** A port where this user may not listen: on Windows a reserved one, elsewhere one below 1024. */
const refusedPort = (platform: NodeJS.Platform): string =>
  platform === 'win32'
    ? 'Windows has reserved this port, or another program has it alone. Reserved ones are listed by ' +
      '“netsh interface ipv4 show excludedportrange protocol=tcp”: give a port outside of them, or 0 for a free one'
    : 'this user may not listen at this port: give one from 1024 up, or 0 for a free one';

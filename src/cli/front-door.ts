/**
 * How a command reaches the till of its folder: always by the local API. Where a till is served the requests go over
 * its owner's socket; otherwise the command opens the till itself, and answers its own requests within this process.
 */
import manifest from '../../package.json' with { type: 'json' };
import { openOwnTill } from '../app/own-till.ts';
import { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { systemWords } from '../base/system-words.ts';
import { fetchOver, findOwner } from '../owner/client.ts';
import { openSession, type TillSession, type Visitor } from './api-client.ts';
import { type PersonFlags, signInOf } from './person.ts';
import { folderOf } from './till-folder.ts';
import { openingOf, type TillFlags, tellOpened } from './till-options.ts';

export type ApiFlags = TillFlags & PersonFlags;

/** `shown`: what people and programs are told of the till's mode. */
export type CommandSession = Pick<TillSession, 'api' | 'state'> & { shown: DisplayMode };

/**
 * Signs in at the till of the folder, runs `work`, and leaves it as it was. Throws as `openingOf` and `openSession`
 * do, `till.unreachable`, and `command.malformed` where an option is for a till that is not served.
 */
export const withTillApi = async <T>(flags: ApiFlags, work: (till: CommandSession) => Promise<T>): Promise<T> => {
  const folder = folderOf(flags);
  const served = await findOwner(folder).catch((error: unknown) => {
    throw new Fault('till.unreachable', { data: folder, why: systemWords(error) }, error);
  });
  if (served === undefined) return withOwnTill(flags, work);
  refuseOpeningFlags(flags);
  return visit(fetchOver(served.socket), { who: await signInOf(flags), code: served.now.code }, work);
};

const withOwnTill = async <T>(flags: ApiFlags, work: (till: CommandSession) => Promise<T>): Promise<T> => {
  const own = await openOwnTill({ ...(await openingOf(flags)), version: manifest.version });
  try {
    tellOpened(own.running);
    const transport = (address: string, request: RequestInit) => own.fetch(requestOf(address, request));
    return await visit(transport, { who: await signInOf(flags), code: own.startCode() }, work);
  } finally {
    await own.close();
  }
};

/** With the header Host, which a connection would bring. */
export const requestOf = (address: string, init: RequestInit): Request => {
  const request = new Request(address, init);
  request.headers.set('host', new URL(address).host);
  return request;
};

const visit = async <T>(
  transport: Parameters<typeof openSession>[0],
  visitor: Visitor,
  work: (till: CommandSession) => Promise<T>,
): Promise<T> => {
  const session = await openSession(transport, visitor);
  try {
    return await work({ ...session, shown: session.state.shop.mode });
  } finally {
    await session.end();
  }
};

const OPENING = ['terminal', 'gateway', 'channel', 'record'] as const;

/** A served till has its terminal and its gateway already. */
const refuseOpeningFlags = (flags: TillFlags): void => {
  const given = OPENING.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  const instead = 'leave it out, or end that till first with "till stop"';
  const why = `a till is served from this folder, and --${given} counts only when one is started: ${instead}`;
  throw new Fault('command.malformed', { why });
};

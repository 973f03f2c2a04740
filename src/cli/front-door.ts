/**
 * How a command reaches the till of its folder: always by the local API. Where a till is served the requests go over
 * its owner's socket; otherwise the command opens the till itself, and answers its own requests within this process.
 */
import manifest from '../../package.json' with { type: 'json' };
import type { Permission, Role } from '../api/contract/roles.ts';
import { type OwnTill, openOwnTill } from '../app/own-till.ts';
import type { TillOptions } from '../app/start-till.ts';
import { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { systemWords } from '../base/system-words.ts';
import { fetchOver, findOwner } from '../owner/client.ts';
import { type ApiTransport, got, openSession, type TillSession, type Visitor } from './api-client.ts';
import { type PersonFlags, signInOf } from './person.ts';
import { tell } from './terms.ts';
import { folderOf, tellPlainAddress } from './till-folder.ts';
import { openingOf, type TillFlags, tellOpened } from './till-options.ts';

export type ApiFlags = TillFlags & PersonFlags;

export type CommandSession = Pick<TillSession, 'api' | 'state' | 'sign'> & {
  /** Who signed in, where people are known. */
  who?: Visitor['who'];
  /** What people and programs are told of the till's mode. */
  shown: DisplayMode;
  /** Sends what is due. Undefined where there is nothing to send, and at a served till, which sends by itself. */
  sendStored(): Promise<Drained | undefined>;
};

type Drained = Awaited<ReturnType<OwnTill['running']['forwarder']['drain']>>;
type SendStored = CommandSession['sendStored'];

/**
 * Signs in at the till of the folder, runs `work`, and leaves it as it was. Throws as `openingOf` and `openSession`
 * do, `till.unreachable`, and `command.malformed` where an option is for a till that is not served.
 */
export const withTillApi = async <T>(flags: ApiFlags, work: (till: CommandSession) => Promise<T>): Promise<T> => {
  const served = await withServedTill(flags, work);
  return served === undefined ? withOwnTill(flags, work) : served.result;
};

/** The same when a till is served from the folder. Does nothing when none is served. */
export const withServedTill = async <T>(
  flags: ApiFlags,
  work: (till: CommandSession) => Promise<T>,
): Promise<{ result: T } | undefined> => {
  const folder = folderOf(flags);
  const served = await findOwner(folder).catch((error: unknown) => {
    throw new Fault('till.unreachable', { data: folder, why: systemWords(error) }, error);
  });
  if (served === undefined) return undefined;
  refuseOpeningFlags(flags);
  const way = { transport: fetchOver(served.socket), sendStored: async () => undefined };
  const visitor = { who: await signInOf(flags), code: served.now.code };
  const result = await visit(way, visitor, async (till) => {
    await tellServed(till);
    return work(till);
  });
  return { result };
};

/** Prints the warnings of a running till. `tellOpened` prints them for a till that the command opens. */
const tellServed = async ({ api, state }: CommandSession): Promise<void> => {
  const { signedIn, shop } = state;
  const may = (permission: Permission): boolean => signedIn?.permissions.includes(permission) === true;
  if (may('goLive')) {
    const { found } = await got(api['going-live'].found.$get());
    if (found !== undefined) tell(`This till is live. ${found.says}`);
  }
  if (shop.plainUsed !== true) return;
  const { plainHttp } = may('placeTill') ? await got(api.machine.$get()) : {};
  tellPlainAddress(plainHttp?.address);
};

const withOwnTill = async <T>(flags: ApiFlags, work: (till: CommandSession) => Promise<T>): Promise<T> =>
  atOwnTill(await openingOf(flags), { signIn: () => signInOf(flags), work });

type AtOwnTill<T> = { signIn(): Promise<Visitor['who']>; work(till: CommandSession): Promise<T> };

/** Opens a till, signs in at it, runs `work` and closes it whatever happens. */
export const atOwnTill = async <T>(options: TillOptions, { signIn, work }: AtOwnTill<T>): Promise<T> => {
  const own = await openOwnTill({ ...options, version: manifest.version });
  try {
    tellOpened(own.running);
    const transport = (address: string, request: RequestInit) => own.fetch(requestOf(address, request));
    const { outbox, forwarder } = own.running;
    const sendStored = async () => (outbox.nextAt() === undefined ? undefined : forwarder.drain());
    return await visit({ transport, sendStored }, { who: await signIn(), code: own.startCode() }, work);
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
  { transport, sendStored }: { transport: ApiTransport; sendStored: SendStored },
  visitor: Visitor,
  work: (till: CommandSession) => Promise<T>,
): Promise<T> => {
  const session = await openSession(transport, visitor);
  try {
    return await work({ ...session, who: visitor.who, shown: session.state.shop.mode, sendStored });
  } finally {
    await session.end();
  }
};

/** Who answers for it by name. Throws `staff.nobody` where no people are known. */
export const signedPerson = ({ state }: CommandSession): { name: string; role: Role } => {
  const { name, role } = state.signedIn ?? {};
  if (name === undefined || role === undefined) throw new Fault('staff.nobody');
  return { name, role };
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

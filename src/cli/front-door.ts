/**
 * How a command reaches the till of its folder: always through the local API. The requests go to the running till over
 * its owner's socket. If none is running, the command opens the till itself and sends them within this process.
 */
import manifest from '../../package.json' with { type: 'json' };
import type { Permission, Role } from '../api/contract/roles.ts';
import { type OwnTill, openOwnTill } from '../app/own-till.ts';
import type { TillOptions } from '../app/start-till.ts';
import { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { fetchOver } from '../owner/client.ts';
import { type ApiTransport, openSession, type TillSession, unwrap, type Visitor } from './api-client.ts';
import { malformed } from './arguments.ts';
import { type PersonFlags, signInOf } from './person.ts';
import { tell } from './terms.ts';
import { type CommandResult, folderOf, ownerOf, showResult, warnOfPlainAddress } from './till-folder.ts';
import { openingOf, type TillFlags, warnAtOpenedTill } from './till-options.ts';

export type ApiFlags = TillFlags & PersonFlags;

export type CommandSession = Pick<TillSession, 'api' | 'state' | 'sign'> & {
  /** Who signed in. Absent at a till without people. */
  who?: Visitor['who'];
  shown: DisplayMode;
  /** Prints the result of the command: as JSON if `--json` asks for it. */
  show(result: CommandResult): void;
  /** Sends the messages that are due. Undefined if there are none, and at a running till, which sends by itself. */
  sendStored(): Promise<Drained | undefined>;
};

type Drained = Awaited<ReturnType<OwnTill['running']['forwarder']['drain']>>;
type SendStored = CommandSession['sendStored'];

/**
 * Signs in at the till of the folder, runs `work` and signs out. Throws as `openingOf` and `openSession` do,
 * `till.unreachable`, and `command.malformed` for an option that a running till cannot take.
 */
export const withTillApi = async <T>(flags: ApiFlags, work: (till: CommandSession) => Promise<T>): Promise<T> => {
  const served = await withServedTill(flags, work);
  return served === undefined ? withOwnTill(flags, work) : served.result;
};

/** The same at a running till. Does nothing if none is running on the folder. */
export const withServedTill = async <T>(
  flags: ApiFlags,
  work: (till: CommandSession) => Promise<T>,
): Promise<{ result: T } | undefined> => {
  const folder = folderOf(flags);
  const served = await ownerOf(folder);
  if (served === undefined) return undefined;
  refuseOpeningFlags(flags);
  const way = { transport: fetchOver(served.socket), sendStored: async () => undefined };
  const visitor = { who: await signInOf(flags), code: served.now.code };
  const result = await visit(way, { visitor, flags }, async (till) => {
    await warnAtServedTill(till);
    return work(till);
  });
  return { result };
};

/** Prints the warnings that `warnAtOpenedTill` prints for a till that the command opens. */
const warnAtServedTill = async ({ api, state }: CommandSession): Promise<void> => {
  const { signedIn, shop } = state;
  const may = (permission: Permission): boolean => signedIn?.permissions.includes(permission) === true;
  if (may('goLive')) {
    const { found } = await unwrap(api['going-live'].found.$get());
    if (found !== undefined) tell(`This till is live. ${found.says}`);
  }
  if (shop.plainUsed !== true) return;
  const { plainHttp } = may('placeTill') ? await unwrap(api.machine.$get()) : {};
  warnOfPlainAddress(plainHttp?.address);
};

const withOwnTill = async <T>(flags: ApiFlags, work: (till: CommandSession) => Promise<T>): Promise<T> =>
  atOwnTill(await openingOf(flags), { flags, work });

type AtOwnTill<T> = { flags: ApiFlags; work(till: CommandSession): Promise<T> };

/** Opens a till, signs in at it, runs `work` and closes it whatever happens. */
export const atOwnTill = async <T>(options: TillOptions, { flags, work }: AtOwnTill<T>): Promise<T> => {
  const own = await openOwnTill({ ...options, version: manifest.version });
  try {
    warnAtOpenedTill(own.running);
    const transport = (address: string, request: RequestInit) => own.fetch(requestOf(address, request));
    const { outbox, forwarder } = own.running;
    const sendStored = async () => (outbox.nextAt() === undefined ? undefined : forwarder.drain());
    const visitor = { who: await signInOf(flags), code: own.startCode() };
    return await visit({ transport, sendStored }, { visitor, flags }, work);
  } finally {
    await own.close();
  }
};

/** Adds the Host header, which a connection would add. */
export const requestOf = (address: string, init: RequestInit): Request => {
  const request = new Request(address, init);
  request.headers.set('host', new URL(address).host);
  return request;
};

const visit = async <T>(
  { transport, sendStored }: { transport: ApiTransport; sendStored: SendStored },
  { visitor, flags }: { visitor: Visitor; flags: ApiFlags },
  work: (till: CommandSession) => Promise<T>,
): Promise<T> => {
  const session = await openSession(transport, visitor);
  try {
    const shown = session.state.shop.mode;
    const show = (result: CommandResult): void => showResult(shown, flags.json, result);
    return await work({ ...session, who: visitor.who, shown, show, sendStored });
  } finally {
    await session.end();
  }
};

/** Who signed in. Throws `staff.nobody` at a till without people. */
export const signedPerson = ({ state }: CommandSession): { name: string; role: Role } => {
  const { name, role } = state.signedIn ?? {};
  if (name === undefined || role === undefined) throw new Fault('staff.nobody');
  return { name, role };
};

const OPENING = ['terminal', 'gateway', 'channel', 'record'] as const;

/** A running till already has its terminal and its gateway. */
const refuseOpeningFlags = (flags: TillFlags): void => {
  const given = OPENING.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  const instead = 'leave it out, or stop that till first with "till stop"';
  const why = `a till is served from this folder, and --${given} counts only when one is started: ${instead}`;
  throw malformed(why);
};

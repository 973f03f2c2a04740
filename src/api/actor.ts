/** Who carries out a request, and whether they may. */
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { permissionWords } from '../locales/messages/en/permissions.ts';
import type { Permission } from './contract/roles.ts';
import type { SignedIn } from './contract/session.ts';
import type { Actor, Sessions } from './ports/session.ts';

/** What the guards at the door leave for the routes behind it. */
export type Env = {
  Bindings: {
    /** Aborted, with a fault as its reason, once the till waits for this request: to be opened anew, or to end. */
    ends?: AbortSignal;
    /** It came from a command, over the owner's socket or within the process: by no port that a browser reaches. */
    owner?: true;
  };
  Variables: {
    /** Of the till that answers: a session that trains is answered by another one. */
    mode: DisplayMode;
    actor: Actor;
    session?: SignedIn;
    token?: string;
    /** Names of the two people who answer for the request; empty as long as the till knows no people. */
    signedBy?: readonly string[];
    /** The origin of a program's page, which may read the answer: also a refusal. */
    readableFor?: string;
    /** What the route promises to answer, and what each answer is checked by in tests. */
    answerSchema?: z.ZodType;
    answerCheck?: (value: unknown, schema: z.ZodType | undefined) => void;
  };
};

type Words = Pick<Sessions, 'spendOverride'>;
type ApprovedEnv = Env & { Variables: { approver: Actor } };

/** Aborted when nobody waits for the answer any more: whoever asked has gone, or the till waits for this request. */
export const goneOf = ({ req, env }: Context<Env>): AbortSignal => {
  const ends = env?.ends;
  return ends === undefined ? req.raw.signal : AbortSignal.any([req.raw.signal, ends]);
};

/**
 * Lets only those through whose role has the permission, or who bring a manager's word for it in `X-Override`. `keyOf`:
 * of a request that its key makes one and the same however often it is sent. Throws `session.notAllowed`.
 */
export const may = (
  permission: Permission,
  sessions: Words,
  keyOf?: (context: Context) => string,
): MiddlewareHandler<Env> =>
  describeGuard<MiddlewareHandler<Env>>(
    async (context, next) => {
      const actor = context.get('actor');
      const allowing = allowingOne(actor, permission, () => spendApproval(context, permission, { sessions, keyOf }));
      // The request stays the program's: its keys are its own.
      const { program } = actor;
      if (allowing !== actor) context.set('actor', program === undefined ? allowing : { ...allowing, program });
      await next();
    },
    { of: 'permission', permission },
  );

/**
 * As `may`, for what lasts beyond the request: it stays that of whoever makes it, and the manager whose word it took is
 * `approver`. Whoever has the permission approves by doing it.
 */
export const mayIfApproved = (permission: Permission, sessions: Words): MiddlewareHandler<ApprovedEnv> =>
  describeGuard<MiddlewareHandler<ApprovedEnv>>(
    async (context, next) => {
      const spend = () => spendApproval(context, permission, { sessions });
      context.set('approver', allowingOne(context.get('actor'), permission, spend));
      await next();
    },
    { of: 'permission', permission },
  );

/**
 * Lets only two people through, who both may: whoever is signed in, and another one whose approval is in `X-Override`.
 * Throws `session.notAllowed`, `staff.needed` without a second person, and `export.onePerson`.
 */
export const twoPeople = (permission: Permission, sessions: Words): MiddlewareHandler<Env> =>
  describeGuard<MiddlewareHandler<Env>>(
    async (context, next) => {
      const actor = context.get('actor');
      const { name, program, permissions } = actor;
      if (program !== undefined || !permissions.includes(permission)) throw notAllowed(actor, permission);
      const second = name === undefined ? undefined : spendApproval(context, permission, { sessions });
      if (name !== undefined && second === undefined)
        throw new Fault('staff.needed', { what: permissionWords[permission] });
      if (name !== undefined && second?.name === name) throw new Fault('export.onePerson', { name });
      context.set(
        'signedBy',
        [name, second?.name].flatMap((one) => one ?? []),
      );
      await next();
    },
    { of: 'permission', permission },
  );

/** One for each permission that a request could need. */
const APPROVALS_MOST = 8;

/** `X-Override`: a manager's word, or several of them parted by commas, each for a permission of its own. */
export const approvalsIn = (context: Context): string[] =>
  (context.req.header('x-override') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, APPROVALS_MOST);

type Spending = { sessions: Words; keyOf?: ((context: Context) => string) | undefined };

/** Uses up the first word that is good for this permission; gives whose it was. */
export const spendApproval = (
  context: Context,
  permission: Permission,
  { sessions, keyOf }: Spending,
): Actor | undefined => {
  for (const word of approvalsIn(context)) {
    const manager = sessions.spendOverride(word, permission, keyOf?.(context));
    if (manager !== undefined) return manager;
  }
  return undefined;
};

/** What a refusal says of whom, and for want of which permission. */
export const notAllowed = ({ name, program }: Actor, permission: Permission): Fault =>
  new Fault('session.notAllowed', {
    who: name ?? program ?? 'Whoever asks',
    permission,
    what: permissionWords[permission],
  });

/**
 * As `may`, for what is signed: whoever is signed in by name brings a word for it too, which their own PIN gave, or
 * that of a manager. Throws `session.pinNeeded` where their own PIN would do, else `session.notAllowed`.
 */
export const maySigned = (permission: Permission, sessions: Words): MiddlewareHandler<Env> => {
  const plain = may(permission, sessions);
  return async (context, next) => {
    const actor = context.get('actor');
    if (actor.name === undefined) return plain(context, next);
    const by = spendApproval(context, permission, { sessions });
    if (by === undefined && actor.permissions.includes(permission))
      throw new Fault('session.pinNeeded', { permission, what: permissionWords[permission] });
    if (by === undefined) throw notAllowed(actor, permission);
    context.set('actor', by);
    await next();
  };
};

/** Whose permission it is: the asker's own, or that of the manager whose word they bring. */
const allowingOne = (actor: Actor, permission: Permission, spend: () => Actor | undefined): Actor => {
  if (actor.permissions.includes(permission)) return actor;
  const manager = spend();
  if (manager !== undefined) return manager;
  throw notAllowed(actor, permission);
};

// What a route asks for and answers, kept with its guards: the document of the API cannot say anything else.

export type RoutePart =
  /** A part of the request, and what it must be. */
  | { of: 'json' | 'query' | 'param'; schema: z.ZodType }
  | { of: 'file' }
  /** Needs `Idempotency-Key`. */
  | { of: 'key' }
  | { of: 'permission'; permission: Permission }
  /** What it answers. `media`: of events and lines the schema is that of one. */
  | { of: 'answer'; media: string; schema: z.ZodType }
  | { of: 'files'; media: readonly string[] };

const partsByGuard = new WeakMap<object, RoutePart>();

/** The same guard, remembered with what it asks for. */
export const describeGuard = <Guard extends object>(guard: Guard, what: RoutePart): Guard => {
  partsByGuard.set(guard, what);
  return guard;
};

/** Undefined for what asks for nothing that the document tells. */
export const routePartOf = (guard: object): RoutePart | undefined => partsByGuard.get(guard);

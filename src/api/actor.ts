/** Who carries out a request, and whether they may. */
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { Fault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { permissionWords } from '../locales/messages/en/permissions.ts';
import type { Permission } from './contract/roles.ts';
import type { SignedIn } from './contract/session.ts';
import type { Actor, Sessions } from './ports/session.ts';

/** What the guards pass on to the routes. */
export type Env = {
  Bindings: {
    /** Aborted, with a fault as its reason, once a restart or stop of the till waits for this request. */
    ends?: AbortSignal;
    /** Set for a command's request, over the owner's socket or within the process; browsers cannot reach either. */
    owner?: true;
  };
  Variables: {
    /** The mode of the till that answers; a training session has its own till. */
    mode: DisplayMode;
    actor: Actor;
    session?: SignedIn;
    token?: string;
    /** Names of the two people who are responsible for the request; empty on a till without staff. */
    signedBy?: readonly string[];
    /** The origin of a program's page, which may read the answer, including refusals. */
    readableFor?: string;
    /** The schema of the route's answer; tests check each answer against it. */
    answerSchema?: z.ZodType;
    answerCheck?: (value: unknown, schema: z.ZodType | undefined) => void;
  };
};

type ApprovalSessions = Pick<Sessions, 'spendOverride'>;
type ApprovedEnv = Env & { Variables: { approver: Actor } };

/** Aborted when the client has disconnected, or when a restart or stop of the till waits for this request. */
export const disconnectSignal = ({ req, env }: Context<Env>): AbortSignal => {
  const ends = env?.ends;
  return ends === undefined ? req.raw.signal : AbortSignal.any([req.raw.signal, ends]);
};

/**
 * Passes requests whose role has the permission, or that have a manager's approval for it in `X-Override`. `keyOf`: the
 * idempotency key, if a repeated request with this key is the same one. Throws `session.notAllowed`.
 */
export const may = (
  permission: Permission,
  sessions: ApprovalSessions,
  keyOf?: (context: Context) => string,
): MiddlewareHandler<Env> =>
  describeGuard<MiddlewareHandler<Env>>(
    async (context, next) => {
      const actor = context.get('actor');
      const allowing = allowingOne(actor, permission, () => spendApproval(context, permission, { sessions, keyOf }));
      // The request remains the program's: idempotency keys belong to programs.
      const { program } = actor;
      if (allowing !== actor) context.set('actor', program === undefined ? allowing : { ...allowing, program });
      await next();
    },
    { of: 'permission', permission },
  );

/**
 * As `may`, for things that outlast the request: the requester remains the owner, and the approving manager is
 * `approver`. A requester with the permission is their own approver.
 */
export const mayIfApproved = (permission: Permission, sessions: ApprovalSessions): MiddlewareHandler<ApprovedEnv> =>
  describeGuard<MiddlewareHandler<ApprovedEnv>>(
    async (context, next) => {
      const spend = () => spendApproval(context, permission, { sessions });
      context.set('approver', allowingOne(context.get('actor'), permission, spend));
      await next();
    },
    { of: 'permission', permission },
  );

/**
 * Requires two people with the permission: the one who is signed in, and one whose approval is in `X-Override`.
 * Throws `session.notAllowed`, `staff.needed` without a second person, and `export.onePerson`.
 */
export const twoPeople = (permission: Permission, sessions: ApprovalSessions): MiddlewareHandler<Env> =>
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

/** More than any request needs. */
const APPROVALS_MOST = 8;

/** The approvals in `X-Override`, separated by commas, each for one permission. */
export const approvalsIn = (context: Context): string[] =>
  (context.req.header('x-override') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, APPROVALS_MOST);

type ApprovalContext = { sessions: ApprovalSessions; keyOf?: ((context: Context) => string) | undefined };

/** Uses up the first approval that is valid for this permission; returns who gave it. */
export const spendApproval = (
  context: Context,
  permission: Permission,
  { sessions, keyOf }: ApprovalContext,
): Actor | undefined => {
  for (const approval of approvalsIn(context)) {
    const manager = sessions.spendOverride(approval, permission, keyOf?.(context));
    if (manager !== undefined) return manager;
  }
  return undefined;
};

/** The refusal for a person or program without this permission. */
export const notAllowed = ({ name, program }: Actor, permission: Permission): Fault =>
  new Fault('session.notAllowed', {
    who: name ?? program ?? 'Whoever asks',
    permission,
    what: permissionWords[permission],
  });

/**
 * As `may`, for signed actions: a person who is signed in also needs an approval, from their own PIN or from
 * a manager's. Throws `session.pinNeeded` if their own PIN is enough, otherwise `session.notAllowed`.
 */
export const maySigned = (permission: Permission, sessions: ApprovalSessions): MiddlewareHandler<Env> => {
  const permitted = may(permission, sessions);
  return async (context, next) => {
    const actor = context.get('actor');
    if (actor.name === undefined) return permitted(context, next);
    const by = spendApproval(context, permission, { sessions });
    if (by === undefined && actor.permissions.includes(permission))
      throw new Fault('session.pinNeeded', { permission, what: permissionWords[permission] });
    if (by === undefined) throw notAllowed(actor, permission);
    context.set('actor', by);
    await next();
  };
};

/** Who has the permission: the requester, or the manager whose approval they have. */
const allowingOne = (actor: Actor, permission: Permission, spend: () => Actor | undefined): Actor => {
  if (actor.permissions.includes(permission)) return actor;
  const manager = spend();
  if (manager !== undefined) return manager;
  throw notAllowed(actor, permission);
};

// Each guard knows which part of the request or answer it describes; the OpenAPI document is made from that.

export type RoutePart =
  /** A part of the request and its schema. */
  | { of: 'json' | 'query' | 'param'; schema: z.ZodType }
  | { of: 'file' }
  /** Needs `Idempotency-Key`. */
  | { of: 'key' }
  | { of: 'permission'; permission: Permission }
  /** The answer. `media`: for events and lines, the schema is that of a single one. */
  | { of: 'answer'; media: string; schema: z.ZodType }
  | { of: 'files'; media: readonly string[] };

const partsByGuard = new WeakMap<object, RoutePart>();

/** Registers what the guard describes, and returns the guard. */
export const describeGuard = <Guard extends object>(guard: Guard, part: RoutePart): Guard => {
  partsByGuard.set(guard, part);
  return guard;
};

/** Undefined for guards that do not appear in the document. */
export const routePartOf = (guard: object): RoutePart | undefined => partsByGuard.get(guard);

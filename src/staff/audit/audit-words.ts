/** The text for each kind of journal entry about people's actions, for a manager. */
import type { Fact, LocalizedMessage } from '../../base/localized-message.ts';
import { printMoney } from '../../base/money.ts';
import { tellAudit as tell } from '../../locales/messages/en/books.ts';
import { permissionWords } from '../../locales/messages/en/permissions.ts';
import { limitValue, wholeLimitName } from '../../locales/names.ts';
import { en } from '../../locales/screens.ts';
import { isPermission } from '../running.ts';

type Body = Readonly<Record<string, unknown>>;
type Row = {
  tell(body: Body): LocalizedMessage;
  /** The field with the name of the person who did it; `by` if absent. */
  who?: (body: Body) => unknown;
};

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : []);
const at = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Body)[name] : undefined;
const may = (body: Body): Fact => {
  const permission = text(body['permission']);
  return isPermission(permission)
    ? { code: `permission.${permission}`, says: permissionWords[permission] }
    : permission;
};

const moneyIn = (value: unknown): string => {
  const [minor, currency] = [text(at(value, 'minor')), text(at(value, 'currency'))];
  return /^\d+$/.test(minor) ? printMoney({ minor: BigInt(minor), currency }) : '';
};

/** A value that the screens have a word for, by the kind of value. */
const named = (room: 'role' | 'choice', value: unknown): Fact => ({
  code: `${room}.${text(value)}`,
  says: text(value),
});

const moment = (value: unknown): Fact => (typeof value === 'number' ? { at: value } : '');

/** How many refusals there were, and how many of them were wrong guesses: the others were turned away unchecked. */
const refusedTries = ({ tries }: Body) => {
  const of = (...kinds: readonly (typeof refusals)[number][]): number =>
    kinds.reduce((sum, kind) => sum + Number(at(tries, kind) ?? 0), 0);
  return { count: of(...refusals), wrong: of('pin', 'nobody') };
};

const refusals = ['nobody', 'pin', 'locked', 'role'] as const;
const leavings = { hand: 'leftHand', idle: 'leftIdle', replaced: 'leftReplaced' } as const;

const own = (body: Body): unknown => body['name'];

/** The values of these fields of the entry, as text. */
const pickFields = <Name extends string>(body: Body, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, text(body[name])])) as Readonly<Record<Name, string>>;

/** Each kind of entry in the audit list. All others are about sales, or internal. */
export const auditKinds = {
  staffAdded: { tell: (b) => tell('staffAdded', { ...pickFields(b, 'name'), role: named('role', b['role']) }) },
  staffPin: { tell: (b) => tell('staffPin', pickFields(b, 'name')) },
  staffRemoved: { tell: (b) => tell('staffRemoved', pickFields(b, 'name')) },
  staffAdmitted: {
    tell: (b) => (b['permission'] === 'signIn' ? tell('signedIn') : tell('staffAdmitted', { may: may(b) })),
    who: own,
  },
  staffRefused: {
    tell: (b) => {
      const refused = refusals.find((one) => one === b['why']);
      return tell('staffRefused', { may: may(b), refused: refused === undefined ? '' : tell(refused) });
    },
    who: own,
  },
  staffRefusals: {
    tell: (b) => tell('staffRefusals', { from: moment(b['from']), to: moment(b['to']), ...refusedTries(b) }),
    who: own,
  },
  browserKnown: { tell: () => tell('browserKnown'), who: own },
  browserForgotten: { tell: (b) => tell('browserForgotten', pickFields(b, 'name')) },
  staffLeft: {
    tell: (b) => {
      const how = text(b['how']);
      return tell(Object.hasOwn(leavings, how) ? leavings[how as keyof typeof leavings] : 'left');
    },
    who: own,
  },
  staffAllowed: {
    tell: (b) => tell('staffAllowed', { asked: text(b['asked']) || tell('whoeverAsked'), may: may(b) }),
    who: own,
  },
  limitsChanged: {
    tell: (b) => {
      const changes = changesIn(b);
      if (changes === undefined) return tell('limitsKept');
      const approvedBy = text(b['approvedBy']);
      return approvedBy === '' ? tell('limitsChanged', { changes }) : tell('limitsApproved', { changes, approvedBy });
    },
  },
  xReport: { tell: (b) => tell('xReport', pickFields(b, 'number', 'batch')) },
  batchClosing: {
    tell: (b) => {
      const reason = text(at(b['override'], 'reason'));
      return reason === ''
        ? tell('batchClosing', pickFields(b, 'batch'))
        : tell('batchForced', { ...pickFields(b, 'batch'), reason });
    },
    who: (b) => at(b['override'], 'by') ?? b['by'],
  },
  batchClosed: { tell: (b) => tell('batchClosed', pickFields(b, 'batch', 'terminalId')) },
  personSaid: {
    tell: (b) => {
      const facts = { reason: text(at(b['by'], 'reason')), evidence: text(at(b['by'], 'evidence')) };
      return tell(b['charged'] === true ? 'saidCharged' : 'saidNotCharged', facts);
    },
    who: (b) => at(b['by'], 'who'),
  },
  unpaidEnded: {
    tell: (b) => {
      const how = at(b['end'], 'how') === 'writtenOff' ? 'wroteOff' : 'settledOtherwise';
      return tell(how, { reason: text(at(b['end'], 'reason')), amount: moneyIn(b['missing']) });
    },
    who: (b) => at(b['end'], 'who'),
  },
  exported: { tell: (b) => tell('exported', { count: list(b['sales']).length, ...pickFields(b, 'id') }) },
  takenBack: { tell: (b) => tell('takenBack', { count: list(b['messages']).length }) },
  imported: { tell: (b) => tell('imported', pickFields(b, 'from')) },
  posKeyMade: {
    tell: (b) => {
      const origins = list(b['origins']);
      const facts = { ...pickFields(b, 'name', 'approvedBy'), origins: { list: origins } };
      const isApproved = text(b['approvedBy']) !== '';
      if (origins.length === 0) return tell(isApproved ? 'posKeyMadeApproved' : 'posKeyMade', facts);
      return tell(isApproved ? 'posKeyForPagesApproved' : 'posKeyForPages', facts);
    },
  },
  posKeyApproved: { tell: (b) => tell('posKeyApproved', pickFields(b, 'name')) },
  posKeyRemoved: { tell: (b) => tell('posKeyRemoved', pickFields(b, 'name')) },
  paired: { tell: (b) => tell('paired', pickFields(b, 'device', 'counter')) },
  unpaired: { tell: (b) => tell('unpaired', pickFields(b, 'counter')) },
  testHostSaid: { tell: (b) => tell('testHostSaid', pickFields(b, 'device', 'counter')) },
  testHostDenied: { tell: (b) => tell('testHostDenied', pickFields(b, 'device', 'counter')) },
  simulatedUsed: { tell: () => tell('simulatedUsed') },
  configurationImported: {
    tell: (b) => {
      const [changed, approvedBy] = [{ list: list(b['changed']) }, text(b['approvedBy'])];
      if (approvedBy === '') return tell('configurationImported', { changed });
      return tell('configurationApproved', { changed, approvedBy });
    },
  },
  configurationExported: { tell: () => tell('configurationExported') },
  bundleMade: { tell: () => tell('bundleMade') },
  drawerOpened: { tell: () => tell('drawerOpened') },
  othersSaleOpened: {
    tell: (b) =>
      text(b['of']) === ''
        ? tell('nobodysSaleOpened', pickFields(b, 'receipt'))
        : tell('othersSaleOpened', pickFields(b, 'receipt', 'of')),
  },
  othersSalesHeld: { tell: (b) => tell('othersSalesHeld', { count: Number(text(b['count'])) }) },
  printerAdded: { tell: (b) => tell('printerAdded', pickFields(b, 'printer')) },
  printerRemoved: { tell: (b) => tell('printerRemoved', pickFields(b, 'printer')) },
  downloaded: { tell: (b) => tell('downloaded', pickFields(b, 'what')) },
  reconciled: {
    tell: (b) => tell('reconciled', { ...pickFields(b, 'file'), differences: Number(text(b['differences'])) }),
  },
  wentLive: { tell: (b) => tell('wentLive', pickFields(b, 'folder')) },
  liveBegun: { tell: () => tell('liveBegun') },
  foundLiveRead: { tell: () => tell('foundLiveRead') },
  folderMoved: { tell: () => tell('folderMoved') },
  folderCopied: { tell: (b) => tell('folderCopied', pickFields(b, 'terminalIds')) },
  plainHttpAllowed: { tell: (b) => tell('plainHttpAllowed', pickFields(b, 'address')) },
  plainHttpEnded: { tell: (b) => tell('plainHttpEnded', pickFields(b, 'address')) },
  tookOver: { tell: (b) => tell('tookOver', pickFields(b, 'sales')) },
  differenceResolved: {
    tell: (b) => tell('differenceResolved', { ...pickFields(b, 'file', 'note'), choice: named('choice', b['choice']) }),
  },
} as const satisfies Readonly<Record<string, Row>>;

export type AuditKind = keyof typeof auditKinds;

/** Each limit that changed, by name, with its old and new value. */
const changesIn = (body: Body): LocalizedMessage | undefined => {
  const before = flatten(body['before']);
  const after = flatten(body['after']);
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  const changes = keys.map((key) =>
    tell('limitChange', {
      limit: { code: `limit.${key}`, says: wholeLimitName(key, en.manager) },
      before: valueMessage(key, before.get(key)),
      after: valueMessage(key, after.get(key)),
    }),
  );
  return changes.length === 0 ? undefined : changes.reduceRight((rest, first) => tell('limitsMore', { first, rest }));
};

const valueMessage = (key: string, json: string | undefined): LocalizedMessage => ({
  code: `limitValue.${key}`,
  says: limitValue(key, json, { names: en.manager, language: 'en' }),
  facts: json === undefined ? undefined : { json },
});

const flatten = (value: unknown, path = ''): Map<string, string> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[path, JSON.stringify(value) ?? '']]);
  return new Map(
    Object.entries(value).flatMap(([name, each]) => [...flatten(each, path === '' ? name : `${path}.${name}`)]),
  );
};

/** Who did what, from the entry's body. An entry that is not JSON gives only its kind. */
export const auditWords = (kind: string, json: string): { told: LocalizedMessage; by?: string } => {
  const row: Row | undefined = Object.hasOwn(auditKinds, kind) ? auditKinds[kind as AuditKind] : undefined;
  if (row === undefined) return { told: { code: `audit.${kind}`, says: kind } };
  const body = JSON.parse(json) as Body;
  const who = (row.who ?? ((input: Body) => input['by']))(body);
  const by = Array.isArray(who) ? who.map(text).join(' and ') : text(who) || text(body['program']);
  return { told: row.tell(body), by: by || undefined };
};

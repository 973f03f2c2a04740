/** A small model of the money: what was approved, what may still follow it, and the balance of each account. */

export const APPROVED = '000.100.110';
const NO_FUNDS = '800.100.155';
const CURRENCY_DIFFERS = '700.100.500';

export type StartType = 'PA' | 'DB' | 'CD' | 'PA.CP';
export type FollowType = 'CP' | 'RV' | 'RF' | 'RB' | 'RC' | 'CB' | 'CR' | 'PA';
export type AccountName = string;

/** One approved request. Amounts are in minor units of two decimals. */
export type Entry = {
  id: string;
  type: StartType | FollowType;
  minor: bigint;
  currency: string;
  account: AccountName;
  /** The entry to which it refers. */
  of?: Entry;
  /** Marked as the last of its kind. */
  final?: boolean;
  /** The number of captures that it allows. */
  captures?: number;
};

export type Options = { type: FollowType; minor: bigint | 'all'; currency: string };
export type Verdict = { code: string; minor: bigint };

type Row = { of: readonly Entry['type'][]; missing: string; exceeded: string };

/** Result codes of the catalogue (host API spec 2.34): the payment does not exist, or not enough of it is left. */
export const rows: Readonly<Record<FollowType, Row>> = {
  PA: { of: ['PA'], missing: '700.400.510', exceeded: '700.400.100' },
  CP: { of: ['PA'], missing: '700.400.510', exceeded: '700.400.100' },
  RC: { of: ['PA', 'CP', 'DB', 'PA.CP', 'RB'], missing: '700.400.560', exceeded: '700.400.100' },
  RV: { of: ['PA', 'DB', 'PA.CP', 'CP', 'RB', 'CD'], missing: '700.400.530', exceeded: '700.400.300' },
  RF: { of: ['DB', 'PA.CP', 'CP', 'RC', 'RB', 'CD'], missing: '700.400.520', exceeded: '700.400.200' },
  RB: { of: ['DB', 'PA.CP', 'CP', 'RB'], missing: '700.100.700', exceeded: '700.100.300' },
  CB: { of: ['DB', 'PA.CP', 'CP', 'RB', 'RF', 'CR'], missing: '700.400.550', exceeded: '700.400.400' },
  CR: { of: ['CB'], missing: '700.400.420', exceeded: '700.400.410' },
};

export type Books = {
  readonly entries: readonly Entry[];
  add(entry: Entry): void;
  /** The verdict on a start with this amount on this account. */
  start(type: StartType, minor: bigint, account: AccountName): Verdict;
  follow(parent: Entry, request: Options): Verdict;
  /** In minor units; undefined for an account without entries. */
  balance(account: AccountName): bigint;
  /** Every rule that the entries break, in whatever order they came. */
  broken(): string[];
};

/** Opens the books with each account's balance, in minor units. */
export const openBooks = (openings: ReadonlyMap<AccountName, bigint>): Books => {
  const entries: Entry[] = [];
  const followers = (entry: Entry, ...types: Entry['type'][]) =>
    entries.filter((each) => each.of === entry && (types.length === 0 || types.includes(each.type)));

  /** The rest of one payment: increases add, all but rebills subtract; a chargeback counts less its own reversal. */
  const left = (entry: Entry): bigint =>
    followers(entry).reduce((rest, each) => {
      if (each.type === 'RB' || confirms(each)) return rest;
      if (each.type === 'PA') return rest + each.minor;
      return rest - (each.type === 'CB' || each.type === 'CR' ? left(each) : each.minor);
    }, entry.minor);

  const balance = (account: AccountName) =>
    entries
      .filter((each) => each.account === account)
      .reduce((rest, each) => rest + moved(each) + potOf(entries, each).rest, openings.get(account) ?? 0n);

  const closed = (parent: Entry, type: FollowType): boolean => {
    const same = followers(parent, type);
    if (same.some(({ final }) => final === true)) return true;
    if (type === 'RV' && parent.type !== 'PA')
      return followers(parent).some((each) => !['RV', 'PA', 'RB'].includes(each.type) && !confirms(each));
    if (type === 'CB' || type === 'CR') return same.length > 0;
    return type === 'CP' && parent.captures !== undefined && same.length >= parent.captures;
  };

  const boundOf = (parent: Entry, type: FollowType): bigint => {
    if (type === 'RB') return parent.minor;
    if (type !== 'RC' || parent.type === 'PA') return left(parent);
    return followers(parent, 'RC').reduce((rest, { minor }) => rest - minor, parent.minor);
  };

  const follow = (parent: Entry, { type, minor: asked, currency }: Options): Verdict => {
    const { of, missing, exceeded } = rows[type];
    const no = (code: string): Verdict => ({ code, minor: 0n });
    // Requests after an increase of an authorisation name the authorisation's id.
    if (!of.includes(parent.type) || (parent.type === 'PA' && parent.of !== undefined)) return no(missing);
    if (confirms(parent)) return no(missing);
    if (asked !== 'all' && currency !== parent.currency) return no(CURRENCY_DIFFERS);
    if (closed(parent, type)) return no(exceeded);
    const bound = boundOf(parent, type);
    const minor = asked === 'all' ? bound : asked;
    if (type !== 'PA' && (bound <= 0n || minor > bound)) return no(exceeded);
    const pot = potOf(entries, startOf(parent));
    // Nothing was taken that a chargeback could return.
    if (type === 'CB' && startOf(parent).type === 'CD') return no(missing);
    if (type === 'RB' && pot.captured === 0n) return no('700.100.700');
    if (type === 'PA' ? pot.held === 0n : minor > room(pot, type, parent)) {
      return no(type === 'RV' && parent.type === 'CP' ? rows.RF.exceeded : exceeded);
    }
    if ((type === 'PA' || type === 'RB') && minor > balance(parent.account)) return no(NO_FUNDS);
    return { code: APPROVED, minor };
  };

  return {
    entries,
    add: (entry) => void entries.push(entry),
    start: (type, minor, account) =>
      type !== 'CD' && minor > balance(account) ? { code: NO_FUNDS, minor: 0n } : { code: APPROVED, minor },
    follow,
    balance,
    broken() {
      const wrong: string[] = [];
      const rule = (holds: boolean, entry: Entry, text: string) =>
        holds || wrong.push(`${entry.type} ${entry.id}: ${text}`);
      for (const entry of entries) {
        rule(left(entry) >= 0n, entry, `the follow-ups exceed the payment: ${left(entry)}`);
        for (const type of ['CB', 'CR'] as const) rule(followers(entry, type).length <= 1, entry, `two ${type}`);
        for (const type of ['CP', 'RF', 'RC'] as const) {
          rule(followers(entry, type).filter(({ final }) => final).length <= 1, entry, `two final ${type}`);
        }
        const captures = followers(entry, 'CP').length;
        rule(captures <= (entry.captures ?? captures), entry, `${captures} captures`);
        if (startOf(entry) !== entry) continue;
        const pot = potOf(entries, entry);
        for (const name of ['held', 'rest', 'captured', 'kept', 'chargedBack'] as const)
          rule(pot[name] >= 0n, entry, `${name} is ${pot[name]}`);
      }
      return wrong;
    },
  };
};

/** The authorisation, debit, credit or rebill that started it. */
const startOf = (entry: Entry): Entry => (entry.of === undefined || entry.type === 'RB' ? entry : startOf(entry.of));

/** Whether it is a receipt for an earlier debit. */
const confirms = ({ type, of }: Entry): boolean => type === 'RC' && of?.type !== 'PA';

/** The amount that the account receives; negative for a payment. */
const moved = (entry: Entry): bigint => {
  const { type, minor, of } = entry;
  if (type === 'CP' || type === 'RC') return 0n;
  if (of === undefined || type === 'RB') return type === 'CD' ? minor : -minor;
  if (type === 'PA' || type === 'CR') return -minor;
  return startOf(entry).type === 'CD' ? -minor : minor;
};

/** `rest`: returned by a last capture, and used by none of its follow-ups. */
type Pot = Record<'held' | 'rest' | 'captured' | 'kept' | 'chargedBack', bigint>;

/** The money of one start, whichever of its payments a request names. */
const potOf = (entries: readonly Entry[], start: Entry): Pot => {
  const sum = (fits: (entry: Entry) => boolean): bigint =>
    entries.filter((each) => startOf(each) === start && fits(each)).reduce((total, { minor }) => total + minor, 0n);
  const onlyHeld = start.type === 'PA';
  const givenBack = sum(({ type, of }) => type === 'RF' || (type === 'RV' && of?.type === 'CP'));
  const reversed = sum(({ type, of }) => type === 'RV' && of?.type !== 'CP');
  const captured = onlyHeld
    ? sum((each) => each.type === 'CP' || (each.type === 'RC' && !confirms(each)))
    : start.minor - reversed;
  const chargedBack = sum(({ type }) => type === 'CB') - sum(({ type }) => type === 'CR');
  const open = onlyHeld ? sum(({ type }) => type === 'PA') - captured - reversed : 0n;
  const captures = entries.filter(({ of, type }) => of === start && type === 'CP');
  const isEnded =
    captures.some(({ final }) => final) || captures.length >= (start.captures ?? Number.POSITIVE_INFINITY);
  const [held, rest] = isEnded ? [0n, open] : [open, 0n];
  return { held, rest, captured, kept: captured - givenBack - chargedBack, chargedBack };
};

/** The amount of the start's money that is still available to a follow-up of this type. */
const room = (pot: Pot, type: FollowType, parent: Entry): bigint => {
  if (type === 'RC' && parent.type !== 'PA') return pot.captured;
  if (type === 'CP' || type === 'RC') return pot.held;
  if (type === 'RV') return parent.type === 'PA' ? pot.held : pot.kept;
  return type === 'CR' ? pot.chargedBack : type === 'RB' ? parent.minor : pot.kept;
};

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

type Row = { of: readonly Entry['type'][]; wrongParentCode: string; tooMuchCode: string };

/** Result codes of the catalogue (host API spec 2.34): the payment does not exist, or not enough of it is left. */
export const rows: Readonly<Record<FollowType, Row>> = {
  PA: { of: ['PA'], wrongParentCode: '700.400.510', tooMuchCode: '700.400.100' },
  CP: { of: ['PA'], wrongParentCode: '700.400.510', tooMuchCode: '700.400.100' },
  RC: { of: ['PA', 'CP', 'DB', 'PA.CP', 'RB'], wrongParentCode: '700.400.560', tooMuchCode: '700.400.100' },
  RV: { of: ['PA', 'DB', 'PA.CP', 'CP', 'RB', 'CD'], wrongParentCode: '700.400.530', tooMuchCode: '700.400.300' },
  RF: { of: ['DB', 'PA.CP', 'CP', 'RC', 'RB', 'CD'], wrongParentCode: '700.400.520', tooMuchCode: '700.400.200' },
  RB: { of: ['DB', 'PA.CP', 'CP', 'RB'], wrongParentCode: '700.100.700', tooMuchCode: '700.100.300' },
  CB: { of: ['DB', 'PA.CP', 'CP', 'RB', 'RF', 'CR'], wrongParentCode: '700.400.550', tooMuchCode: '700.400.400' },
  CR: { of: ['CB'], wrongParentCode: '700.400.420', tooMuchCode: '700.400.410' },
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
  brokenRules(): string[];
};

/** Opens the books with each account's balance, in minor units. */
export const openBooks = (openings: ReadonlyMap<AccountName, bigint>): Books => {
  const entries: Entry[] = [];
  const followers = (entry: Entry, ...types: Entry['type'][]) =>
    entries.filter((each) => each.of === entry && (types.length === 0 || types.includes(each.type)));

  /** The rest of one payment: increases add, all but rebills subtract; a chargeback counts less its own reversal. */
  const remainingOf = (entry: Entry): bigint =>
    followers(entry).reduce((rest, each) => {
      if (each.type === 'RB' || isConfirmation(each)) return rest;
      if (each.type === 'PA') return rest + each.minor;
      return rest - (each.type === 'CB' || each.type === 'CR' ? remainingOf(each) : each.minor);
    }, entry.minor);

  const balance = (account: AccountName) =>
    entries
      .filter((each) => each.account === account)
      .reduce((rest, each) => rest + movedMinor(each) + groupOf(entries, each).rest, openings.get(account) ?? 0n);

  const isClosed = (parent: Entry, type: FollowType): boolean => {
    const same = followers(parent, type);
    if (same.some(({ final }) => final === true)) return true;
    if (type === 'RV' && parent.type !== 'PA')
      return followers(parent).some((each) => !['RV', 'PA', 'RB'].includes(each.type) && !isConfirmation(each));
    if (type === 'CB' || type === 'CR') return same.length > 0;
    return type === 'CP' && parent.captures !== undefined && same.length >= parent.captures;
  };

  const limitOf = (parent: Entry, type: FollowType): bigint => {
    if (type === 'RB') return parent.minor;
    if (type !== 'RC' || parent.type === 'PA') return remainingOf(parent);
    return followers(parent, 'RC').reduce((rest, { minor }) => rest - minor, parent.minor);
  };

  const follow = (parent: Entry, { type, minor: requested, currency }: Options): Verdict => {
    const { of: allowedParents, wrongParentCode, tooMuchCode } = rows[type];
    const refuse = (code: string): Verdict => ({ code, minor: 0n });
    // Requests after an increase of an authorisation name the authorisation's id.
    if (!allowedParents.includes(parent.type) || (parent.type === 'PA' && parent.of !== undefined))
      return refuse(wrongParentCode);
    if (isConfirmation(parent)) return refuse(wrongParentCode);
    if (requested !== 'all' && currency !== parent.currency) return refuse(CURRENCY_DIFFERS);
    if (isClosed(parent, type)) return refuse(tooMuchCode);
    const limit = limitOf(parent, type);
    const minor = requested === 'all' ? limit : requested;
    if (type !== 'PA' && (limit <= 0n || minor > limit)) return refuse(tooMuchCode);
    const group = groupOf(entries, firstOf(parent));
    // A credit took no money that a chargeback could return.
    if (type === 'CB' && firstOf(parent).type === 'CD') return refuse(wrongParentCode);
    if (type === 'RB' && group.captured === 0n) return refuse('700.100.700');
    if (type === 'PA' ? group.held === 0n : minor > remainingFor(group, type, parent)) {
      return refuse(type === 'RV' && parent.type === 'CP' ? rows.RF.tooMuchCode : tooMuchCode);
    }
    if ((type === 'PA' || type === 'RB') && minor > balance(parent.account)) return refuse(NO_FUNDS);
    return { code: APPROVED, minor };
  };

  return {
    entries,
    add: (entry) => void entries.push(entry),
    start: (type, minor, account) =>
      type !== 'CD' && minor > balance(account) ? { code: NO_FUNDS, minor: 0n } : { code: APPROVED, minor },
    follow,
    balance,
    brokenRules() {
      const violations: string[] = [];
      const require = (isMet: boolean, entry: Entry, text: string) =>
        isMet || violations.push(`${entry.type} ${entry.id}: ${text}`);
      for (const entry of entries) {
        require(remainingOf(entry) >= 0n, entry, `the follow-ups exceed the payment: ${remainingOf(entry)}`);
        for (const type of ['CB', 'CR'] as const) require(followers(entry, type).length <= 1, entry, `two ${type}`);
        for (const type of ['CP', 'RF', 'RC'] as const) {
          require(followers(entry, type).filter(({ final }) => final).length <= 1, entry, `two final ${type}`);
        }
        const captures = followers(entry, 'CP').length;
        require(captures <= (entry.captures ?? captures), entry, `${captures} captures`);
        if (firstOf(entry) !== entry) continue;
        const group = groupOf(entries, entry);
        for (const name of ['held', 'rest', 'captured', 'kept', 'chargedBack'] as const)
          require(group[name] >= 0n, entry, `${name} is ${group[name]}`);
      }
      return violations;
    },
  };
};

/** The authorisation, debit, credit or rebill that started the entry's chain. */
const firstOf = (entry: Entry): Entry => (entry.of === undefined || entry.type === 'RB' ? entry : firstOf(entry.of));

/** Whether the entry is a receipt for an earlier debit. */
const isConfirmation = ({ type, of }: Entry): boolean => type === 'RC' && of?.type !== 'PA';

/** The amount that the account receives; negative for a payment. */
const movedMinor = (entry: Entry): bigint => {
  const { type, minor, of } = entry;
  if (type === 'CP' || type === 'RC') return 0n;
  if (of === undefined || type === 'RB') return type === 'CD' ? minor : -minor;
  if (type === 'PA' || type === 'CR') return -minor;
  return firstOf(entry).type === 'CD' ? -minor : minor;
};

/** `rest`: the amount that a last capture returned and that no later follow-up used. */
type PaymentGroup = Record<'held' | 'rest' | 'captured' | 'kept' | 'chargedBack', bigint>;

/** The money of one start, whichever of its payments a request names. */
const groupOf = (entries: readonly Entry[], start: Entry): PaymentGroup => {
  const sum = (fits: (entry: Entry) => boolean): bigint =>
    entries.filter((each) => firstOf(each) === start && fits(each)).reduce((total, { minor }) => total + minor, 0n);
  const heldOnly = start.type === 'PA';
  const givenBack = sum(({ type, of }) => type === 'RF' || (type === 'RV' && of?.type === 'CP'));
  const reversed = sum(({ type, of }) => type === 'RV' && of?.type !== 'CP');
  const captured = heldOnly
    ? sum((each) => each.type === 'CP' || (each.type === 'RC' && !isConfirmation(each)))
    : start.minor - reversed;
  const chargedBack = sum(({ type }) => type === 'CB') - sum(({ type }) => type === 'CR');
  const open = heldOnly ? sum(({ type }) => type === 'PA') - captured - reversed : 0n;
  const captures = entries.filter(({ of, type }) => of === start && type === 'CP');
  const isEnded =
    captures.some(({ final }) => final) || captures.length >= (start.captures ?? Number.POSITIVE_INFINITY);
  const [heldMinor, rest] = isEnded ? [0n, open] : [open, 0n];
  return { held: heldMinor, rest, captured, kept: captured - givenBack - chargedBack, chargedBack };
};

/** The amount of the start's money that is still available to a follow-up of this type. */
const remainingFor = (group: PaymentGroup, type: FollowType, parent: Entry): bigint => {
  if (type === 'RC' && parent.type !== 'PA') return group.captured;
  if (type === 'CP' || type === 'RC') return group.held;
  if (type === 'RV') return parent.type === 'PA' ? group.held : group.kept;
  return type === 'CR' ? group.chargedBack : type === 'RB' ? parent.minor : group.kept;
};

/** The issuer of one account: gathers the facts of a request, lets the table decide, and moves the account's state. */
import type { Money } from '../../../base/money.ts';
import type { Authorisation } from '../../payments/acquirer.ts';
import { type IssuerAccount, perTransactionDefaultMinor } from './accounts.ts';
import { chipAnswer, chipSays, compareAmount, counterOf, hasChip, sequenceNumber } from './chip.ts';
import { type DecisionFacts, decide } from './decision.ts';
import type { AccountState } from './documents.ts';
import type { ChipData, Hsm } from './hsm.ts';
import { createPurseMove, partialAmountOf, takenAmount } from './purse.ts';
import { isPast, printExpiry, type Reading } from './request.ts';
import { claimedOffline, type ResponseCode, securityCode, type Trigger, triggerOf } from './responses.ts';
import { fitOf, markUsed } from './used-counters.ts';
import { GRAINS_PER_CENT, worthOf } from './worth.ts';

type Case = {
  readonly request: Authorisation;
  readonly reading: Reading;
  readonly account: IssuerAccount;
  readonly state: AccountState;
  /** Whether the keys of this request were used before. */
  readonly key: DecisionFacts['key'];
  /** A forced ending overrides every rule. */
  readonly forced: 'approved' | 'declined' | undefined;
};

type Verdict = {
  code: ResponseCode;
  state: AccountState;
  iccDataResponse?: string;
  /** The approved amount, if it is less than the requested one. */
  part?: Money;
};

/** How far a chip's counter may lag behind the newest one, for payments kept offline and forwarded late. */
export const COUNTER_WINDOW = 1024;

/** Wrong PINs are forgotten a day after the last one. */
const PIN_MEMORY_MS = 24 * 60 * 60 * 1000;

export const initialState = (account: IssuerAccount): AccountState => ({
  available: account.availableMinor * GRAINS_PER_CENT,
  pin: { wrong: 0, at: 0 },
  counters: {},
  day: { date: '', payments: 0 },
});

/** Decides one request. Returns the state of the account afterwards, approved or not. */
export const judge = (hsm: Hsm, input: Case): Verdict => {
  const chip = chipOf(input);
  const facts = factsOf(hsm, input, chip);
  const responseCode = input.forced === undefined ? decide(facts) : input.forced === 'approved' ? '00' : '05';
  // A test that triggers 51 by its amount gets 51; only a real lack of funds leads to a partial approval.
  const part =
    responseCode === '51' && facts.trigger === 'none'
      ? partialAmountOf(input.request, input.state.available)
      : undefined;
  const code = part === undefined ? responseCode : '00';
  const state = stateAfter(input, { facts, code, chip, part });
  const verdict = { code, state, part };
  if (chip === undefined || facts.advice) return verdict;
  const iccDataResponse = chipAnswer(hsm, chip, {
    arc: code,
    genuine: facts.chip === 'genuine',
    contact: input.request.pos?.entryMode === 'ICC',
    pinIsRight: facts.pin === 'right',
  });
  return { ...verdict, iccDataResponse };
};

const chipOf = ({ request, reading, account }: Case): ChipData | undefined => {
  // A terminal that refunds may read the chip without requesting a cryptogram.
  const isCryptogramDue = hasChip(request.pos) && (request.paymentType !== 'CD' || reading.tags('9F26') !== undefined);
  if (!isCryptogramDue) return undefined;
  const psn = sequenceNumber(reading.tags, request.pos?.panSequenceNumber, account.psn);
  return { brand: account.brand, pan: account.pan, psn, tags: reading.tags };
};

const factsOf = (hsm: Hsm, input: Case, chip: ChipData | undefined): DecisionFacts => {
  const { request, reading, account, state } = input;
  const { amount, paymentType: type, at } = request;
  const { tags, card, expiry } = reading;
  const cryptogram = chip === undefined ? 'none' : hsm.checkCryptogram(chip);
  const chipVerdict = chip === undefined ? 'nothing' : chipSays(tags);
  const trigger = triggerOf(request);
  const pin = reading.pin && hsm.checkPin(reading.pin, account);
  const value = worthOf(amount);
  const dates = [expiry, account.expiry === undefined ? undefined : printExpiry(account.expiry)];

  return {
    type,
    advice: type !== 'CD' && cryptogram === 'genuine' && chipVerdict === 'approved' && !wasOnline(reading),
    key: input.key,
    chip: cryptogram,
    amountAgrees: chip === undefined ? 'yes' : compareAmount(tags, amount),
    counter: cryptogram === 'genuine' ? counterFit(state, chip) : 'none',
    chipSays: chipVerdict,
    claimedOffline: type === 'CD' ? 'no' : claimedOffline(request),
    trigger: triggerCode(trigger),
    status: account.account,
    expired: dates.some((date) => date !== undefined && isPast(date, at)) ? 'yes' : 'no',
    pin: pin === undefined ? 'none' : pin === 'badKey' ? 'unreadable' : pin,
    wrongPins: wrongPinCount(state, at) + (pin === 'wrong' ? 1 : 0),
    verificationValue: checkVerificationValue(hsm, request, card),
    securityCode: reading.from === 'form' ? securityCode(request.card?.cvv) : 'none',
    amount: value,
    perTransaction: (account.perTransactionMinor ?? perTransactionDefaultMinor) * GRAINS_PER_CENT,
    paymentsLeftToday: account.perDay === undefined ? 1 : account.perDay - paymentCountOn(state, dayOf(at)),
    available: account.endless ? value : state.available,
  };
};

/** Losses and delays act outside the decision: the payment they affect is authorised. */
export const triggerCode = (trigger: Trigger | undefined): DecisionFacts['trigger'] => {
  if (trigger === undefined) return 'none';
  return trigger.kind === 'response' ? trigger.code : 'approve';
};

/** Y1 and Y3 say that the chip approved offline; any other authorisation response code came from an issuer. */
const wasOnline = ({ tags }: Reading): boolean => {
  const arc = tags('8A');
  return arc !== undefined && !['Y1', 'Y3'].includes(Buffer.from(arc).toString('latin1'));
};

const counterFit = (state: AccountState, chip: ChipData | undefined): DecisionFacts['counter'] => {
  const counter = chip && counterOf(chip.tags);
  return chip === undefined || counter === undefined
    ? 'none'
    : fitOf(state.counters[chip.psn], counter, COUNTER_WINDOW);
};

const wrongPinCount = ({ pin }: AccountState, at: number): number => (at - pin.at > PIN_MEMORY_MS ? 0 : pin.wrong);

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const paymentCountOn = ({ day }: AccountState, date: string): number => (day.date === date ? day.payments : 0);

/** The day's count with one more payment at this time. */
export const dayWithPayment = (state: AccountState, at: number): AccountState['day'] => {
  const date = dayOf(at);
  return { date, payments: paymentCountOn(state, date) + 1 };
};

/**
 * The last three of the eight digits after the service code: key index, PIN verification value, card verification
 * value. A stripe's value is made with its own service code, that of a chip's contactless stripe data with 999. Shorter
 * or empty fields carry none; Mastercard's contactless stripe data carry a dynamic one, which is not checked.
 */
const checkVerificationValue = (
  hsm: Hsm,
  { pos }: Authorisation,
  card: Reading['card'],
): DecisionFacts['verificationValue'] => {
  const { pan, expiry, serviceCode, discretionary = '' } = card;
  const mode = pos?.entryMode;
  const isTapped = mode === 'NFC_MAGSTRIPE';
  if (mode !== 'MAGSTRIPE' && mode !== 'MAGSTRIPE_AS_FALLBACK' && !(isTapped && pan.startsWith('4'))) return 'none';
  if (expiry === undefined || serviceCode === undefined || !/^\d{8}/.test(discretionary)) return 'none';
  if (/^0+$/.test(discretionary.slice(0, 8))) return 'none';
  const cardData = { pan, expiry, serviceCode: isTapped ? '999' : serviceCode };
  return hsm.checkVerificationValue(cardData, discretionary.slice(5, 8)) ? 'right' : 'wrong';
};

type IssuerDecision = { facts: DecisionFacts; code: ResponseCode; chip: ChipData | undefined; part: Money | undefined };

const stateAfter = ({ request, state }: Case, { facts, code, chip, part }: IssuerDecision): AccountState => {
  const { at, amount, paymentType } = request;
  const approved = code === '00';
  const counter = chip && counterOf(chip.tags);
  const isCounted = chip !== undefined && counter !== undefined && facts.chip === 'genuine';
  return {
    available: approved ? state.available - takenAmount(createPurseMove(paymentType, part ?? amount)) : state.available,
    pin: pinStateAfter(state, { facts, code, at }),
    counters: isCounted
      ? { ...state.counters, [chip.psn]: markUsed(state.counters[chip.psn], counter, COUNTER_WINDOW) }
      : state.counters,
    day: approved && paymentType !== 'CD' ? dayWithPayment(state, at) : state.day,
  };
};

const pinStateAfter = (
  state: AccountState,
  { facts, code, at }: { facts: DecisionFacts; code: ResponseCode; at: number },
) => {
  // Only a PIN that was judged counts: a forged cryptogram must not use up the cardholder's tries.
  if (facts.pin === 'wrong' && (code === '55' || code === '75')) return { wrong: wrongPinCount(state, at) + 1, at };
  return facts.pin === 'right' && code === '00' ? { wrong: 0, at } : state.pin;
};

/** What every payment that asks an acquirer for money goes through, on a sent account or on a stored one. */
import { parseAmount } from '../../base/money.ts';
import type { AccountKind, Authorisation } from '../acquirers/acquirer.ts';
import { isSet } from '../parameters/kinds.ts';
import type { Opening } from '../processing.ts';
import { claimsOf } from '../repeats.ts';
import type { Answer } from '../response.ts';
import { assess, screeningNames } from '../risk/assess.ts';
import { shortIdOf } from '../short-id.ts';
import type { Payment, PaymentFacts, Registration, Session } from '../store/store.ts';
import { type Checked, checkAccount, type Flat, keptCardOf, plainCardOf, posOf } from './account.ts';
import { type Call, type Gateway, openedAnswer } from './endpoint.ts';
import { factsOf } from './facts.ts';
import { storedOf } from './stored.ts';

/** What both kinds of request have. */
export type PayRequest = {
  entityId: string;
  amount: string;
  currency: string;
  paymentType: 'PA' | 'DB' | 'CD' | 'PA.CP';
  merchantTransactionId?: string;
  createRegistration?: string;
};

/** The account that pays: its parameters among the request's, and the registration it came from. */
export type Payer = { kind: AccountKind; account: Flat; registration?: Registration };

/** Carries the payment out and answers. The payer is what the request holds, or a registration's account. */
export const authorise = async (gateway: Gateway, call: Call<PayRequest>, payer: Payer): Promise<Answer> => {
  const id = gateway.ids.next();
  const { risk: rules, entityId } = call.channel;
  const screened = { request: payer.account, entityId, hash: gateway.hash };
  const opened = await gateway.processing.carryOut({
    id,
    claims: claimsOf(call.request, call.fingerprint, call.key),
    names: rules === undefined ? [] : screeningNames({ ...screened, rules }),
    open: (session) => opening(gateway, call, { ...payer, id, session }),
  });
  // A payment always opens one.
  if (opened.kind === 'nothing') throw new TypeError('a payment opened nothing');
  return openedAnswer(opened, call);
};

type Work = Payer & { id: string; session: Session };

const opening = async (gateway: Gateway, call: Call<PayRequest>, work: Work): Promise<Opening> => {
  const { request, at, channel } = call;
  const { id, kind, account, registration } = work;
  const amount = parseAmount(request.amount, request.currency);
  const checked = checkAccount({ kind, request: account, channel, at });
  const wrong = amount.minor === 0n ? { resultCode: '100.550.300', why: 'The amount is zero.' } : refusalOf(checked);
  // What cannot be a payment leaves no trace among those that were tried.
  const screened = wrong === undefined ? await screen(gateway, call, work) : undefined;
  const refused = wrong ?? screened?.refused;
  const stores = refused === undefined && isSet(request.createRegistration) && registration === undefined;
  const stored = stores ? storedOf(gateway, call, { kind, account, checked }) : undefined;
  const card = registration?.facts.card ?? keptCardOf(account);
  const facts: PaymentFacts = {
    ...factsOf(call, id),
    acquirerId: id,
    ...(checked.paymentBrand === undefined ? {} : { paymentBrand: checked.paymentBrand }),
    ...(checked.resultCode === undefined && checked.brandResult !== undefined
      ? { brandResult: checked.brandResult }
      : {}),
    ...(card === undefined ? {} : { card: { ...card, ...holderOf(account) } }),
    ...(screened === undefined ? {} : { riskScore: screened.score }),
    ...(refused === undefined ? {} : { why: refused.why }),
    ...(stored === undefined ? {} : { stores: stored }),
  };
  const row = {
    id,
    entityId: channel.entityId,
    paymentType: request.paymentType,
    paymentMethod: checked.method,
    amount,
    at,
    shortId: shortIdOf(id),
    rootId: id,
    ...(request.merchantTransactionId === undefined ? {} : { merchantTransactionId: request.merchantTransactionId }),
    ...registrationIdOf(registration ?? stored),
    facts,
  };
  if (refused !== undefined) return { payment: { ...row, state: 'done', resultCode: refused.resultCode } };
  const asked = authorisationOf(call, { kind, account, row });
  return {
    payment: { ...row, state: 'processing' },
    ask: () => gateway.acquirer.authorise(asked),
    askWithin: (documents) => gateway.acquirer.authoriseWithin?.(documents, asked),
  };
};

const refusalOf = (checked: Checked) => (checked.resultCode === undefined ? undefined : checked);

const registrationIdOf = (registration: Registration | undefined) =>
  registration === undefined ? {} : { registrationId: registration.id };

const holderOf = (account: Flat) => (account['card.holder'] === undefined ? {} : { holder: account['card.holder'] });

/** What the channel's risk rules say, and the traces that they leave for the next time. */
const screen = async (gateway: Gateway, { channel, at }: Call<PayRequest>, { account, session }: Work) => {
  const { risk: rules, entityId } = channel;
  if (rules === undefined) return undefined;
  const assessed = await assess({ rules, request: account, session, entityId, at, hash: gateway.hash });
  if (assessed.sightings.length > 0) await session.addSightings(assessed.sightings);
  return assessed;
};

type Asked = Pick<Payer, 'kind' | 'account'> & { row: Pick<Payment, 'id' | 'at' | 'amount' | 'facts'> };

const authorisationOf = ({ request, origin }: Call<PayRequest>, { kind, account, row }: Asked): Authorisation => {
  const card = plainCardOf(account);
  const pos = posOf(account);
  const { merchantTransactionId } = request;
  const { paymentBrand } = row.facts;
  return {
    id: row.id,
    // Risk was looked at before, so authorise-then-capture is one message to the acquirer.
    paymentType: request.paymentType === 'PA.CP' ? 'DB' : request.paymentType,
    amount: row.amount,
    account: kind,
    ...(merchantTransactionId === undefined ? {} : { merchantTransactionId }),
    ...(paymentBrand === undefined ? {} : { paymentBrand }),
    ...(card === undefined ? {} : { card }),
    ...(pos === undefined ? {} : { pos }),
    parameters: { ...account, 'simulator.baseUrl': origin } as Readonly<Record<string, string>>,
    customParameters: entriesOf(account, 'customParameters['),
    at: row.at,
  };
};

/** The entries of a map: `customParameters[name]` under their names. */
const entriesOf = (request: Flat, prefix: string): Record<string, string> => {
  const entries: Record<string, string> = {};
  for (const name in request) {
    const value = request[name];
    if (value !== undefined && name.startsWith(prefix)) entries[name.slice(prefix.length, -1)] = value;
  }
  return entries;
};

/** The allow and deny lists of a channel, made ready once and then asked for each payment. */

import { Fault } from '../../base/fault.ts';
import { codes } from '../../base/result-codes.ts';
import { rangeOf } from './address.ts';
import { binOf, binRangeOf } from './bins.ts';
import type { RiskFacts } from './facts.ts';
import { type Range, within } from './ranges.ts';
import type { RiskRefusal, RiskRules } from './rules.ts';

export type Lists = {
  allows(facts: RiskFacts): boolean;
  /** The first list that names the payment, in the order bins, e-mails, IP addresses, countries. */
  denies(facts: RiskFacts): RiskRefusal | undefined;
};

const ready = new WeakMap<RiskRules, Lists>();

/** The lists of these rules. Throws `config.malformed` for an entry that no payment could ever fit. */
export const listsOf = (rules: RiskRules): Lists => {
  const known = ready.get(rules);
  if (known !== undefined) return known;
  const lists = read(rules);
  ready.set(rules, lists);
  return lists;
};

const read = ({ allow = {}, deny = {} }: RiskRules): Lists => {
  const allowedEmails = lowerCase(allow.emails);
  const allowedCustomers = new Set(allow.customers);
  const allowedIps = within(each(allow.ips, rangeOf));
  const deniedBins = within(each(deny.bins, binRangeOf));
  const deniedEmails = lowerCase(deny.emails);
  const deniedIps = within(each(deny.ips, rangeOf));
  const deniedCountries = new Set(deny.countries);
  return {
    allows: ({ subjects: { email, customer }, address }) =>
      (email !== undefined && allowedEmails.has(email)) ||
      (customer !== undefined && allowedCustomers.has(customer)) ||
      (address !== undefined && allowedIps(address)),
    denies({ request, subjects: { email }, address }) {
      const country = request['billing.country']?.toUpperCase();
      const bin = binOf(request['card.number'] ?? '');
      if (bin !== undefined && deniedBins(bin)) return denied.bins;
      if (email !== undefined && (deniedEmails.has(email) || deniedEmails.has(domainOf(email)))) return denied.emails;
      if (address !== undefined && deniedIps(address)) return denied.ips;
      return country !== undefined && deniedCountries.has(country) ? denied.countries : undefined;
    },
  };
};

/** In the catalogue's public words: bin, email, ip, country blacklisted. */
const denied: Readonly<Record<keyof NonNullable<RiskRules['deny']>, RiskRefusal>> = {
  bins: { resultCode: codes.binDenied, why: 'The first digits of card.number are on the deny list' },
  emails: { resultCode: codes.emailDenied, why: 'customer.email is on the deny list' },
  ips: { resultCode: codes.ipDenied, why: 'customer.ip is on the deny list' },
  countries: { resultCode: codes.countryDenied, why: 'billing.country is on the deny list' },
};

const lowerCase = (texts: readonly string[] = []): ReadonlySet<string> =>
  new Set(texts.map((text) => text.toLowerCase()));

const domainOf = (email: string): string => email.slice(Math.max(email.lastIndexOf('@'), 0));

const each = (texts: readonly string[] = [], rangeOf: (text: string) => Range | undefined): Range[] =>
  texts.map((text) => {
    const range = rangeOf(text);
    if (range === undefined) throw new Fault('config.malformed', { file: 'risk rules', why: `"${text}" is no range` });
    return range;
  });

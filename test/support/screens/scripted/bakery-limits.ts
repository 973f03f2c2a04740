/** The bakery's offline limits, and a replay that follows their changes. */
import type { LimitSetting, LimitsReplay, LimitsState } from '../../../../src/api/contract/limits.ts';
import { EUR } from './bakery.ts';

export const limitSettings = (): LimitSetting[] => [
  { key: 'chip.upTo', kind: 'amount', value: '50.00' },
  { key: 'chip.total', kind: 'amount', value: '300.00', used: '120.40', left: '179.60' },
  { key: 'chip.count', kind: 'count', value: '20', used: '6', left: '14' },
  { key: 'chip.perCard.total', kind: 'amount', value: '50.00' },
  { key: 'chip.perCard.count', kind: 'count', value: '2' },
  { key: 'chip.perHour.total', kind: 'amount', value: 'none' },
  { key: 'chip.perHour.count', kind: 'count', value: 'none' },
  { key: 'chip.brands.AMEX.upTo', kind: 'amount', value: '20.00' },
  { key: 'deferred.upTo', kind: 'amount', value: '25.00' },
  { key: 'deferred.total', kind: 'amount', value: '200.00', used: '69.20', left: '130.80' },
  { key: 'deferred.count', kind: 'count', value: 'none' },
  { key: 'total', kind: 'amount', value: '500.00', used: '189.60', left: '310.40' },
  { key: 'count', kind: 'count', value: '40', used: '9', left: '31' },
  { key: 'refunds.upTo', kind: 'amount', value: '0.00' },
  { key: 'hours', kind: 'hours', value: '6', used: '0.6', left: '5.4' },
  { key: 'keepFreeMegabytes', kind: 'count', value: '500', left: '41200' },
  { key: 'operations', kind: 'list', value: 'sale,void' },
  { key: 'withoutDataAuthentication', kind: 'switch', value: 'no' },
];

export const replayOf = (changes: Record<string, string>, span: { from: number; to: number }): LimitsReplay => {
  const upTo = Number(changes['chip.upTo'] ?? 50);
  const isMore = upTo > 50;
  const none = { count: 0, total: EUR('0.00') };
  return {
    ...span,
    moreTaken: isMore ? { count: 37, total: EUR('1204.00') } : none,
    fewerTaken: upTo < 50 ? { count: 12, total: EUR('402.10') } : none,
    wouldHaveFailed: isMore ? { count: 1, total: EUR('18.00') } : none,
  };
};

/** Its terminal reads only cards that were not authenticated. */
export const unprovedLimits = (settings: LimitSetting[]): LimitsState => {
  const reason = { code: 'offline.dataAuthentication', says: 'the terminal did not prove that the card is genuine' };
  const cure = { key: 'withoutDataAuthentication', value: 'yes', taken: 36 };
  const isTaken = settings.some(({ key, value }) => key === cure.key && value === cure.value);
  return isTaken
    ? {
        settings,
        written: {},
        ready: true,
        cards: { seen: 40, taken: 36, why: { code: 'offline.onlinePin', says: reason.says } },
      }
    : { settings, written: {}, ready: false, why: reason, cards: { seen: 40, taken: 0, why: reason, cure } };
};

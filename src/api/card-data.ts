/** Card data in what is entered: refused at the one door of every text, so that no service behind it keeps any. */
import { Fault } from '../base/fault.ts';
import { cardDataIn } from '../emv/card-text.ts';

/**
 * What machines make, whose long numbers are their own: addresses with serial numbers, numbers of terminals, lines that
 * the till itself made for paper; and a gift card's number, which is sent and not kept.
 */
const machines = /^(?:address|terminalId|lines|giftCard\.number)(?:\.|$)/;

/** Throws `text.cardData` for the first text in the value, or name of one, that holds card data. */
export const refuseCardData = (value: unknown, where = ''): void => {
  if (typeof value === 'string') {
    const kind = machines.test(where) ? undefined : (cardDataIn(value) ?? namedCode(where, value));
    if (kind !== undefined) throw new Fault('text.cardData', { where: where === '' ? kind : `${where}, ${kind}` });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      refuseCardData(name);
      refuseCardData(inner, where === '' ? name : `${where}.${name}`);
    }
  }
};

/** A security code by the name of its field. */
const namedCode = (where: string, value: string) =>
  value.length > 4 ? undefined : cardDataIn(`${where.split('.').at(-1)} ${value}`);

/** What the till asks an MMS device, in words. */
import { toHex } from '../../../src/base/hex.ts';
import { printable } from '../../../src/base/mask.ts';
import { printMoney } from '../../../src/base/money.ts';
import { findDeep } from '../../../src/emv/tlv.ts';
import { type MmsAsk, type MmsCommandName, type MmsRequest, texts } from './commands.ts';
import { contentOf } from './message.ts';
import { properties, propertyNamed } from './properties.ts';

/** What each command is called where its answer is told. */
export const titles: Readonly<Record<MmsCommandName, string>> = {
  start: 'START TRANSACTION',
  resume: 'HOST SAYS',
  cancel: 'CANCEL TRANSACTION',
  choose: 'THE CUSTOMER’S CHOICE',
  display: 'DISPLAY',
  subscribe: 'SUBSCRIBE',
  getProperty: 'PROPERTY',
  setProperty: 'SET PROPERTY',
  echo: 'ECHO',
  keyInfo: 'KEY',
  restart: 'RESTART',
};

/** A request in words. Throws the Fault of issuer data that cannot be read. */
export const commandWords = (request: MmsRequest): string => {
  switch (request.name) {
    case 'start':
      return startWords(request.ask);
    case 'resume':
      return resumeWords(request.ask);
    case 'cancel':
      return 'CANCEL TRANSACTION';
    case 'choose':
      return `THE CUSTOMER CHOSE ${(request.ask.index ?? 0) + 1}`;
    case 'display':
      return `DISPLAY "${textWords(request.ask.text ?? texts.welcome)}"`;
    case 'subscribe':
      return `${request.ask.on === 0 ? 'UNSUBSCRIBE' : 'SUBSCRIBE'} ${request.ask.ids ?? 'all notifications'}`;
    case 'getProperty':
      return `${propertyWords(request.ask.oid)}?`;
    case 'setProperty':
      return `SET ${propertyWords(request.ask.oid)} = ${toHex(request.ask.value)}`;
    case 'echo':
      return `ECHO, ${request.ask.data.length / 2} bytes`;
    case 'keyInfo':
      return `KEY IN SLOT ${request.ask.slot}?`;
    case 'restart':
      return request.ask.powerOff === 1 ? 'POWER OFF' : 'RESTART';
  }
};

const startWords = ({ sale, readers, options, seconds }: MmsAsk<'start'>): string => {
  const type = ({ '00': 'purchase', '20': 'refund' } as const)[sale.type] ?? `type ${sale.type}`;
  const currency = sale.currency;
  const amount = currency === undefined ? `${sale.amountMinor}` : printMoney({ minor: sale.amountMinor, currency });
  const ways = (['chip', 'tap', 'swipe'] as const).filter((each) => readers === undefined || (readers[each] ?? 1) > 0);
  const by = readers?.manual === undefined ? ways.join(', ') : 'typed';
  const quick = Number.parseInt(options ?? '0003', 16) % 2 === 1 ? ', quick chip' : '';
  return `START TRANSACTION ${type} ${amount}, ${by}, ${seconds === 0 ? 'no time limit' : `${seconds} s`}${quick}`;
};

const resumeWords = ({ arpc }: MmsAsk<'resume'>): string => {
  const list = contentOf('1004', arpc);
  const arc = Buffer.from(findDeep(list, '8A')?.value ?? []).toString('latin1');
  const more = [
    ...(findDeep(list, '91') === undefined ? [] : ['issuer data']),
    ...(findDeep(list, '71') === undefined && findDeep(list, '72') === undefined ? [] : ['scripts']),
  ];
  return `HOST SAYS ${printable(arc, 2)}${more.length === 0 ? '' : ` with ${more.join(' and ')}`}`;
};

const textWords = (id: number): string => {
  const name = Object.entries(texts).find(([, each]) => each === id)?.[0];
  return name === undefined ? `text ${id}` : name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
};

export const propertyWords = (oid: string): string => {
  const name = propertyNamed(oid);
  return name === undefined ? `PROPERTY ${oid}` : `PROPERTY ${oid}, ${properties[name].says}`;
};

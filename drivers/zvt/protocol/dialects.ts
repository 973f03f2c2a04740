/** The dialects of ZVT terminals. A pure table; each row is played where the simulated terminal does such a thing. */
import type { Dialects } from '../../simulation/simulator.ts';
import type { ZvtCommandName } from './commands.ts';
import { codePage } from './fields.ts';

export const zvtDialects = {
  'version-always': {
    says: '0501 is answered with the software version, whatever the service byte asks',
    source: 'PA00P015 13.08, 2.56.5; captures in github EVerest/zvt',
    models: 'Feig cVEND',
    about: 'version',
  },
  'version-never': {
    says: '0501 is answered with the state alone',
    source: 'PA00P015 13.08, 2.56.5: the version is optional',
    shows: 'pairing and diagnosis name no software version',
    about: 'version',
  },
  'version-long': {
    says: '0501 is answered with a software version of forty characters (F0 F4 F0) and the state, in any case',
    source: 'capture in github EVerest/zvt (060F89F0F4F0…)',
    models: 'Feig cVEND plug',
    about: 'version',
  },
  'status-bare': {
    says: '0501 is answered with only the state (06 0F 01 xx), whatever the service byte asks',
    source: 'PA00P015 13.08, 2.56.5; github bezahl-online/zvt reads no other form',
    about: 'version',
  },
  'status-plain': {
    says: '0501 with a service byte is refused by 84 9A: it knows only the password',
    source: 'assumed: terminals of revisions before the service byte; Portalum.Zvt and kotlin-zvt-library send none',
    about: 'version',
  },
  'containers-always': {
    says: 'containers are sent although the register sent none',
    source: 'github Portalum/Portalum.Zvt issue 11 (capture)',
    about: 'containers',
  },
  'currency-always': {
    says: 'a result names the currency even if the command did not',
    source: 'github Portalum/Portalum.Zvt issue 11 (capture)',
    about: 'currency',
  },
  'result-last': {
    says: 'the bitmaps of a result are in the order of the document’s table: 04 first, 27 last',
    source: 'PA00P015 13.08, 3.1.1: any order, old registers rely on the table’s',
    about: 'order',
  },
  'result-again': {
    says: 'a wrong PIN is reported as a result (37), the PIN is typed again, and a second result is the payment’s',
    source: 'PA00P015 13.08, 2.2',
    shows: 'the customer types the PIN again in the same sale; only the last result counts',
    about: 'pin',
  },
  'result-twice': {
    says: 'each result is sent twice',
    source: 'PA00P015 13.08, 2.2.6: status information can be sent again',
    about: 'results',
  },
  'bitmap-unknown': {
    says: 'a result ends with an undocumented bitmap',
    source: 'assumed: revisions behind 13.09 may add bitmaps',
    about: 'bitmaps',
  },
  'pan-filled': {
    says: 'the masked card number is padded with F to ten bytes',
    source: 'PA00P015 13.08, 3.1.1, bitmap 22: F fills',
    about: 'pan',
  },
  'prints-first': {
    says: 'receipts come before the result',
    source: 'PA00P015 13.08, 2.2.7: the order of results and receipts is not fixed',
    about: 'prints',
  },
  'prints-lines': {
    says: 'receipts come line by line (06D1), although text blocks are allowed',
    source: 'PA00P015 13.08, 9.4.2, tag 26: a permission, not a request',
    models: 'card complete’s terminals',
    shows: 'the receipt is laid out as the terminal prints it, line by line',
    about: 'receipts',
  },
  'prints-styled': {
    says: 'receipts come line by line, centred, in double width and with line feeds as separate lines',
    source: 'PA00P015 13.08, 3.5, table 16',
    shows: 'the receipt has only the text: no centred lines, no double width',
    about: 'receipts',
  },
  'prints-split': {
    says: 'a receipt comes in several text blocks, the last of which ends it',
    source: 'PA00P015 13.08, 3.6; 1,648 bytes in pieces: github Portalum/Portalum.Zvt issue 8',
    about: 'receipts',
  },
  'endings-told': {
    says: 'the completion and the abort contain bitmaps and a text',
    source: 'PA00P015 13.08, 3.2 and 3.3 (tags 1F16, 1F17)',
    models: 'CCV IM30',
    about: 'endings',
  },
  'status-times': {
    says: 'a status contains a new time-out (T4: ten minutes) and a text',
    source: 'PA00P015 13.08, 3.7; capture in github bezahl-online/zvt',
    models: 'Worldline Valina',
    shows: 'a close can take as long as the terminal announced; the till waits',
    about: 'statuses',
  },
  'reversal-as-credit': {
    says: 'a reversal is booked as a separate credit: its result has no original trace number (37)',
    source: 'card complete, ZVT-Präzisierung 22, 3.2.8.2 (contactless payments)',
    models: 'card complete’s terminals',
    shows: 'the terminal’s own list has a refund where the till has a void',
    about: 'reversals',
  },
  'reversal-same-number': {
    says: 'a reversal has the receipt number of its payment, and a trace number of its own',
    source: 'assumed: the document gives a reversal no number; in captures it has its own',
    about: 'reversals',
  },
  'day-by-itself': {
    says: 'it ends its day by itself, at the first payment of a new date: status 0F and a receipt, then the payment',
    source: 'PA00P015 13.08, 3.7, table 17: status 0F; that this happens within a payment is assumed',
    shows: 'a void of an earlier sale of the day is refused, and the close reports another total',
    about: 'day',
  },
  'repeat-bare': {
    says: '0620 repeats the receipt alone, without a result (040F), whatever the service byte asks',
    source: 'PA00P015 13.08, 2.20, table 5: the default of a terminal that ignores the byte',
    shows: 'a person must decide each sale whose line was lost',
    about: 'repeat',
  },
  'repeat-none': {
    says: '0620 is refused by 84 83, even after a payment: it stores nothing',
    source: 'PA00P015 13.08, 2.20; a terminal without the function: github Portalum/Portalum.Zvt issue 26',
    shows: 'a person must decide each sale whose line was lost',
    about: 'repeat',
  },
  'repeat-before': {
    says: '0620 reports the payment before the last one',
    source: 'assumed: the receipt store of a terminal that files a payment with the next one',
    shows: 'a person must decide each sale whose line was lost',
    about: 'repeat',
  },
  'repeat-approved': {
    says: '0620 reports the last approved payment: a declined one is not stored',
    source: 'assumed, as card complete’s ZVT-Präzisierung 22 has receipts of approved payments only',
    about: 'repeat',
  },
  'repeat-acknowledged': {
    says: '0620 reports the last payment whose end the register acknowledged; an unacknowledged one is booked, too',
    source: 'assumed: a receipt store that is written when the register has taken the receipt',
    shows: 'a person must decide a sale whose line was lost after the card',
    about: 'repeat',
  },
  'repeat-busy': {
    says: '0620 is refused by 84 A0 for three seconds after a payment, and its state is 9C',
    source: 'PA00P015 13.08, chapter 10, A0; assumed: while it shows the outcome or prints',
    about: 'repeat',
  },
  'totals-none': {
    says: 'the totals of the day need a close: 0610 is refused by 84 83',
    source: 'PA00P015 13.08, 2.66: a terminal refuses what it does not have; which ones lack 0610 is not public',
    shows: 'a person must decide a sale whose line was lost after the terminal took it, unless 0620 reports it',
    about: 'totals',
  },
  'totals-sum': {
    says: 'the totals of the day are only a sum (04): no receipt numbers and no single sums (60)',
    source: 'PA00P015 13.08, 3.1.3: bitmap 60 can be left out; captures of two makers have it',
    shows: 'a person must decide a sale whose line was lost after the terminal took it, unless 0620 reports it',
    about: 'totals',
  },
  'unheard-reversed': {
    says: 'a payment whose result or receipt the register did not acknowledge is reversed, and repeated as 6C',
    source: 'PA00P015 13.08, 2.2.8; card complete, ZVT-Präzisierung 22, 3.2.2.11 sets it to declined',
    about: 'unheard',
  },
  'socket-each': {
    says: 'it closes the connection after each command, and remembers the registration',
    source: 'assumed: terminals whose registers connect for each command; card complete’s keep the registration',
    shows: 'the first step of a sale takes a moment longer',
    about: 'socket',
  },
  'socket-idle': {
    says: 'it closes a connection after an idle minute, and forgets the registration',
    source: 'github Portalum/Portalum.Zvt issue 14: the connection ends when it is idle',
    shows: 'the first step of a sale takes a moment longer',
    about: 'socket',
  },
  'second-refused': {
    says: 'a second connection is accepted and closed at once',
    source: 'assumed: terminals serve one register',
    shows: 'the second till’s error says that another register may be connected',
    about: 'connections',
  },
  'first-dropped': {
    says: 'a second connection ends the first',
    source: 'assumed: terminals serve one register, the latest',
    shows: 'the first till’s error says that another register may have connected',
    about: 'connections',
  },
  'texts-latin': {
    says: 'texts are in ISO 8859-1, and nothing names the set',
    source: 'PA00P015 13.08, 9.4.2, tag 14 has code page 437 as default; captures in github bezahl-online/zvt',
    models: 'Worldline Valina',
    about: 'texts',
  },
  'texts-unicode': {
    says: 'texts are in UTF-8, and nothing names the set',
    source: 'assumed: terminals on Android',
    about: 'texts',
  },
  'texts-latin-named': {
    says: 'texts are in ISO 8859-1, named by each text block (tag 14)',
    source: 'PA00P015 13.08, 9.4.2, tag 14',
    about: 'texts',
  },
  'texts-unicode-named': {
    says: 'texts are in UTF-8, named by the end of the registration (tag 27)',
    source: 'PA00P015 13.08, 9.4.2, tags 14 and 27',
    about: 'texts',
  },
  'texts-seven-bits': {
    says: 'texts have seven bits, with umlauts in place of brackets and braces; the registration names the set',
    source: 'PA00P015 13.08, 15.1 and 9.4.2, tag 14',
    about: 'texts',
  },
  'locked-day': {
    says: 'it is locked until the end of day (F0): every payment ends by 061E F0 until 0650',
    source: 'PA00P015 13.08, 7.1',
    shows: 'sales fail and nothing is charged until the day is closed',
    about: 'lock',
  },
  'locked-diagnosis': {
    says: 'it is locked until a diagnosis (C2): every payment ends by 061E C2 until 0670',
    source: 'PA00P015 13.08, 7.1',
    shows: 'sales fail and nothing is charged until the terminal is diagnosed',
    about: 'lock',
  },
  'locked-initialisation': {
    says: 'it is locked until an initialisation (51): every payment ends by 061E 51 until 0693',
    source: 'PA00P015 13.08, 7.1',
    shows: 'sales fail and nothing is charged until it is initialised in its own menu',
    about: 'lock',
  },
  'locked-clock': {
    says: 'it is locked until its clock is set (62): every payment ends by 061E 62 until 0691',
    source: 'PA00P015 13.08, 7.1',
    shows: 'sales fail and nothing is charged until its clock is set in its own menu',
    about: 'lock',
  },
} as const satisfies Dialects;

/** A state in which it accepts no payment, and the command that ends it. */
export type Lock = { state: string; lifts: ZvtCommandName };

const locks: Readonly<Partial<Record<ZvtDialect, Lock>>> = {
  'locked-day': { state: 'F0', lifts: 'endOfDay' },
  'locked-diagnosis': { state: 'C2', lifts: 'diagnosis' },
  'locked-initialisation': { state: '51', lifts: 'initialisation' },
  'locked-clock': { state: '62', lifts: 'setClock' },
};

export const lockOf = (isDialect: ZvtDialectPredicate): Lock | undefined =>
  Object.entries(locks).find(([name]) => isDialect(name as ZvtDialect))?.[1];

export type ZvtDialect = keyof typeof zvtDialects;
export type ZvtDialectPredicate = (dialect: ZvtDialect) => boolean;

const sets: Readonly<Partial<Record<ZvtDialect, string>>> = {
  'texts-latin': '01',
  'texts-unicode': 'FE',
  'texts-latin-named': '01',
  'texts-unicode-named': 'FE',
  'texts-seven-bits': '00',
};

/** The character set of its texts, as in tag 14: code page 437 by default. */
export const setOf = (isDialect: ZvtDialectPredicate): string =>
  Object.entries(sets).find(([name]) => isDialect(name as ZvtDialect))?.[1] ?? codePage;

/** Whether it names that set, and where. */
export const namesSet = (isDialect: ZvtDialectPredicate, where: 'registration' | 'texts'): boolean =>
  where === 'texts'
    ? isDialect('texts-latin-named')
    : isDialect('texts-unicode-named') || isDialect('texts-seven-bits');

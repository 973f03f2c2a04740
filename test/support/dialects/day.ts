/**
 * A day at a simulated terminal that speaks a dialect: a sale, a second sale, a void, a refund and a close, each a
 * separate command, and the totals of the till and of whoever holds the money.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAmount, printMoney } from '../../../src/base/money.ts';
import { testCards } from '../../../src/emv/test-cards.ts';
import { scanForCardData } from '../leaks/leak-scan.ts';
import { command, type Ended, simulatedTerminal } from './programs.ts';

export const steps = ['sale', 'second sale', 'void', 'refund', 'close'] as const;
export type Step = (typeof steps)[number];

/** The result of one command. */
export type Answer = {
  done: boolean;
  /** Whether it is known what became of the money. */
  known: boolean;
  text: string;
  receipt?: number;
};

export type Day = {
  answers: Readonly<Record<Step, Answer>>;
  /** Who reports the turnover: the terminal, or the gateway if the terminal only reads cards. */
  holder: 'terminal' | 'gateway' | 'nobody';
  /** Minor units of EUR; undefined if not reported. */
  held: bigint | undefined;
  till: bigint | undefined;
  /** The till’s complaints at the close, and files with a card number in clear. */
  complaints: readonly string[];
};

/**
 * `sells`: false for a terminal that is locked until somebody does something at it, `never` for one on which no sale
 * can succeed.
 */
export type Row = { protocol: string; dialect: string | undefined; sells: boolean | 'never' };

const amounts = { sale: '12.50', 'second sale': '7.30', refund: '3.00' } as const;

/** The first sale asks for the PIN, and the second one is a tap. */
const scenario = {
  presentations: [
    { card: 'visa-credit', by: 'chip', afterMs: 10 },
    { card: 'visa-credit', by: 'tap', afterMs: 10 },
  ],
};

/** Runs it in a separate folder, which is deleted afterwards. */
export const playDay = async (row: Row): Promise<Day> => {
  const folder = mkdtempSync(join(tmpdir(), 'dialect-'));
  try {
    writeFileSync(join(folder, 'scenario.json'), JSON.stringify(scenario));
    const dialectFlags = row.dialect === undefined ? [] : ['--dialect', row.dialect];
    const args = [row.protocol, '--scenario', 'scenario.json', '--data', 'cards', ...dialectFlags];
    const terminal = await simulatedTerminal(args, folder);
    try {
      const till: Till = (...args) => command(['till', ...args, '--terminal', terminal.at, '--json'], folder);
      const day = await dayAt(till, row);
      return { ...day, complaints: [...day.complaints, ...leaksIn(folder)] };
    } finally {
      await terminal.end();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const APPROVED = 'approved';

const cardNumbers = Object.values(testCards).map(({ pan }) => pan);

const leaksIn = (folder: string): string[] =>
  scanForCardData({ roots: [folder], needles: cardNumbers }).map(({ file }) => `a card’s number stands in ${file}`);

type Till = (...args: string[]) => Promise<Ended>;

const dayAt = async (till: Till, { sells }: Row): Promise<Day> => {
  const sale = await firstSale(till, sells);
  const second = answerOf(await till('sell', amounts['second sale']), APPROVED);
  const voided = await followUp(till, sale, ['void'], 'voided');
  const refunded = await followUp(till, second, ['refund', amounts.refund], 'refunded');
  const closing = await till('batch', 'close');
  const answers = { sale, 'second sale': second, void: voided, refund: refunded, close: closeOf(closing) };
  return { answers, ...booksOf(jsonOf(closing)) };
};

/** Follows the till's instructions for a locked terminal, and tries again after each. */
const firstSale = async (till: Till, sells: Row['sells']): Promise<Answer> => {
  const sell = async (): Promise<Answer> => answerOf(await till('sell', amounts.sale), APPROVED);
  let answer = await sell();
  if (sells || answer.done) return answer;
  for (const [args, remedy] of [
    [['diagnose'], 'a diagnosis'],
    [['batch', 'close'], 'a close'],
  ] as const) {
    await till(...args);
    answer = await sell();
    if (answer.done) return { ...answer, text: `approved, after ${remedy}` };
  }
  return answer;
};

const NOTHING: Answer = { done: false, known: true, text: 'nothing to do it to' };

const followUp = async (till: Till, to: Answer, args: readonly string[], done: string): Promise<Answer> => {
  const [name = '', ...rest] = args;
  return to.done && to.receipt !== undefined ? answerOf(await till(name, String(to.receipt), ...rest), done) : NOTHING;
};

type Json = {
  ending?: string;
  says?: string;
  receipt?: number;
  closed?: false;
  fault?: { says: string };
  report?: { currencies: { net: string }[] };
  brands?: { gateway: string }[];
  terminal?: { lines?: string[]; agrees?: boolean };
  differences?: unknown[];
  open?: unknown[];
  unbalanced?: unknown[];
};

const jsonOf = ({ out }: Ended): Json => {
  try {
    return JSON.parse(out) as Json;
  } catch {
    return {};
  }
};

/** The output of a command that did not do what was requested. */
const refusalOf = (ended: Ended): string => {
  const { says, fault } = jsonOf(ended);
  const last = ended.err.trim().split('\n').at(-1);
  return fault?.says ?? says ?? (last || `ended with ${ended.code}`);
};

const answerOf = (ended: Ended, done: string): Answer => {
  const { ending, receipt } = jsonOf(ended);
  const isDone = ended.code === 0 && ending === 'approved';
  return {
    ...{ done: isDone, known: ended.code !== null && ending !== 'unknown' },
    text: isDone ? done : refusalOf(ended),
    receipt,
  };
};

const closeOf = (ended: Ended): Answer => {
  const { report, closed } = jsonOf(ended);
  const isDone = ended.code === 0 && report !== undefined;
  const text = closed === false ? 'not closed: money is open' : refusalOf(ended);
  return { done: isDone, known: ended.code !== null, text: isDone ? 'closed' : text };
};

type Books = Omit<Day, 'answers'>;

const booksOf = ({ report, brands = [], terminal, differences = [], open = [], unbalanced = [] }: Json): Books => {
  const total = /\bTOTAL +(-?\d+\.\d\d) EUR/.exec(terminal?.lines?.join('\n') ?? '')?.[1];
  const net = report?.currencies.map(({ net }) => minorOf(net));
  const holder = terminal === undefined ? 'gateway' : 'terminal';
  const ofGateway = report && sum(brands.map(({ gateway }) => minorOf(gateway)));
  const ofTerminal = total === undefined ? undefined : minorOf(total);
  return {
    ...{ holder: report === undefined ? 'nobody' : holder, held: terminal === undefined ? ofGateway : ofTerminal },
    till: net && sum(net),
    complaints: [
      ...(terminal?.agrees === false ? ['the till says that the terminal has another sum'] : []),
      ...(differences.length > 0 ? ['the till says that the gateway has other sums'] : []),
      ...(open.length + unbalanced.length > 0 ? ['the till closed over open money'] : []),
    ],
  };
};

const sum = (all: readonly bigint[]): bigint => all.reduce((so, each) => so + each, 0n);

const minorOf = (text: string): bigint => {
  const isBelow = text.startsWith('-');
  const { minor } = parseAmount(isBelow ? text.slice(1) : text, 'EUR');
  return isBelow ? -minor : minor;
};

/** Amounts for people; a dash for a missing one. */
export const sumWords = (minor: bigint | undefined): string =>
  minor === undefined ? '—' : printMoney({ minor, currency: 'EUR' });

/** The total of the successful commands. */
export const dueOf = ({ sale, 'second sale': second, void: voided, refund }: Day['answers']): bigint =>
  sum([
    ...(sale.done ? [minorOf(amounts.sale)] : []),
    ...(second.done ? [minorOf(amounts['second sale'])] : []),
    ...(voided.done ? [-minorOf(amounts.sale)] : []),
    ...(refund.done ? [-minorOf(amounts.refund)] : []),
  ]);

/** Every sale is refused with a text about the money, and nobody holds any money. */
const wrongInRefused = ({ answers, held = 0n, till = 0n }: Day): string[] => {
  const approvedSteps = steps.filter((step) => step !== 'close' && answers[step].done);
  const wordless = (['sale', 'second sale'] as const).filter((step) => !/cannot take cards/.test(answers[step].text));
  return [
    ...approvedSteps.map((step) => `${step}: it was to be refused, and was done`),
    ...wordless.map((step) => `${step}: not refused in words: ${answers[step].text}`),
    ...(held + till === 0n ? [] : [`${sumWords(held + till)} of sales that were refused`]),
  ];
};

/** What is wrong with the day; empty when till, terminal and commands agree. */
export const wrongIn = (day: Day, { sells }: Pick<Row, 'sells'>): string[] => {
  const { answers, holder, held, till } = day;
  const unknown = steps.filter((step) => !answers[step].known);
  const lines = [...unknown.map((step) => `${step}: nobody knows what became of it`), ...day.complaints];
  // A terminal that is locked until somebody does something at it sells nothing, and its day cannot be closed before
  // that.
  if (!sells && steps.every((step) => !answers[step].done)) return lines;
  if (sells === 'never') return [...lines, ...wrongInRefused(day)];
  const due = dueOf(answers);
  return [
    ...(sells || answers.sale.text !== APPROVED ? [] : ['it was to be locked, and sold at once']),
    ...steps.filter((step) => !answers[step].done).map((step) => `${step}: ${answers[step].text}`),
    ...(held === due ? [] : [`by the ${holder} it is ${sumWords(held)}, by the commands ${sumWords(due)}`]),
    ...(till === due ? [] : [`by the till it is ${sumWords(till)}, by the commands ${sumWords(due)}`]),
    ...lines,
  ];
};

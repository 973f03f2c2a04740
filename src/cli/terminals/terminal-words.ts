/** Terminals in words: tables of what was found, keys and candidates, and the questions that commands ask. */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Candidate, Probed } from '../../../drivers/discovery.ts';
import type { KeyState } from '../../../drivers/terminal.ts';
import { Fault } from '../../base/fault.ts';
import { tell } from '../terms.ts';

const BAR = 30;

/** A bar for people: a log or a script gets none. The last step wipes it. */
export const showProgress = (done: number, all: number, what: string): void => {
  if (!process.stderr.isTTY || all === 0) return;
  const full = Math.round((done / all) * BAR);
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${all} ${what}`;
  process.stderr.write(done < all ? `\r${bar}` : `\r${' '.repeat(bar.length)}\r`);
};

/** Names and values in two columns; a value of several lines goes on under itself. */
export const table = (rows: readonly (readonly [name: string, value: string | readonly string[]])[]): string[] => {
  const wide = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, value]) =>
    [value].flat().map((line, at) => `${(at === 0 ? name : '').padEnd(wide)}  ${line}`.trimEnd()),
  );
};

const uses = { sred: 'card data', pin: 'PIN', mac: 'message checks' } as const;

/** Wide enough for `message checks, slot 2009`. */
const keyPlace = 25;

/** `card data  ready  FFFF9876543210E00001  1,048,570 uses left`. */
export const keyLines = (keys: readonly KeyState[] | undefined): string[] => {
  if (keys === undefined) return ['kept by the terminal, which asks its own host'];
  if (keys.length === 0) return ['it tells of none'];
  return keys.map(({ use, slot, ksn, usesLeft, ready }) => {
    const parts = [
      `${uses[use]}${slot === undefined ? '' : `, slot ${slot}`}`.padEnd(keyPlace),
      (ready ? 'ready' : 'MISSING').padEnd(7),
      ksn ?? '',
      usesLeft === undefined ? '' : `${usesLeft.toLocaleString('en-US')} uses left`,
    ];
    return parts
      .filter((part) => part !== '')
      .join('  ')
      .trimEnd();
  });
};

const id = (value: number | undefined): string => (value ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** One candidate in one line: how likely it is, where, and what is known of it. */
export const candidateLine = ({ likely, place, fits, family, usb }: Candidate): string => {
  const sure = fits.length === 1 ? fits[0]?.address : undefined;
  const words = [
    family ?? usb?.product ?? (usb === undefined ? 'a port of the mainboard' : undefined),
    usb?.manufacturer,
    usb?.vendorId === undefined ? undefined : `USB ${id(usb.vendorId)}:${id(usb.productId)}`,
    usb?.serial === undefined ? undefined : `serial number ${usb.serial}`,
    sure === undefined ? `to be asked as ${fits.map(({ driver }) => driver).join(', ')}` : undefined,
  ].filter((part) => part !== undefined);
  return `${likely.padEnd(8)}  ${(sure ?? place).padEnd(32)}  ${words.join(' · ')}`;
};

/** Why a place is no terminal: driver by driver, in one sentence. */
export const triedWords = ({ candidate, tried }: Probed): string => {
  const each = tried.map(({ address, why }) => `${address.replace(/\+.*$/s, '')}: ${why.message}`);
  return `${candidate.place} (${each.join('; ')})`;
};

export const searchWords = (probed: readonly Probed[]): string => {
  const silent = probed.filter(({ found }) => found.length === 0);
  if (silent.length === 0) return 'nothing that may be a terminal is plugged in';
  return `${silent.length} place${silent.length === 1 ? '' : 's'} asked: ${silent.map(triedWords).join(', ')}`;
};

/** Whether there is a person to ask. */
export const canAsk = ({ yes, json }: { yes?: true; json?: true }): boolean =>
  process.stdin.isTTY === true && process.stderr.isTTY === true && yes !== true && json !== true;

/**
 * Whether it is wanted: said beforehand by `--yes`, or asked, with what to know told first. Where there is nobody to
 * ask it is not, and what to add to the command is told.
 */
export const isWanted = async (
  flags: { yes?: true; json?: true },
  { question, toAdd, know }: { question: string; toAdd: string; know?: string },
): Promise<boolean> => {
  if (flags.yes === true) return true;
  if (!canAsk(flags)) {
    if (flags.json !== true) tell(toAdd);
    return false;
  }
  if (know !== undefined) tell(know);
  const isGood = (text: string): boolean => ['yes', 'no'].includes(text);
  return (await ask(`${question} (yes or no)`, { suggestion: 'no', isGood })) === 'yes';
};

/** Asks until the answer is good; an empty one is the suggestion. Throws `command.malformed` when nobody answers. */
export const ask = async (
  question: string,
  { suggestion, isGood }: { suggestion: string; isGood: (text: string) => boolean },
): Promise<string> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const stopped = new Promise<never>((_, reject) => {
    const stop = () =>
      reject(new Fault('command.malformed', { why: 'It was stopped at a question: nothing was changed' }));
    lines.once('SIGINT', stop);
    lines.once('close', stop);
  });
  try {
    for (;;) {
      const words = styleText('bold', question, { stream: process.stderr });
      const said = (await Promise.race([lines.question(`${words} [${suggestion}] `), stopped])).trim();
      const answer = said === '' ? suggestion : said;
      if (isGood(answer)) return answer;
    }
  } finally {
    // What the close rejects is heard by nobody any more.
    stopped.catch(() => {});
    lines.close();
  }
};

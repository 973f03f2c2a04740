import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type FaultCode, faults as faultRows } from '../../src/base/faults.ts';
import { load } from '../../src/locales/load.ts';
import { languages } from '../../src/locales/screens.ts';
import { translateFault } from '../../src/locales/translate.ts';
import type { MessageRow } from '../../src/locales/translation.ts';
import { withSlashes } from '../support/platform/platform.ts';

type Tag = keyof typeof languages;
type HiddenFaults = { reason: string; usedIn: RegExp; codes: readonly FaultCode[] };

/** Faults that no screen ever shows, why, and the only files that may use them. */
const neverOnScreens: readonly HiddenFaults[] = [
  {
    reason: 'the gateway’s own: a till hears of them as answers or silence',
    usedIn: /^src\/(gateway|cli)\//,
    codes: [
      ...(['gateway.port', 'gateway.configuration', 'gateway.stopping', 'gateway.busy', 'gateway.state'] as const),
      ...(['vault.damaged', 'vault.unwritable', 'vault.busy', 'vault.keyGiven', 'vault.keyUnknown'] as const),
      ...(['vault.foreign', 'vault.broken', 'vault.refused', 'wallet.refused', 'widget.missing'] as const),
      ...(['schedule.aside', 'settlement.early', 'settlement.unsent', 'chargebacks.unreadable'] as const),
      'log.unwritable',
    ],
  },
  {
    reason: 'the command line’s alone: unsent payments handed over between tills, files named by hand, typed PINs',
    usedIn:
      /^src\/(cli\/|(takeover\/(service|taken-over-tills|unsent|unsent-file)|api\/actor|ledger\/handed-over|books\/journal-tools|terminals\/support\/support-bundle)\.ts$)/,
    codes: [
      ...(['export.malformed', 'export.version', 'export.unproven', 'export.forged', 'export.closed'] as const),
      'export.newer',
      ...(['export.weak', 'export.onePerson', 'export.nothing', 'export.unwritable', 'export.unprepared'] as const),
      ...([
        'export.own',
        'export.known',
        'export.otherGateway',
        'export.otherMode',
        'export.noneOut',
        'journal.missing',
      ] as const),
      ...(['bundle.cardData', 'bundle.unwritable', 'staff.pinMissing'] as const),
      ...(['secrets.wrongCode', 'secrets.tillRuns', 'posKey.approvalNeeded'] as const),
    ],
  },
  {
    reason: 'said at the start, when there are no screens yet',
    usedIn: /^src\/app\/serve-(page|listen)\.ts$/,
    codes: ['screens.missing', 'screens.port'],
  },
  {
    reason: 'of commands that speak to a till that runs',
    usedIn: /^src\/cli\//,
    codes: ['till.unreachable', 'till.notRunning', 'boot.refused', 'boot.share'],
  },
];

/** Texts that make sense only at a prompt. */
const command = /npm run|(^|[\s„“«(])--[a-z]|till --/;

const hidden = new Set<string>(neverOnScreens.flatMap(({ codes }) => codes));
const shownCodes = (Object.keys(faultRows) as FaultCode[]).filter((code) => !hidden.has(code));
const tags = (Object.keys(languages) as Tag[]).filter((tag) => tag !== 'en');
const textOf = ({ says = '', money = '', next }: MessageRow): string => `${says}\n${money}\n${next}`;

test.each(tags)('%s has a text for every fault that a screen can show, and for no other', async (tag) => {
  const { faults } = (await load[tag]()).messages;
  expect(Object.keys(faults).sort()).toEqual([...shownCodes, 'till.away'].sort());
});

test.each(neverOnScreens)('no screen can show these faults: $reason', ({ codes, usedIn }) => {
  const files = globSync(['src/**/*.{ts,tsx}', 'drivers/**/*.ts'])
    .map(withSlashes)
    .filter((file) => !/^src\/(base\/faults\.ts|locales\/)/.test(file));
  const usingFiles = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return codes.some((code) => text.includes(`'${code}'`));
  });
  expect(usingFiles.filter((file) => !usedIn.test(file))).toEqual([]);
});

test.each(tags)('%s: two faults say the same about the money exactly where the till’s own texts do', async (tag) => {
  const messages = (await load[tag]()).messages;
  const codesByMoney = new Map<string, Set<string>>();
  const back = new Map<string, Set<string>>();
  for (const code of shownCodes) {
    const expected = faultRows[code].money;
    const their = translateFault({ messages, language: tag }, { code, ...faultRows[code] }).money;
    codesByMoney.set(expected, (codesByMoney.get(expected) ?? new Set()).add(their));
    back.set(their, (back.get(their) ?? new Set()).add(expected));
  }
  expect([...codesByMoney.values(), ...back.values()].filter(({ size }) => size !== 1)).toEqual([]);
});

test.each(Object.keys(languages) as Tag[])('%s: no fault on a screen mentions commands', async (tag) => {
  const { faults } = (await load[tag]()).messages;
  expect(shownCodes.filter((code) => command.test(textOf(faults[code] ?? faultRows[code])))).toEqual([]);
});

test('in English a screen says what happened and what it means for the money as the till does', async () => {
  const { faults } = (await load.en()).messages;
  for (const [code, { says, money }] of Object.entries(faults)) {
    const expected = faultRows[code as FaultCode];
    expect([code, says ?? expected.says, money ?? expected.money]).toEqual([code, expected.says, expected.money]);
  }
});

test('each part of a fault is in the reader’s language, whichever table has it', async () => {
  const { messages } = await load.de();
  const fault = translateFault({ messages, language: 'de' }, { code: 'pin.block', ...faultRows['pin.block'] });
  expect(fault.money).toBe('Es wurde nichts belastet.');
  const english = translateFault(
    { ...(await load.en()), language: 'en' },
    { code: 'file.held', ...faultRows['file.held'] },
  );
  expect(english).toMatchObject({ says: faultRows['file.held'].says, money: 'Nothing was changed.' });
});

test('facts keep their own direction in right-to-left text', async () => {
  const facts = { port: '/dev/ttyACM0 (2.0)', why: 'no such file.' };
  const problem = { code: 'link.lost', says: '', money: '', next: '', remedy: 'inquire', facts } as const;
  const says = async (tag: Tag) => translateFault({ ...(await load[tag]()), language: tag }, problem).says;
  expect(await says('ar')).toContain('\u2068/dev/ttyACM0 (2.0)\u2069');
  expect(await says('ar')).toContain('\u2068no such file.\u2069');
  expect(await says('de')).toContain('an /dev/ttyACM0 (2.0) ging');
});

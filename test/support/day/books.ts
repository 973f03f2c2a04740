/**
 * What a manager does when the shop closes, each as one flow: looks at the day, deals with open money, closes, saves
 * files.
 */
import { expect } from 'vitest';
import { fill } from '../../../src/base/placeholders.ts';
import { reportLanguage } from '../../../src/locales/reports.ts';
import { sections } from '../../../src/ui/manager/sections.ts';
import type { Finder, Place, SavedFile } from '../engines/page.ts';
import type { Hands } from './hands.ts';
import type { Counter } from './sales.ts';
import type { DayTill } from './till.ts';

export type Books = { till: DayTill; at: Hands; anna: Counter; max: Counter };

/** Goes to a section by its key, or by touching the navigation. */
export const go = async ({ at }: Books, name: (typeof sections)[number]['name']): Promise<void> => {
  const section = sections.find((one) => one.name === name);
  if (at.by === 'keys') await at.press(`Alt+${section?.key}`);
  else await at.page.locator(`nav a[href="${section?.path}"]`).click();
  await at.page.getByRole('heading', { level: 1, name: at.words.manager.sections[name] }).waitFor();
};

/** Types into a field like a person. */
export const write = async ({ at }: Pick<Books, 'at'>, place: Place, text: string): Promise<void> => {
  if (at.by === 'touch') return place.fill(text);
  await at.tabTo(place);
  await at.press('Control+A');
  await at.page.keyboard.type(text);
};

export const button = (place: Finder, name: string): Place => place.getByRole('button', { name, exact: true });

/** Saves the file that a press brings, and reads it. */
export const saved = ({ at }: Pick<Books, 'at'>, place: Place): Promise<SavedFile> =>
  at.visit.saved(() => at.choose(place));

/** A morning and an afternoon: two terminals, a refund, declines; then the gateway dies in the middle of a sale. */
export const sellAllDay = async ({ till, anna, max }: Books): Promise<void> => {
  const endings = [
    await anna.sell('12.50', { card: 'visa-credit', by: 'chip' }),
    await anna.sell('8.41', { card: 'mastercard-tap', by: 'tap' }, 'T2'),
    await anna.sell('24.00', { card: 'visa-poor', by: 'chip' }),
    await max.follow(1, 'refund', '2.50'),
  ];
  till.line.dieAtAnswer();
  endings.push(
    await anna.sell('20.00', { card: 'mastercard-credit', by: 'chip' }),
    await anna.sell('9.90', { card: 'visa-no-cvm', by: 'chip' }),
    await anna.sell('15.00', { card: 'mastercard-m10', by: 'chip' }, 'T2'),
  );
  expect(endings.map(({ receipt, result }) => [receipt, result?.state])).toEqual([
    [1, 'approved'],
    [2, 'approved'],
    [3, 'declined'],
    [4, 'approved'],
    [5, 'unknown'],
    [6, 'offline'],
    [7, 'offline'],
  ]);
};

/** Signs in and looks at the day. */
export const lookAtToday = async ({ till, at }: Books): Promise<void> => {
  const { manager: t } = at.words;
  at.page.setDefaultTimeout(60_000);
  await at.isKnownAt(till.url);
  await at.page.goto(till.url);
  await at.flow('sign in', () => at.signIn('Max'));
  await at.page.getByRole('heading', { level: 1, name: t.sections.today }).waitFor();
  await at.page.getByText(t.today.byTerminal).waitFor();
  await at.page.locator('.recharts-bar-rectangle').first().waitFor();
  await at.shot('manager-01-today');
};

/** Decides how an unresolved sale ended, with evidence. */
export const sayNotCharged = async (day: Books): Promise<void> => {
  const { at } = day;
  const { manager: t } = at.words;
  await at.flow('say how a sale ended', async () => {
    await go(day, 'openItems');
    await at.choose(at.page.locator('.m-item-head').first());
    await at.page.getByText(t.openItems.evidence, { exact: true }).waitFor();
    await at.shot('manager-02-open-item');
    await at.choose(button(at.page, t.openItems.actions.sayNotCharged));
    const dialog = await at.dialog(fill(t.openItems.sayTitle, { receipt: 5 }));
    await write(day, dialog.getByLabel(t.openItems.reason), 'The customer waits');
    await write(day, dialog.getByLabel(t.openItems.evidenceSeen), '<b>The statement shows nothing</b>');
    await at.shot('manager-03-say');
    await at.choose(button(dialog, t.openItems.sayGo));
    await dialog.waitFor({ state: 'detached' });
  });
};

/** Closes the second terminal's batch although money is open, with a manager's name and reason. */
export const closeOverOpenMoney = async (day: Books): Promise<void> => {
  const { at } = day;
  const { manager: t } = at.words;
  await at.flow('close with open money', async () => {
    await go(day, 'closing');
    await at.page.getByText(t.closing.what.nothingUnsent).waitFor();
    const second = at.page.getByText(`T2 · ${fill(t.batches.batch, { batch: 1 })}`, { exact: true });
    if (at.by === 'touch') await second.click();
    else {
      await at.tabTo(at.page.getByRole('radio').first());
      await at.press('ArrowRight');
    }
    const anyway = button(at.page, t.closing.closeAnyway);
    await at.page
      .getByText(/15[.,]00/)
      .first()
      .waitFor();
    expect(await button(at.page, `T2 · ${fill(t.closing.close, { batch: 1 })}`).isDisabled()).toBe(true);
    await at.shot('manager-04-gate-red');
    await at.choose(anyway);
    const dialog = await at.dialog(t.closing.overrideTitle);
    await write(day, dialog.getByLabel(t.closing.overrideReason), 'The line is down');
    await at.shot('manager-05-override');
    await at.choose(button(dialog, fill(t.closing.overrideGo, { count: 1 })));
    await at.sign('Max');
    await at.page.getByText(`T2 · ${fill(t.closing.done, { batch: 1 })}`).waitFor();
  });
  const { openMoney, overriddenBy } = (await reportLanguage(at.language)).reports;
  const signed = new RegExp(`${openMoney}[\\s\\S]*${overriddenBy} +Max`, 'i');
  expect(await at.page.locator('.m-paper').textContent()).toMatch(signed);
  await at.shot('manager-06-closed-over');
};

/** The line is back; another sale is interrupted in the middle and inquired about. */
export const askNow = async (day: Books): Promise<void> => {
  const { till, at, anna } = day;
  const { manager: t } = at.words;
  await till.line.mend();
  await at.flow('send what waits', async () => {
    await go(day, 'openItems');
    const waiting = at.page.locator('.m-item-head', { hasText: fill(t.receipt, { receipt: 6 }) });
    const send = button(at.page, t.openItems.sendAll);
    await waiting.or(at.page.getByText(t.openItems.empty)).first().waitFor();
    if (await waiting.isVisible()) await at.choose(send);
    await waiting.waitFor({ state: 'detached', timeout: 60_000 });
  });
  till.line.dieAtAnswer();
  const sale = await anna.sell('3.30', { card: 'mastercard-credit', by: 'chip' });
  expect(sale).toMatchObject({ receipt: 8, result: { ending: 'unknown' } });
  await at.flow('ask about a sale', async () => {
    await go(day, 'openItems');
    const line = at.page.locator('.m-item-head', { hasText: fill(t.receipt, { receipt: 8 }) });
    await at.choose(line);
    // The line is still down, so nothing can be known. The till itself asks again once the line is back.
    await at.choose(button(at.page, t.openItems.actions.askNow));
    await at.page.getByText(t.openItems.asked).first().waitFor();
    await till.line.mend();
    await line.waitFor({ state: 'detached', timeout: 60_000 });
  });
};

/** Everything is green: signed, printed, saved as a file. */
export const closeInPeace = async (day: Books): Promise<void> => {
  const { till, at } = day;
  const { manager: t } = at.words;
  await at.flow('close the day', async () => {
    await go(day, 'closing');
    const ready = at.page.getByText(t.closing.ready);
    await ready.waitFor({ timeout: 60_000 });
    await at.shot('manager-07-gate-green');
    await at.choose(button(at.page, fill(t.closing.close, { batch: 1 })));
    await at.dialog(fill(t.closing.signTitle, { batch: 1 }));
    await at.shot('manager-08-sign');
    await at.confirm(button(at.page, t.closing.sign));
    await at.sign('Max');
    await at.page.getByText(fill(t.closing.done, { batch: 1 })).waitFor();
  });
  await at.shot('manager-09-closed');
  const before = till.printer.printed.length;
  await at.flow('print the Z report', async () => {
    await at.choose(button(at.page, t.print));
    await at.page.getByText(t.printed).waitFor();
  });
  await expect
    .poll(() => till.printer.printed.slice(before).some(({ kind }) => kind === 'cut'), { timeout: 30_000 })
    .toBe(true);
};

/** The sums of the closed batch, on the screen and in its files. */
export const takeOut = async (day: Books): Promise<void> => {
  const { at } = day;
  const { manager: t } = at.words;
  await at.choose(at.page.getByRole('link', { name: fill(t.batches.batch, { batch: 1 }) }));
  await at.page.getByText('12345678').first().waitFor();
  await at.shot('manager-10-batch');
  const csv = await saved(day, button(at.page, 'CSV'));
  const pdf = await saved(day, button(at.page, 'PDF'));
  expect(csv.name).toMatch(/\.csv$/);
  const moved = csv.bytes
    .toString()
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => Math.round(Number(line.split(',')[5]) * 100));
  expect(moved.reduce((sum, cents) => sum + cents)).toBe(1_990);
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  await go(day, 'reports');
  await at.shot('manager-11-reports');
  // Also when the business day began in another month.
  await at.choose(button(at.page, t.reports.all));
  const sales = (await saved(day, button(at.page, 'CSV').first())).bytes.toString();
  // A minus before a number is a number; everything that a spreadsheet would calculate is none.
  for (const cell of sales.split(/[,\r\n]/)) expect(cell).not.toMatch(/^"?[=+@\t]/);
  // Ids are hex: a run of digits within one is not a card number.
  expect(sales).not.toMatch(/(?<![0-9a-z])\d{13,19}(?![0-9a-z])/);
  const audit = (await saved(day, button(at.page, 'CSV').nth(1))).bytes.toString();
  expect(audit).toContain('The line is down');
};

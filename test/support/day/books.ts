/**
 * What a manager does when the shop closes, each as one flow: looks at the day, deals with open money, closes, saves
 * files.
 */
import { expect } from 'vitest';
import { fill } from '../../../src/base/placeholders.ts';
import { reportLanguage } from '../../../src/locales/reports.ts';
import { sections } from '../../../src/ui/manager/sections.ts';
import type { Finder, Place, SavedFile } from '../engines/page.ts';
import type { Counter } from './sales.ts';
import type { ScreenUser } from './screen-user.ts';
import type { DayTill } from './till.ts';

export type Books = { till: DayTill; user: ScreenUser; anna: Counter; max: Counter };

/** Goes to a section by its key, or by touching the navigation. */
export const openSection = async ({ user }: Books, name: (typeof sections)[number]['name']): Promise<void> => {
  const section = sections.find((one) => one.name === name);
  if (user.by === 'keys') await user.press(`Alt+${section?.key}`);
  else await user.page.locator(`nav a[href="${section?.path}"]`).click();
  await user.page.getByRole('heading', { level: 1, name: user.words.manager.sections[name] }).waitFor();
};

/** Types into a field like a person. */
export const write = async ({ user }: Pick<Books, 'user'>, place: Place, text: string): Promise<void> => {
  if (user.by === 'touch') return place.fill(text);
  await user.tabTo(place);
  await user.press('Control+A');
  await user.page.keyboard.type(text);
};

export const button = (place: Finder, name: string): Place => place.getByRole('button', { name, exact: true });

/** Saves the file that a press brings, and reads it. */
export const saved = ({ user }: Pick<Books, 'user'>, place: Place): Promise<SavedFile> =>
  user.visit.saved(() => user.choose(place));

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
export const lookAtToday = async ({ till, user }: Books): Promise<void> => {
  const { manager: t } = user.words;
  user.page.setDefaultTimeout(60_000);
  await user.isKnownAt(till.url);
  await user.page.goto(till.url);
  await user.flow('sign in', () => user.signIn('Max'));
  await user.page.getByRole('heading', { level: 1, name: t.sections.today }).waitFor();
  await user.page.getByText(t.today.byTerminal).waitFor();
  await user.page.locator('.recharts-bar-rectangle').first().waitFor();
  await user.shot('manager-01-today');
};

/** Decides how an unresolved sale ended, with evidence. */
export const sayNotCharged = async (day: Books): Promise<void> => {
  const { user } = day;
  const { manager: t } = user.words;
  await user.flow('say how a sale ended', async () => {
    await openSection(day, 'openItems');
    await user.choose(user.page.locator('.m-item-head').first());
    await user.page.getByText(t.openItems.evidence, { exact: true }).waitFor();
    await user.shot('manager-02-open-item');
    await user.choose(button(user.page, t.openItems.actions.sayNotCharged));
    const dialog = await user.dialog(fill(t.openItems.sayTitle, { receipt: 5 }));
    await write(day, dialog.getByLabel(t.openItems.reason), 'The customer waits');
    await write(day, dialog.getByLabel(t.openItems.evidenceSeen), '<b>The statement shows nothing</b>');
    await user.shot('manager-03-say');
    await user.choose(button(dialog, t.openItems.sayGo));
    await dialog.waitFor({ state: 'detached' });
  });
};

/** Closes the second terminal's batch although money is open, with a manager's name and reason. */
export const closeOverOpenMoney = async (day: Books): Promise<void> => {
  const { user } = day;
  const { manager: t } = user.words;
  await user.flow('close with open money', async () => {
    await openSection(day, 'closing');
    await user.page.getByText(t.closing.what.nothingUnsent).waitFor();
    const second = user.page.getByText(`T2 · ${fill(t.batches.batch, { batch: 1 })}`, { exact: true });
    if (user.by === 'touch') await second.click();
    else {
      await user.tabTo(user.page.getByRole('radio').first());
      await user.press('ArrowRight');
    }
    const anyway = button(user.page, t.closing.closeAnyway);
    await user.page
      .getByText(/15[.,]00/)
      .first()
      .waitFor();
    expect(await button(user.page, `T2 · ${fill(t.closing.close, { batch: 1 })}`).isDisabled()).toBe(true);
    await user.shot('manager-04-gate-red');
    await user.choose(anyway);
    const dialog = await user.dialog(t.closing.overrideTitle);
    await write(day, dialog.getByLabel(t.closing.overrideReason), 'The line is down');
    await user.shot('manager-05-override');
    await user.choose(button(dialog, fill(t.closing.overrideGo, { count: 1 })));
    await user.sign('Max');
    await user.page.getByText(`T2 · ${fill(t.closing.done, { batch: 1 })}`).waitFor();
  });
  const { openMoney, overriddenBy } = (await reportLanguage(user.language)).reports;
  const signed = new RegExp(`${openMoney}[\\s\\S]*${overriddenBy} +Max`, 'i');
  expect(await user.page.locator('.m-paper').textContent()).toMatch(signed);
  await user.shot('manager-06-closed-over');
};

/** The line is back; another sale is interrupted in the middle and inquired about. */
export const askNow = async (day: Books): Promise<void> => {
  const { till, user, anna } = day;
  const { manager: t, shared } = user.words;
  await till.line.reconnect();
  await user.flow('send what waits', async () => {
    await openSection(day, 'openItems');
    const waiting = user.page.locator('.m-item-head', { hasText: fill(shared.receiptNumber, { receipt: 6 }) });
    const send = button(user.page, t.openItems.sendAll);
    await waiting.or(user.page.getByText(t.openItems.empty)).first().waitFor();
    if (await waiting.isVisible()) await user.choose(send);
    await waiting.waitFor({ state: 'detached', timeout: 60_000 });
  });
  till.line.dieAtAnswer();
  const sale = await anna.sell('3.30', { card: 'mastercard-credit', by: 'chip' });
  expect(sale).toMatchObject({ receipt: 8, result: { ending: 'unknown' } });
  await user.flow('ask about a sale', async () => {
    await openSection(day, 'openItems');
    const line = user.page.locator('.m-item-head', { hasText: fill(shared.receiptNumber, { receipt: 8 }) });
    await user.choose(line);
    // The line is still down, so nothing can be known. The till itself asks again once the line is back.
    await user.choose(button(user.page, t.openItems.actions.askNow));
    await user.page.getByText(t.openItems.asked).first().waitFor();
    await till.line.reconnect();
    await line.waitFor({ state: 'detached', timeout: 60_000 });
  });
};

/** Everything is green: signed, printed, saved as a file. */
export const closeInPeace = async (day: Books): Promise<void> => {
  const { till, user } = day;
  const { manager: t, shared } = user.words;
  await user.flow('close the day', async () => {
    await openSection(day, 'closing');
    const ready = user.page.getByText(t.closing.ready);
    await ready.waitFor({ timeout: 60_000 });
    await user.shot('manager-07-gate-green');
    await user.choose(button(user.page, fill(t.closing.close, { batch: 1 })));
    await user.dialog(fill(t.closing.signTitle, { batch: 1 }));
    await user.shot('manager-08-sign');
    await user.confirm(button(user.page, t.closing.sign));
    await user.sign('Max');
    await user.page.getByText(fill(t.closing.done, { batch: 1 })).waitFor();
  });
  await user.shot('manager-09-closed');
  const previousCount = till.printer.printed.length;
  await user.flow('print the Z report', async () => {
    await user.choose(button(user.page, shared.print));
    await user.page.getByText(t.printed).waitFor();
  });
  await expect
    .poll(() => till.printer.printed.slice(previousCount).some(({ kind }) => kind === 'cut'), { timeout: 30_000 })
    .toBe(true);
};

/** The sums of the closed batch, on the screen and in its files. */
export const exportReports = async (day: Books): Promise<void> => {
  const { user } = day;
  const { manager: t } = user.words;
  await user.choose(user.page.getByRole('link', { name: fill(t.batches.batch, { batch: 1 }) }));
  await user.page.getByText('12345678').first().waitFor();
  await user.shot('manager-10-batch');
  const csv = await saved(day, button(user.page, 'CSV'));
  const pdf = await saved(day, button(user.page, 'PDF'));
  expect(csv.name).toMatch(/\.csv$/);
  const moved = csv.bytes
    .toString()
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => Math.round(Number(line.split(',')[5]) * 100));
  expect(moved.reduce((sum, cents) => sum + cents)).toBe(1_990);
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  await openSection(day, 'reports');
  await user.shot('manager-11-reports');
  // All days, because the business day may have begun in another month.
  await user.choose(button(user.page, t.reports.all));
  const sales = (await saved(day, button(user.page, 'CSV').first())).bytes.toString();
  // A number may begin with a minus; no cell may contain anything that a spreadsheet would calculate.
  for (const cell of sales.split(/[,\r\n]/)) expect(cell).not.toMatch(/^"?[=+@\t]/);
  // Ids are hex: a run of digits within one is not a card number.
  expect(sales).not.toMatch(/(?<![0-9a-z])\d{13,19}(?![0-9a-z])/);
  const audit = (await saved(day, button(user.page, 'CSV').nth(1))).bytes.toString();
  expect(audit).toContain('The line is down');
};

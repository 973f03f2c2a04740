/**
 * What a shopper does, in any engine: from the goods to the payment, a card typed key by key, and a bank's questions.
 */
import type { EnginePage, Finder } from './page.ts';

/** Puts tea into the basket and goes to pay. The choices are those on the basket's page. */
export const toPay = async (page: EnginePage, shop: string, { locale = 'en', flow = 'all' } = {}): Promise<void> => {
  await page.goto(shop);
  await page.getByRole('button', { name: 'Add Harbour tea' }).click();
  await page.getByLabel('Language of the payment').selectOption(locale);
  await page.getByLabel('What to try').selectOption(flow);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.locator('.wpwl-container').waitFor();
};

/** The gateway's frame, in which the card is typed. */
export const cardFrame = (page: EnginePage): Finder => page.frameLocator('iframe.wpwl-iframe-card');

/** The fields of the card, by their class names. */
export const cardFields = ['cardNumber', 'expiry', 'cvv', 'cardHolder'] as const;

export const cardField = (page: EnginePage, name: (typeof cardFields)[number]) =>
  cardFrame(page).locator(`.wpwl-control-${name}`);

export const typeCard = async (page: EnginePage, number: string, cvv = '123'): Promise<void> => {
  const texts = { cardNumber: number, expiry: '0534', cvv, cardHolder: 'Jane Jones' };
  for (const name of cardFields) {
    await cardField(page, name).click();
    await page.keyboard.type(texts[name]);
  }
};

export const payButton = (page: EnginePage) => page.locator('.wpwl-form .wpwl-button-pay[type=submit]');
export const pay = (page: EnginePage): Promise<void> => payButton(page).click();

/** Answers the card bank's question for a code with the right one. */
export const answerChallenge = async (page: EnginePage): Promise<void> => {
  await page.getByLabel('Code from your bank').fill('1234');
  await page.getByRole('button', { name: 'Confirm' }).click();
};

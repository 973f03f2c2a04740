/** Sends the shopper, or a hidden frame, to an address by GET or POST. */
import { after } from './clock.ts';
import { make } from './dom.ts';
import type { BrowserStep, Parameter } from './outcome.ts';
import { widgetError } from './widget-error.ts';

export type BrowserRedirect = { url: string; method?: string; parameters?: readonly Parameter[] };

/** What addresses without a host belong to. Only the web's own schemes: nothing that would run in the shop's page. */
const addressOf = (url: string, base: string): URL => {
  const address = new URL(url, base);
  if (/^https?:$/.test(address.protocol)) return address;
  throw widgetError('WidgetError', `The shopper cannot be sent to ${address.protocol}: it is no address of the web.`);
};

/** `target` is a window or frame by its name, or _self, _top. */
export const leave = (
  { url, method = 'GET', parameters = [] }: BrowserRedirect,
  target: string,
  base: string,
): void => {
  const address = addressOf(url, base);
  const isPost = method.toUpperCase() === 'POST';
  if (!isPost) for (const { name, value } of parameters) address.searchParams.append(name, value);
  if (!isPost) {
    const way = make('a', { href: address.href, target });
    document.body.append(way);
    way.click();
    way.remove();
    return;
  }
  const inputs = parameters.map(({ name, value }) => make('input', { type: 'hidden', name, value }));
  const form = make('form', { action: address.href, method: 'post', target }, ...inputs);
  document.body.append(form);
  form.submit();
  form.remove();
};

/** EMV 3-D Secure gives the method call ten seconds. */
const PRECONDITION_MS = 10_000;

/** Makes the steps one after the other, unseen. What does not answer in time hinders nothing. */
export const fulfil = async (preconditions: readonly BrowserStep[], base: string): Promise<void> => {
  for (const precondition of preconditions) {
    const name = 'wpwl-precondition';
    const frame = make('iframe', { name, hidden: true, title: '', 'aria-hidden': 'true' });
    document.body.append(frame);
    await new Promise<void>((done) => {
      const stop = after(PRECONDITION_MS, done);
      frame.addEventListener('load', () => {
        stop();
        done();
      });
      leave(precondition, name, base);
    });
    frame.remove();
  }
};
